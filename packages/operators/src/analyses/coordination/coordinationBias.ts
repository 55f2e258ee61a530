import type { Grid } from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { evaluateOnce } from '../../forces/PreparedForce.js';
import type { Tensor } from '../../run/thermo/thermoRow.js';
import { CoordinationNumber, type CoordinationOptions } from './CoordinationNumber.js';
import type { CoordinationSums } from './CoordinationSums.js';
import { type HarmonicBias, harmonicBias } from './harmonicBias.js';
import { listRange } from './ListSolver.js';
import type { PreparedCoordination } from './PreparedCoordination.js';
import { type BiasState, biasState, preparedBias } from './preparedBias.js';

/** A coordination number and the harmonic energy over it. */
export interface CoordinationBiasOptions extends CoordinationOptions {
  readonly harmonicBias: HarmonicBias;
}

/** A bias as a force term. */
export interface CoordinationBias extends ForceTerm {
  /** The coordination number at the last evaluation that gave totals; NaN before. */
  readonly value: number;
  /** Gives back what the coordination number keeps. */
  close(): void;
}

/**
 * The energy kappa/2 (S − at)² of a coordination number S as a force term of molecular dynamics. S stays where it is
 * computed, and steps do not wait for it, but for lists of its own: with `path: 'cell_lists'`, and on the CPU where S reaches farther than
 * all other forces.
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
  return biasOf(ctx, number, bias);
}

/** A bias that can tell where its coordination number is. */
export interface BiasTerm extends CoordinationBias {
  /**
   * Looks groups up.
   * @param rcut how far lists of the run reach
   * @returns whether the number stays where it is computed, as long as particles are the same
   */
  start(grid: Grid, rcut: number): Promise<boolean>;
  /** Whether it does. */
  readonly isPrepared: boolean;
  /** Evaluates the number once more, by prepared calls, and with it the shares of particles. */
  sums(): Promise<CoordinationSums>;
}

/** The same for a coordination number that exists. */
export function biasOf(
  ctx: ExecutionContext,
  number: CoordinationNumber,
  bias: HarmonicBias,
): BiasTerm {
  const reach = listRange(number.switching);
  let value = Number.NaN;
  let found: CoordinationSums | null = null;
  const term = harmonicBias(() => found!, bias);
  let prepared: PreparedCoordination | null = null;
  let state: BiasState | null = null;
  const isPrepared = () => prepared?.isCurrent() ?? false;
  const start = async (grid: Grid, rcut: number): Promise<boolean> => {
    if (isPrepared()) return true;
    prepared?.close();
    // A device would wait for the number. A processor is faster with lists of its own than with farther ones for all forces.
    prepared = await number.prepare(grid, ctx.backend === 'cpu' ? rcut : Number.POSITIVE_INFINITY);
    if (prepared) state ??= biasState(ctx);
    return prepared !== null;
  };
  const before: ForceTerm['before'] = async (grid, _ctx, lists) => {
    if (await start(grid, lists.rcut)) return;
    const rcut = Number.isFinite(reach) ? Math.max(reach, lists.rcut) : lists.rcut;
    found = await number.evaluate(grid, { rcut, skin: lists.skin });
    value = found.value;
  };
  const prepare: ForceTerm['prepare'] = (grid, context, request) =>
    preparedBias(grid, context, prepared!, state!, bias, request);
  return {
    name: 'coordination_bias',
    get rcut() {
      return isPrepared() ? prepared!.rcut : 0;
    },
    start,
    get isPrepared() {
      return isPrepared();
    },
    async sums() {
      const { whole, once, sums } = prepared!;
      for (const call of whole) call.run();
      const { cn, cnbxx, cnbyy, cnbzz, cnbxy, cnbxz, cnbyz } = await sums.read();
      const box = [cnbxx, cnbyy, cnbzz, cnbxy, cnbxz, cnbyz].map((x) => -once * x);
      return { value: once * cn, box };
    },
    get value() {
      return value;
    },
    get before() {
      return isPrepared() ? undefined : before;
    },
    get prepare() {
      return isPrepared() ? prepare : undefined;
    },
    compute(grid, context, request) {
      if (isPrepared()) return evaluateOnce(prepare(grid, context, request));
      if (!found) throw new Error('the bias is computed before its coordination number');
      return term.compute(grid, context, request);
    },
    totals(values) {
      if (values.number === undefined) return term.totals(values);
      value = values.number;
      const virial = [0, 1, 2, 3, 4, 5].map((k) => values[`w${k}`]!);
      return { energy: values.energy!, virial: virial as unknown as Tensor };
    },
    close() {
      number.close();
      prepared?.close();
      state?.close();
    },
  };
}
