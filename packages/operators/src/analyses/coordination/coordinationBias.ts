import type { ExecutionContext } from '@corpuscle/patterns';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { CoordinationNumber, type CoordinationOptions } from './CoordinationNumber.js';
import { type HarmonicBias, harmonicBias } from './harmonicBias.js';
import { listRange } from './ListSolver.js';

/** A coordination number and the harmonic energy over it. */
export interface CoordinationBiasOptions extends CoordinationOptions {
  readonly harmonicBias: HarmonicBias;
}

/** A bias as a force term. */
export interface CoordinationBias extends ForceTerm {
  /** The coordination number at the last evaluation; NaN before. */
  readonly value: number;
  /** Gives back what the coordination number keeps. */
  close(): void;
}

/**
 * The energy kappa/2 (S − at)² of a coordination number S as a force term of molecular dynamics.
 *
 * @throws CorpuscleError as `CoordinationNumber`
 * @example
 * const bias = coordinationBias(ctx, {
 *   groupA: 'A', groupB: 'all', types: ['A', 'B'],
 *   switch: { type: 'rational', r0: 1.2, dMax: 2.2 },
 *   harmonicBias: { at: 150, kappa: 0.05 },
 * });
 * await molecularDynamics(grid, ctx, { forces: [lennardJones, bias], dt: 0.002, steps: 1000 });
 * bias.close();
 */
export function coordinationBias(
  ctx: ExecutionContext,
  { harmonicBias: bias, ...options }: CoordinationBiasOptions,
): CoordinationBias {
  const number = new CoordinationNumber(ctx, options);
  const reach = listRange(number.switching);
  let value = Number.NaN;
  let term: ForceTerm | null = null;
  return {
    name: 'coordination_bias',
    rcut: 0,
    get value() {
      return value;
    },
    async before(grid, _ctx, lists) {
      const rcut = Number.isFinite(reach) ? Math.max(reach, lists.rcut) : lists.rcut;
      const sums = await number.evaluate(grid, { rcut, skin: lists.skin });
      value = sums.value;
      term = harmonicBias(sums, bias);
    },
    compute(grid, context, request) {
      if (!term) throw new Error('the bias is computed before its coordination number');
      return term.compute(grid, context, request);
    },
    totals: (values) => term!.totals(values),
    close: () => number.close(),
  };
}
