import type { Grid } from '@corpuscle/core';
import type { EngineCall } from '../../engine/Engine.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { NeighborCall, NeighborUpdate, Plan } from '../../plan/calls.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { JoinedCells } from '../calls/JoinedCells.js';
import type { Updating } from '../speculation/entries.js';
import type { UpdateRecord } from '../speculation/SpeculationWindow.js';

/** Updates of a grid's neighbor lists, as they were asked for. */
export class ListUpdates implements EngineCall<NeighborUpdate>, Updating {
  readonly kind = 'lists';
  readonly name = 'update neighbors';
  readonly grid: Grid;
  readonly plan: Plan<NeighborCall>;
  readonly operator: string;
  /** Itself. */
  readonly updates: readonly ListUpdates[] = [this];
  readonly #runner: CallRunner;
  /** The kernel that notes displacements and does nothing else. */
  readonly #note: JoinedCells;

  constructor(runner: CallRunner, plan: Plan<NeighborCall>) {
    this.#runner = runner;
    this.plan = plan;
    this.grid = plan.grid;
    this.operator = runner.operator;
    this.#note = new JoinedCells(runner, plan.grid, { functors: [], notes: true });
  }

  run(): PatternHandle<NeighborUpdate> {
    return this.#runner.runUpdate(this);
  }

  /** Records it as part of a window. */
  record([given]: readonly UpdateRecord[]): void {
    const update = given!;
    const { window } = update;
    this.#runner.gpu.enter(this);
    // Before a rebuild too: where every step rebuilds, a blow-up would not be seen.
    this.#note.record([], { displacements: window.update(update) });
    if (update.rebuilds) window.rebuild(update, null);
  }

  /** Whether the device may rebuild at an interval it learns. */
  get isAhead(): boolean {
    return this.plan.ahead && !this.plan.force;
  }
}
