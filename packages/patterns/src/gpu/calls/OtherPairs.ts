import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import {
  type CallArguments,
  type PairCall,
  type Plan,
  type Totals,
  totalsOf,
} from '../../plan/calls.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import { DeviceCall, type Runner } from './DeviceCall.js';
import { listsFor, zeros } from './DevicePairs.js';

/** Makes calls over whole neighborhoods. */
type Start = (call: PairCall, lists: DeviceLists) => PatternHandle<Totals>;

/** A pair call with kernels of its own, over whole neighborhoods. */
export class OtherPairs extends DeviceCall<Totals> {
  readonly kind = 'other';
  readonly #plan: Plan<PairCall>;
  readonly #start: Start;

  constructor(runner: Runner, plan: Plan<PairCall>, start: Start) {
    super(runner, plan.functor.name, plan.grid);
    this.#plan = plan;
    this.#start = start;
  }

  record(args: CallArguments): PatternHandle<Totals> {
    const plan = this.#plan;
    if (this.grid.count === 0) return completed(zeros(totalsOf(plan)));
    const { neighbors, residency } = this.runner;
    return this.#start({ ...plan, ...args }, listsFor(plan, neighbors, residency));
  }
}
