import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import {
  type CallArguments,
  type PairCall,
  type Plan,
  type Totals,
  zeroTotals,
} from '../../plan/calls.js';
import type { NeighborhoodPattern } from '../neighborhood/NeighborhoodPattern.js';
import type { CallRunner } from './CallRunner.js';
import { DeviceCall } from './DeviceCall.js';
import { listsFor } from './DevicePairs.js';

/** A functor of whole neighborhoods on the device, which has kernels of its own. */
export class NeighborhoodPairs extends DeviceCall<Totals> {
  readonly kind = 'neighborhood';
  readonly #plan: Plan<PairCall>;
  readonly #pattern: NeighborhoodPattern;

  constructor(runner: CallRunner, plan: Plan<PairCall>, pattern: NeighborhoodPattern) {
    super(runner, plan.functor.name, plan.grid);
    this.#plan = plan;
    this.#pattern = pattern;
  }

  record(args: CallArguments): PatternHandle<Totals> {
    const plan = this.#plan;
    if (this.grid.count === 0) return completed(zeroTotals(plan));
    return this.#pattern.run({ ...plan, ...args }, listsFor(plan, this.runner));
  }
}
