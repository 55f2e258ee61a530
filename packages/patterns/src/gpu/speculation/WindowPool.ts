import type { Grid } from '@corpuscle/core';
import type { CallRunner } from '../calls/CallRunner.js';
import type { Extent } from '../residency/PositionFrame.js';
import { RebuildInterval } from './RebuildInterval.js';
import { SpeculationWindow } from './SpeculationWindow.js';

/** Windows kept to serve again. */
const MOST_UNUSED = 2;
const INSIDE: Extent = { lower: [0, 0, 0], upper: [1, 1, 1] };

/** The windows of a grid, and what was learned from them. */
export class WindowPool {
  readonly grid: Grid;
  readonly rebuilds: RebuildInterval;
  readonly #runner: CallRunner;
  readonly #unused: SpeculationWindow[] = [];
  /** The window that began last. */
  #latest: SpeculationWindow | null = null;

  constructor(runner: CallRunner, grid: Grid, deterministic: boolean) {
    this.#runner = runner;
    this.grid = grid;
    this.rebuilds = new RebuildInterval({ deterministic, isSlow: runner.gpu.info.software });
  }

  /** A window that begins now. */
  async next(): Promise<SpeculationWindow> {
    const { neighbors, residency } = this.#runner;
    const { grid } = this;
    const window = this.unused();
    Object.assign(window, this.rebuilds.begin(this.#latest?.updates ?? 0));
    this.#latest = window;
    window.box = residency.boxOf(grid);
    window.extent = window.box.periodic.includes(false) ? await neighbors.extent(grid) : INSIDE;
    window.begin();
    return window;
  }

  /** A window without calls that has not begun. */
  unused(): SpeculationWindow {
    return this.#unused.pop() ?? new SpeculationWindow(this.#runner, this.grid);
  }

  /** A window that has proved good may serve again. */
  retire(window: SpeculationWindow): void {
    window.clear();
    if (this.#unused.length < MOST_UNUSED) this.#unused.push(window);
    else window.free();
  }

  free(): void {
    for (const unused of this.#unused.splice(0)) unused.free();
  }
}
