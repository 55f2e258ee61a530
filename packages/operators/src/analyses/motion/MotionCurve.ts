import { type BlockSpec, CorpuscleError, type Grid } from '@corpuscle/core';
import {
  combined,
  computeCellParticles,
  type ExecutionContext,
  type ParticleAdaptations,
  reduceCellParticles,
} from '@corpuscle/patterns';
import { PendingRows } from '../../run/thermo/PendingRows.js';
import { LagCurve, type LagPoint, type SavedCurve } from './LagCurve.js';
import { type OpenOrigin, OriginSchedule } from './OriginSchedule.js';
import { type KeptVector, Origins } from './Origins.js';

/** What is compared, with how many origins, over how many frames. */
export interface MotionOptions {
  /** Begins the names of fields: one for each curve of a grid. */
  readonly name: string;
  readonly kept: KeptVector;
  readonly origins: number;
  /** The longest lag in frames; Infinity for none. */
  readonly lags: number;
}

/** A frame of a curve. */
export interface MotionFrame {
  readonly grid: Grid;
  readonly step: number;
  readonly time: number;
  /** Values of the parameters of what is kept. */
  readonly params: Readonly<Record<string, number>>;
  readonly adaptations: ParticleAdaptations;
}

interface Row {
  readonly step: number;
  readonly time: number;
  readonly open: readonly OpenOrigin[];
  readonly sums: Readonly<Record<string, number>>;
}

/** Means over particles of a product of vectors now and at origins, by lag. */
export class MotionCurve {
  readonly #ctx: ExecutionContext;
  readonly #schedule: OriginSchedule;
  readonly #origins: Origins;
  readonly #curve = new LagCurve();
  /** Step and time at which each slot began. */
  readonly #begun: { step: number; time: number }[];
  readonly #rows = new PendingRows<Row>((row) => this.#arrived(row));

  constructor(ctx: ExecutionContext, { name, kept, origins, lags }: MotionOptions) {
    this.#ctx = ctx;
    this.#schedule = new OriginSchedule(origins, lags);
    this.#origins = new Origins(name, origins, kept);
    this.#begun = Array.from({ length: origins }, () => ({ step: 0, time: 0 }));
  }

  /** The fields that it keeps in the grid. */
  get blocks(): readonly BlockSpec[] {
    return this.#origins.blocks;
  }

  /** Compares a frame with all open origins, and begins one if one is due. Nothing is awaited unless much is under way. */
  add({ grid, step, time, params, adaptations }: MotionFrame): void | Promise<void> {
    const ctx = this.#ctx;
    const { begins, open } = this.#schedule.next();
    this.#origins.addTo(grid);
    if (begins !== null) {
      computeCellParticles(grid, this.#origins.set[begins]!, ctx, { params });
      this.#begun[begins] = { step, time };
    }
    const since = open.map((origin) => ({ ...origin, ...this.#begun[origin.slot]! }));
    const options = { params, ...adaptations };
    const sums = this.#origins.compare.map((functor) =>
      reduceCellParticles(grid, functor, {}, ctx, options),
    );
    return this.#rows.add(
      combined(sums, (found) => ({
        step,
        time,
        open: since,
        sums: Object.assign({}, ...found) as Record<string, number>,
      })),
    );
  }

  #arrived({ step, time, open, sums }: Row): void {
    const count = Math.max(1, sums.count!);
    for (const { slot, lag, ...begun } of open as readonly (OpenOrigin & Begun)[]) {
      const known = sums[`known${slot}`]!;
      // Origins of a checkpoint that is older than `known` know none.
      if (known > 0 && known !== sums.count)
        throw new CorpuscleError(
          'INVALID_VALUE',
          `${sums.count! - known} of the particles that are followed were not there at step ${begun.step}, from which they are: give a group that stays, or let particles be`,
        );
      const at = { step: step - begun.step, time: time - begun.time };
      const axis = (name: string): number => sums[`${name}${slot}`]! / count;
      this.#curve.add(lag, at, [axis('x'), axis('y'), axis('z')]);
    }
  }

  /** The curve so far. */
  async points(): Promise<LagPoint[]> {
    await this.#rows.flush();
    return this.#curve.points();
  }

  async save(): Promise<SavedMotion> {
    await this.#rows.flush();
    return {
      ...this.#schedule.save(),
      since: this.#begun.map((at) => ({ ...at })),
      curve: this.#curve.save(),
    };
  }

  restore({ since, curve, ...schedule }: SavedMotion): void {
    this.#schedule.restore(schedule);
    since.forEach((at, slot) => {
      this.#begun[slot] = { ...at };
    });
    this.#curve.restore(curve);
  }
}

type Begun = { readonly step: number; readonly time: number };

/** What a checkpoint holds beside the fields of the grid. */
export type SavedMotion = {
  readonly frames: number;
  readonly begun: readonly number[];
  readonly since: readonly Begun[];
  readonly curve: SavedCurve;
};
