import type { Grid } from '@corpuscle/core';
import type { EngineCall } from '../../engine/Engine.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, NeighborCall, NeighborUpdate, Plan } from '../../plan/calls.js';
import { JoinedCells } from '../calls/JoinedCells.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { Residency } from '../residency/Residency.js';

/** What an update of neighbor lists is called in errors and profiles. */
export const UPDATE = 'update neighbors';

/** Makes updates in their order. */
export interface UpdateRunner {
  readonly gpu: GpuDevice;
  readonly residency: Residency;
  runUpdate(call: ListUpdates): PatternHandle<NeighborUpdate>;
}

/** Updates of a grid's neighbor lists, as they were asked for. */
export class ListUpdates implements EngineCall<NeighborUpdate> {
  readonly kind = 'lists';
  readonly name = UPDATE;
  readonly grid: Grid;
  readonly plan: Plan<NeighborCall>;
  readonly operator: string;
  /** The kernel that notes displacements and does nothing else. */
  readonly note: JoinedCells;
  readonly #runner: UpdateRunner;

  constructor(runner: UpdateRunner, plan: Plan<NeighborCall>, operator: string) {
    this.#runner = runner;
    this.plan = plan;
    this.grid = plan.grid;
    this.operator = operator;
    this.note = new JoinedCells(runner.gpu, runner.residency, plan.grid, {
      functors: [],
      notes: true,
    });
  }

  run(_args: CallArguments): PatternHandle<NeighborUpdate> {
    return this.#runner.runUpdate(this);
  }

  /** Whether the device may rebuild at an interval it learns. */
  get isAhead(): boolean {
    return this.plan.ahead && !this.plan.force;
  }
}
