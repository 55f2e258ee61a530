import type { Grid } from '@corpuscle/core';
import type { ExecutionContext, NeighborUpdate } from '@corpuscle/patterns';
import { newestOnHost } from '@corpuscle/patterns';
import { reportBlowUp } from '../system/reportBlowUp.js';
import { areDisplacementsSound } from './checkRun.js';

/** Steps there is room for at first; a power of two, and twice as many whenever they do not suffice. */
const ROOM = 256;

/**
 * List updates of a run. On a device it is known long after the call what they found: they are not awaited, and counted then.
 * There is one for every step, hundreds of them under way, so that their steps wait in a ring and no objects are made:
 *
 *   [ · · · | oldest … latest | · · ]     at #first … #first + #count − 1, modulo the room there is
 */
export class RunUpdates {
  readonly #grid: Grid;
  readonly #ctx: ExecutionContext;
  #steps: number[] = new Array(ROOM).fill(0);
  #first = 0;
  #count = 0;
  /** The first step in which particles were found to have moved too far. */
  #wildStep: number | null = null;
  /** Lists built so far. */
  rebuilds: number;
  /** The skin of the latest lists, where the engine has tuned it. */
  tunedSkin: number | undefined;

  constructor(grid: Grid, ctx: ExecutionContext, rebuilds: number) {
    this.#grid = grid;
    this.#ctx = ctx;
    this.rebuilds = rebuilds;
  }

  /** An update is asked for in a step. */
  asked(step: number): void {
    if (this.#count === this.#steps.length) this.#grow();
    this.#steps[(this.#first + this.#count++) & (this.#steps.length - 1)] = step;
  }

  /** What the oldest update under way found, or several in a row. */
  readonly found = (update: NeighborUpdate): void => {
    const { updates = 1, rebuilds = update.rebuilt ? 1 : 0 } = update;
    const step = this.#steps[this.#first]!;
    this.#first = (this.#first + updates) & (this.#steps.length - 1);
    this.#count -= updates;
    this.rebuilds += rebuilds;
    this.tunedSkin = update.tunedSkin;
    if (!areDisplacementsSound(update, this.#grid)) this.#wildStep ??= step;
  };

  /**
   * Looks for a blow-up in what is known by now.
   * @throws CorpuscleError NOT_FINITE naming the step and a particle.
   */
  check(): void | Promise<void> {
    if (this.#wildStep === null) return undefined;
    if (this.#ctx.backend === 'cpu')
      return reportBlowUp(this.#grid, this.#wildStep, 'update_neighbors');
    return this.#report(this.#wildStep);
  }

  async #report(step: number): Promise<never> {
    await newestOnHost(this.#grid, this.#ctx);
    return reportBlowUp(this.#grid, step, 'update_neighbors');
  }

  /** Waits until it is known of all, and looks for a blow-up. @throws as `check`. */
  async settled(): Promise<void> {
    await this.#ctx.device?.finished();
    await this.check();
  }

  #grow(): void {
    this.#steps = [...this.#steps.slice(this.#first), ...this.#steps.slice(0, this.#first)];
    this.#steps.push(...new Array<number>(this.#count).fill(0));
    this.#first = 0;
  }
}
