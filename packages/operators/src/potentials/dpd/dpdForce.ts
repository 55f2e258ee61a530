import type { Grid } from '@corpuscle/core';
import { type ContextValue, type ExecutionContext, prepareValues } from '@corpuscle/patterns';
import type { ForceRequest, ForceTerm } from '../../forces/ForceTerm.js';
import { evaluateOnce, type PreparedForce } from '../../forces/PreparedForce.js';
import { completePairs, givenPairs, type PairEntry } from '../pair/completePairs.js';
import { type CutoffSwitch, checkWindow } from '../pair/cutoffSwitch.js';
import { pairForceTerm } from '../pair/pairForceTerm.js';
import { shortestTable } from '../pair/pairOutputs.js';
import { checkCutoff } from '../pair/pairRows.js';
import { countEvaluation, dissipativeParticles } from './dissipativeParticles.js';
import { dpdWindow, switchedDpd } from './switchedDpd.js';

/** Coefficients of one pair of types, or of all pairs when `types` is absent. */
export interface DpdPair extends PairEntry {
  /** Largest repulsive force. */
  readonly A: number;
  /** Friction, a mass over a time. */
  readonly gamma: number;
  readonly rcut: number;
  /** Where the window of `switch` begins. */
  readonly switchFrom?: number;
}

/** Dissipative particle dynamics, in simulation units. */
export interface DpdOptions {
  /** Names of the particle types in the order of their indices. */
  readonly types: readonly string[];
  readonly pairs: readonly DpdPair[];
  /** Thermal energy, Boltzmann's constant times the temperature. */
  readonly kT: number;
  /** Time step, on which the noise depends. */
  readonly dt: number;
  /** A window in which the repulsion ends, from `switchFrom` on; friction and noise keep their weight. Default 'none'. */
  readonly switch?: CutoffSwitch;
  /** Pairs that are not given have no forces; default: they are an error. */
  readonly partial?: boolean;
  /** Of the random numbers; default 0. */
  readonly seed?: number;
  /** Keeps the random numbers of two such forces apart; default 0. */
  readonly stream?: number;
}

/** A force term that counts how often forces were computed: each time has random numbers of its own. */
export interface DpdTerm extends ForceTerm {
  /** How often forces were computed, for a checkpoint; waits for it. */
  evaluations(): Promise<number>;
  /** Goes on at a number of evaluations. */
  goOnAt(evaluations: number): void;
  /** Gives back the counter. */
  close(): void;
}

type Count = ContextValue<'low' | 'high'>;

/**
 * A force term of dissipative particle dynamics. Forces that are computed once more have other random numbers; energies and
 * virials alone have those of the last forces.
 *
 * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE; when it is prepared, BOX_TOO_THIN where a pair may have two images
 * within the cutoff and there is noise.
 * @example
 * const term = dpdForce({ types: ['W'], pairs: [{ A: 25, gamma: 4.5, rcut: 1 }], kT: 1, dt: 0.02 });
 */
export function dpdForce(options: DpdOptions): DpdTerm {
  const { types, kT, dt, seed = 0, stream = 0, partial = false, switch: window = 'none' } = options;
  for (const pair of options.pairs) checkDpdEnd(pair, window);
  const table = partial ? givenPairs(types, options.pairs) : completePairs(types, options.pairs);
  const column = (of: (pair: DpdPair) => number) =>
    shortestTable(table.map((pair) => (pair ? of(pair) : 0)));
  const rcut = Math.max(...table.map((pair) => pair?.rcut ?? 0));
  let count: Count | null = null;
  let start = 0;
  const countOf = (ctx: ExecutionContext): Count => {
    count ??= ctx.value(halves(start));
    return count;
  };
  const params = (ctx: ExecutionContext) => ({
    types: types.length,
    rcut2: column((pair) => pair.rcut ** 2),
    inverse: column((pair) => 1 / pair.rcut),
    strength: column(({ A }) => A),
    halfRange: column((pair) => (pair.A * pair.rcut) / 2),
    friction: column(({ gamma }) => gamma),
    noise: column(({ gamma }) => Math.sqrt((24 * gamma * kT) / dt)),
    low: countOf(ctx).of('low'),
    high: countOf(ctx).of('high'),
    stream,
    seed: seed >>> 0,
    seedHigh: Math.floor(seed / 2 ** 32),
  });
  const pairs =
    window === 'none'
      ? pairForceTerm(dissipativeParticles, rcut, params)
      : pairForceTerm(switchedDpd(window), rcut, (ctx) => ({
          ...params(ctx),
          on: column((pair) => dpdWindow(window, pair).on),
          w1: column((pair) => dpdWindow(window, pair).w1),
          w2: column((pair) => dpdWindow(window, pair).w2),
          w3: column((pair) => dpdWindow(window, pair).w3),
          offset: column((pair) => dpdWindow(window, pair).offset),
        }));
  /** An evaluation of forces has random numbers of its own. */
  const counting = (
    inner: PreparedForce,
    ctx: ExecutionContext,
    request: ForceRequest,
  ): PreparedForce => {
    if (!request.forces) return inner;
    const values = { low: countOf(ctx).of('low'), high: countOf(ctx).of('high') };
    const tick = prepareValues(countEvaluation, ctx, { values });
    return {
      ...inner,
      calls: [tick, ...inner.calls],
      close() {
        tick.close();
        inner.close();
      },
    };
  };
  /** All images of a pair would draw the same number: noise and friction would no longer hold the temperature. */
  const checkImages = ({ domain }: Grid): void => {
    if (kT > 0) domain.checkCutoff(rcut);
  };
  const prepare = (grid: Grid, ctx: ExecutionContext, request: ForceRequest): PreparedForce => {
    checkImages(grid);
    return counting(pairs.prepare!(grid, ctx, request), ctx, request);
  };
  return {
    ...pairs,
    prepare,
    prepareWithoutEnergy(grid, ctx, request, complete) {
      checkImages(grid);
      return counting(pairs.prepareWithoutEnergy!(grid, ctx, request, complete), ctx, request);
    },
    compute: (grid, ctx, request) => evaluateOnce(prepare(grid, ctx, request)),
    async evaluations() {
      if (!count) return start;
      const { low, high } = await count.read();
      return low + 65536 * high;
    },
    goOnAt(evaluations) {
      start = evaluations;
      count?.write(halves(evaluations));
    },
    close() {
      count?.close();
      count = null;
    },
  };
}

const halves = (n: number) => ({ low: n % 65536, high: Math.floor(n / 65536) });

/** Energy and force of the repulsion end at 0 by themselves: a window is all that there is to choose. */
function checkDpdEnd(pair: DpdPair, window: CutoffSwitch): void {
  checkCutoff({ name: 'dpd', shift: 'force' }, pair, { switch: window });
  if (pair.switchFrom !== undefined) checkWindow(pair.switchFrom, pair.rcut);
}
