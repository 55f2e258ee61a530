import { dimensions, type EntrySpec, type SlotSpecs } from '@corpuscle/core';
import type { Coefficients } from './definePairPotential.js';
import type { MixingRule } from './mixing.js';
import { cutoffShifts } from './pairOutputs.js';

const cutoff = {
  type: 'quantity',
  dimension: dimensions.length,
  above: 0,
  doc: 'cutoff',
} as const satisfies EntrySpec;

const entriesOf = (coefficients: Coefficients, required: boolean): Record<string, EntrySpec> =>
  Object.fromEntries([
    ...Object.entries(coefficients).map(([name, { mixes: _, ...coefficient }]) => [
      name,
      { type: 'quantity', ...coefficient, ...(required ? { required } : {}) },
    ]),
    ['rcut', required ? { ...cutoff, required } : cutoff],
  ]) as Record<string, EntrySpec>;

/**
 * Slots of a pair force: its coefficients and rcut for all pairs of types, or a list `pairs`; `mixing`, where it has rules; and
 * `shift`.
 */
export function pairForceSlots(
  coefficients: Coefficients,
  rules: readonly MixingRule[] = [],
): SlotSpecs {
  const names = [...Object.keys(coefficients), 'rcut'];
  const types = {
    type: 'list',
    of: { type: 'particle_type' },
    length: 2,
    required: true,
    doc: 'the two types',
  } as const;
  return {
    ...entriesOf(coefficients, false),
    pairs: {
      type: 'list',
      minLength: 1,
      of: { type: 'map', entries: { types, ...entriesOf(coefficients, true) } },
      doc: `parameters for each pair of types, instead of ${listed(names)}`,
    },
    ...(rules.length > 0 ? { mixing: mixingSlot(rules) } : {}),
    shift: {
      type: 'enum',
      values: cutoffShifts,
      default: 'none',
      doc: 'energy: u(rcut) = 0; force: also u′(rcut) = 0',
    },
  };
}

const mixingSlot = (rules: readonly MixingRule[]) =>
  ({
    type: 'enum',
    values: ['none', ...rules],
    default: 'none',
    doc: 'how pairs of unlike types follow from those of like types; none: a missing pair is an error',
  }) as const;

/** `a, b and c` */
export function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');
}
