import type { Functor } from '@corpuscle/functor';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, Plan, ReduceCall, Totals } from '../../plan/calls.js';
import { placedResults } from '../pattern/PartialSums.js';
import type { PlacedResult } from '../wgsl/reduceWgsl.js';
import type { CallRunner } from './CallRunner.js';
import { DeviceCall } from './DeviceCall.js';
import { JoinedCells } from './JoinedCells.js';

/**
 * A reduction on the device in two levels of fixed order, so that the same device gives the same bits:
 * lane → workgroup (tree) → one workgroup over all partial results → host.
 */
export class DeviceReduction extends DeviceCall<Totals> {
  readonly kind = 'reduction';
  readonly functor: Functor<'reduce'>;
  /** Its kernel when nothing is joined with it. */
  readonly alone: JoinedCells;
  readonly #plan: Plan<ReduceCall>;

  constructor(runner: CallRunner, plan: Plan<ReduceCall>) {
    const { functor, grid } = plan;
    super(runner, functor.name, grid);
    this.functor = functor;
    this.alone = new JoinedCells(runner, grid, { functors: [], sums: [functor] });
    this.#plan = plan;
  }

  /** Its results and where they go among the values of the context; null where the host gets them. */
  get intoValues(): readonly PlacedResult[] | null {
    const { into, initial } = this.#plan;
    return into ? placedResults(this.alone.program.text.results, into, Object.keys(initial)) : null;
  }

  record({ params }: CallArguments): PatternHandle<Totals> {
    const { into, initial } = this.#plan;
    if (this.grid.count === 0) return completed({ ...initial });
    const { sums } = this.alone.program;
    this.alone.record([params], { sums });
    return sums.finish(initial, into);
  }
}
