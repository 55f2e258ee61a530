import type { Grid } from '@corpuscle/core';
import type { CallRunner } from '../calls/CallRunner.js';
import { MOST_IN_PLACE } from '../neighbors/inPlaceKernel.js';
import { isClosed } from '../neighbors/listFrame.js';
import { OpenExtents } from './OpenExtents.js';
import { RebuildInterval } from './RebuildInterval.js';
import { SpeculationWindow } from './SpeculationWindow.js';

/** Windows kept for their memory. */
const MOST_SERVED = 2;

/** The windows of a grid, and what was learned from them. */
export class WindowPool {
  readonly grid: Grid;
  readonly rebuilds: RebuildInterval;
  /** Whether the device may build lists by itself. What it decides depends on which steps are a series. */
  mayVote: boolean;
  readonly #runner: CallRunner;
  readonly #extents: OpenExtents;
  /** Those that are no more needed. */
  readonly #served: SpeculationWindow[] = [];
  /** The window that began last. */
  #latest: SpeculationWindow | null = null;

  constructor(runner: CallRunner, grid: Grid, deterministic: boolean) {
    this.#runner = runner;
    this.#extents = new OpenExtents(runner.neighbors);
    this.grid = grid;
    this.mayVote = !deterministic;
    this.rebuilds = new RebuildInterval({ deterministic, isSlow: runner.gpu.info.software });
  }

  /** A window that begins now. */
  async next(): Promise<SpeculationWindow> {
    const window = this.unused();
    Object.assign(window, this.rebuilds.begin(this.#latest?.updates ?? 0));
    window.mostVoted = this.mayVote ? this.rebuilds.length.most(window) : 0;
    this.#latest = window;
    if (!isClosed(window.box))
      window.extent = await this.#extents.next(this.grid, window.box, this.#mayBeOlder);
    window.begin();
    return window;
  }

  /** Whether the host need not wait for the present extent: a wait is long beside steps of few particles. `deterministic` runs do not ask for older ones. */
  get #mayBeOlder(): boolean {
    return this.mayVote && this.grid.count <= MOST_IN_PLACE;
  }

  /** A window without calls that has not begun. */
  unused(): SpeculationWindow {
    return new SpeculationWindow(this.#runner, this.grid, this.#served.pop());
  }

  /** A window that has proved good is no more needed. */
  retire(window: SpeculationWindow): void {
    if (this.#served.length < MOST_SERVED) this.#served.push(window);
    else window.free();
  }

  free(): void {
    for (const served of this.#served.splice(0)) served.free();
  }
}
