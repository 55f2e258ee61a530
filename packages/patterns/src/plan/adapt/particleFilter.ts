import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Expr } from '@corpuscle/functor/ir';
import type { Adaptation } from './Adaptation.js';
import { compare, field, leaveIf, whole } from './build.js';

/** Particles with `field & bits` other than 0. */
export interface ParticleSelection {
  /** A field of integers. */
  readonly field: string;
  readonly bits: number;
}

/** Which particles take part in a pair call; the others are passed over. */
export interface ParticleFilter {
  /** Particles that receive. */
  readonly central?: ParticleSelection;
  /** Neighbors they see. */
  readonly neighbor?: ParticleSelection;
  /** The old name of `neighbor`. @deprecated Use `neighbor`. */
  readonly neighbour?: ParticleSelection;
}

/** @throws CorpuscleError UNKNOWN_FIELD, INVALID_VALUE */
export function particleFilter(filter: ParticleFilter, grid: Grid): Adaptation {
  const { central, neighbor = filter.neighbour } = filter;
  for (const selection of [central, neighbor]) {
    if (!selection) continue;
    grid.field(selection.field);
    const { bits } = selection;
    if (Number.isInteger(bits) && bits > 0 && bits < 2 ** 32) continue;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the bits of the particle filter are ${bits}: give a whole number from 1 to 2^32 − 1`,
    );
  }
  const names = [central?.field ?? '', neighbor?.field ?? ''];
  const symmetric = central?.field === neighbor?.field && central?.bits === neighbor?.bits;
  return {
    key: `particles ${names.join()} ${symmetric}`,
    ...(central ? { central: { [central.field]: 'u32' } } : {}),
    ...(neighbor ? { neighbor: { [neighbor.field]: 'u32' } } : {}),
    params: { opt_central: 'u32', opt_neighbor: 'u32' },
    values: { opt_central: central?.bits ?? 0, opt_neighbor: neighbor?.bits ?? 0 },
    symmetric,
    statements: () => ({
      particle: central ? [outside(field('i', central.field, 'u32'), 'opt_central')] : [],
      before: neighbor ? [outside(field('j', neighbor.field, 'u32'), 'opt_neighbor')] : [],
    }),
  };
}

function outside(value: Expr, bits: string) {
  const both: Expr = {
    kind: 'bits',
    type: 'i32',
    op: '&',
    left: value,
    right: field('p', bits, 'u32'),
  };
  return leaveIf(compare('==', both, { ...whole(0), type: 'i32' } as Expr));
}
