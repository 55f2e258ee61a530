import type { Grid } from '@corpuscle/core';
import {
  type ContextValue,
  combined,
  completed,
  type ExecutionContext,
  newestOnHost,
  type PatternHandle,
  type PreparedCall,
  pending,
  prepareReduction,
  type Totals,
} from '@corpuscle/patterns';
import type { ForceTotals } from '../../forces/ForceTerm.js';
import { reportBlowUp } from '../../system/reportBlowUp.js';
import { isSound } from '../checkRun.js';
import { kineticTensor } from './kineticTensor.js';
import { type ThermoRow, thermoRow } from './thermoRow.js';

/** The step that a row is taken at, and where its energy and virial come from. */
export interface SampleOptions {
  readonly step: number;
  /** A handle is not flushed. */
  readonly time: number | PromiseLike<number>;
  /** Boltzmann's constant in the units of the run. Default 1. */
  readonly boltzmann?: number;
  /** Degrees of freedom. Default 3N − 3. */
  readonly degrees?: number;
  /** Where a device deforms the box; default that of the grid. A handle is not flushed. */
  readonly volume?: number | PromiseLike<number> | undefined;
  /** Energy and virial; a handle, as `ForceLedger.totals` gives, is not flushed. */
  readonly totals: ForceTotals | PromiseLike<ForceTotals>;
  /** Time step: with it, particles that cross the box many times in one step are noticed. */
  readonly dt?: number;
}

/**
 * Takes one row of the thermo table: kinetic tensor by a reduction, energy and virial from the force terms. On a device
 * the row arrives when the results do; waiting for the handle flushes the device.
 *
 * @throws CorpuscleError NOT_FINITE (at the handle) naming step and particle when the run has blown up.
 */
export function sampleThermo(
  grid: Grid,
  ctx: ExecutionContext,
  options: SampleOptions,
): PatternHandle<ThermoRow> {
  const sampler = new ThermoSampler(grid, ctx);
  return combined([sampler.sample(options)], ([row]) => {
    sampler.close();
    return row!;
  });
}

const NOTHING = { xx: 0, yy: 0, zz: 0, xy: 0, xz: 0, yz: 0, fastest2: 0 } as const;

/** Takes rows of the thermo table of one grid; see `sampleThermo`. */
export class ThermoSampler {
  readonly #grid: Grid;
  readonly #ctx: ExecutionContext;
  /** What the reduction leaves. */
  readonly #tensor: ContextValue<keyof typeof NOTHING>;
  #kinetic: PreparedCall<object, unknown>;
  /** The number of particles that the reduction is bound to, with those of processes that share the run. */
  #total: number;

  constructor(grid: Grid, ctx: ExecutionContext) {
    this.#grid = grid;
    this.#ctx = ctx;
    this.#total = grid.total;
    this.#tensor = ctx.value(NOTHING);
    this.#kinetic = prepareReduction(grid, kineticTensor, {}, ctx, { into: this.#tensor });
  }

  /** Takes a row. @throws as `sampleThermo`. */
  sample(options: SampleOptions): PatternHandle<ThermoRow> {
    const { total } = this.#grid;
    if (total !== this.#total) {
      this.#kinetic.close();
      const into = this.#tensor;
      this.#kinetic = prepareReduction(this.#grid, kineticTensor, {}, this.#ctx, { into });
      this.#total = total;
    }
    this.#kinetic.run();
    return rowOf(this.#grid, this.#ctx, this.#tensor.read(), options);
  }

  /** Gives back what it holds. */
  close(): void {
    this.#kinetic.close();
    this.#tensor.close();
  }
}

function rowOf(
  grid: Grid,
  ctx: ExecutionContext,
  kinetic: PatternHandle<unknown>,
  options: SampleOptions,
): PatternHandle<ThermoRow> {
  const { step, time, boltzmann = 1, dt = 0, degrees } = options;
  const { total, domain } = grid;
  const volumes = handleOf(options.volume ?? domain.volume);
  const parts = [kinetic, handleOf(options.totals), handleOf(time), volumes];
  return combined<unknown, ThermoRow>(parts, (found) => {
    const [first, second, third, volume] = found as [unknown, unknown, unknown, number];
    const k = first as Totals;
    const { energy: potentialEnergy, virial } = second as ForceTotals;
    const row = thermoRow({
      step,
      time: third as number,
      count: total,
      volume,
      degrees,
      boltzmann,
      potentialEnergy,
      kinetic: [k.xx!, k.yy!, k.zz!, k.xy!, k.xz!, k.yz!],
      virial,
    });
    if (isSound(row, Math.sqrt(k.fastest2!) * dt, grid)) return row;
    const wrong = (['potential_energy', 'kinetic_energy', 'pressure'] as const).find(
      (name) => !Number.isFinite(row[name]),
    );
    const sum = wrong && `${wrong.replace('_', ' ')} is ${row[wrong]}`;
    return newestOnHost(grid, ctx).then(() => reportBlowUp(grid, step, 'thermo', sum));
  });
}

function handleOf<R>(value: R | PromiseLike<R>): PatternHandle<R> {
  if (typeof value !== 'object' || value === null || !('then' in value))
    return completed(value as R);
  return 'wait' in value ? (value as PatternHandle<R>) : pending(value);
}
