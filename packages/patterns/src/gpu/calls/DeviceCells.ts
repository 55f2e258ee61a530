import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, CellCall, Plan } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { Residency } from '../residency/Residency.js';
import type { RecordedCall } from './GpuCall.js';
import { JoinedCells } from './JoinedCells.js';

/** Makes calls in their order. */
export interface CellRunner {
  runCells(call: DeviceCells, args: CallArguments): PatternHandle<void>;
}

/** A cell functor on the device: one thread a particle. */
export class DeviceCells implements RecordedCall<void> {
  readonly kind = 'cells';
  readonly grid: Grid;
  readonly functor: Functor<'cell'>;
  readonly name: string;
  readonly operator: string;
  /** Its kernel when nothing is joined with it. */
  readonly alone: JoinedCells;
  readonly #runner: CellRunner;

  constructor(
    runner: CellRunner & { readonly gpu: GpuDevice; readonly residency: Residency },
    { grid, functor }: Plan<CellCall>,
    operator: string,
  ) {
    this.#runner = runner;
    this.grid = grid;
    this.functor = functor;
    this.name = functor.name;
    this.operator = operator;
    this.alone = new JoinedCells(runner.gpu, runner.residency, grid, { functors: [functor] });
  }

  run(args: CallArguments): PatternHandle<void> {
    return this.#runner.runCells(this, args);
  }

  record({ params }: CallArguments): PatternHandle<void> {
    if (this.grid.count > 0) this.alone.record([params], null);
    return completed();
  }
}
