import type { Grid } from '@corpuscle/core';
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
import { listsFor, type PairRunner, zeros } from './DevicePairs.js';
import type { RecordedCall } from './GpuCall.js';

/** A pair call with kernels of its own, over whole neighborhoods. */
export class OtherPairs implements RecordedCall<Totals> {
  readonly kind = 'other';
  readonly grid: Grid;
  readonly name: string;
  readonly operator: string;
  readonly #plan: Plan<PairCall>;
  readonly #runner: PairRunner;
  readonly #start: (call: PairCall, lists: () => DeviceLists) => PatternHandle<Totals>;

  constructor(
    runner: PairRunner,
    plan: Plan<PairCall>,
    operator: string,
    start: (call: PairCall, lists: () => DeviceLists) => PatternHandle<Totals>,
  ) {
    this.#runner = runner;
    this.#plan = plan;
    this.#start = start;
    this.grid = plan.grid;
    this.name = plan.functor.name;
    this.operator = operator;
  }

  run(args: CallArguments): PatternHandle<Totals> {
    return this.#runner.runTotals(this, args);
  }

  record(args: CallArguments): PatternHandle<Totals> {
    const plan = this.#plan;
    if (this.grid.count === 0) return completed(zeros(totalsOf(plan)));
    const { neighbors, residency } = this.#runner;
    return this.#start({ ...plan, ...args }, () => listsFor(plan, neighbors, residency));
  }
}
