import type { Functor } from '@corpuscle/functor';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, CellCall, Plan } from '../../plan/calls.js';
import type { ListedCells } from '../pattern/ListedCells.js';
import { DeviceCall, type Runner } from './DeviceCall.js';
import { JoinedCells } from './JoinedCells.js';

/** A cell functor on the device: one thread a particle. */
export class DeviceCells extends DeviceCall<void> {
  readonly kind = 'cells';
  readonly functor: Functor<'cell'>;
  /** Its kernel when nothing is joined with it. */
  readonly alone: JoinedCells;
  readonly #listed: ListedCells;

  constructor(runner: Runner, listed: ListedCells, { grid, functor }: Plan<CellCall>) {
    super(runner, functor.name, grid);
    this.functor = functor;
    this.#listed = listed;
    this.alone = new JoinedCells(runner.gpu, runner.residency, grid, { functors: [functor] });
  }

  override run(args: CallArguments): PatternHandle<void> {
    return args.rows ? this.runner.runSettled(this, args) : super.run(args);
  }

  record(args: CallArguments): PatternHandle<void> {
    const { grid, functor } = this;
    if (args.rows) this.#listed.run({ grid, functor, ...args });
    else if (grid.count > 0) this.alone.record([args.params], null);
    return completed();
  }
}
