import type { Functor } from '@corpuscle/functor';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, CellCall, Plan } from '../../plan/calls.js';
import type { CallRunner } from './CallRunner.js';
import { DeviceCall } from './DeviceCall.js';
import { JoinedCells } from './JoinedCells.js';

/** A cell functor on the device: one thread a particle. */
export class DeviceCells extends DeviceCall<void> {
  readonly kind = 'cells';
  readonly functor: Functor<'cell'>;
  /** Its kernel when nothing is joined with it. */
  readonly alone: JoinedCells;
  /** The same for lists of rows. */
  #listed: JoinedCells | null = null;

  constructor(runner: CallRunner, { grid, functor }: Plan<CellCall>) {
    super(runner, functor.name, grid);
    this.functor = functor;
    this.alone = new JoinedCells(runner, grid, { functors: [functor] });
  }

  override run(args: CallArguments): PatternHandle<void> {
    return args.rows ? this.runner.runSettled(this, args) : super.run(args);
  }

  record({ params, rows }: CallArguments): PatternHandle<void> {
    if (rows) {
      const parts = { functors: [this.functor], listed: true };
      this.#listed ??= new JoinedCells(this.runner, this.grid, parts);
      if (rows.length > 0) this.#listed.record([params], { rows });
    } else if (this.grid.count > 0) this.alone.record([params]);
    return completed();
  }
}
