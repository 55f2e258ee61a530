import type { SimulationState } from '../SimulationState.js';
import type { FusedStep, StepCall } from '../StepCall.js';
import type { Call, Frame } from './frames.js';
import type { OperatorCalls } from './OperatorCalls.js';

/**
 * The plain pass of a loop: nothing is needed in it, so that certain operators, its members, do nothing but make the same
 * prepared calls. They wait until all are there, and are then one fused step.
 *
 *   next_time_step │ push ┄ lists ┄ zero ┄ forces ┄ push │ thermo │ end_time_step
 *                    └─────────── one step ───────────┘
 *
 * Where another operator comes between, or something is needed, members are executed one by one. So they are in the first
 * pass, and in the one after which the step is fused.
 */
export class PlainPass {
  readonly #state: SimulationState;
  readonly #operators: OperatorCalls;
  readonly #items: Frame['items'];
  /** What the members' calls were made from: see `SimulationState.renewCalls`. */
  #version = -1;
  #members: readonly Call[] = [];
  #calls: readonly StepCall[] = [];
  #fused: FusedStep | null = null;
  /** Members of this pass that wait to be executed: the first ones. */
  #waiting = 0;
  /** Whether members of this pass no longer wait. */
  #isBroken = true;

  constructor(state: SimulationState, operators: OperatorCalls, items: Frame['items']) {
    this.#state = state;
    this.#operators = operators;
    this.#items = items;
  }

  /** A pass begins. */
  begin(): void {
    this.#waiting = 0;
    this.#isBroken = this.#state.fuseStep === undefined || !this.#collect();
  }

  /** An operator that has run before, and runs in every pass. */
  run(call: Call): void | Promise<void> {
    if (this.#isBroken || call.instance.definition.hostOnly)
      return this.#operators.execute(call.instance);
    if (call !== this.#members[this.#waiting]) {
      const before = this.interrupt();
      return before
        ? before.then(() => this.#operators.execute(call.instance))
        : this.#operators.execute(call.instance);
    }
    if (this.#waiting === 0 && this.#isNeedy) {
      this.#isBroken = true;
      return this.#operators.execute(call.instance);
    }
    this.#waiting++;
    return this.#waiting === this.#members.length ? this.#launch() : undefined;
  }

  /** Something else comes: members that wait are executed now. */
  interrupt(): void | Promise<void> {
    if (this.#waiting === 0) return undefined;
    const count = this.#waiting;
    this.#waiting = 0;
    this.#isBroken = true;
    return this.#execute(0, count);
  }

  /** What is left of this pass is executed one by one: a run that goes on from a checkpoint here does the same. */
  break(): void | Promise<void> {
    const before = this.interrupt();
    this.#isBroken = true;
    return before;
  }

  /** Gives back what was fused. */
  close(): void {
    this.#fused?.close();
    this.#fused = null;
  }

  /** Whether forces must compute more than forces in this step. */
  get #isNeedy(): boolean {
    const { schedule, step, isEnding } = this.#state;
    return schedule!.needsAt(step, isEnding).size > 0;
  }

  #launch(): void | Promise<void> {
    this.#waiting = 0;
    this.#isBroken = true; // nothing waits until the next pass
    if (this.#fused?.isCurrent()) return this.#operators.replay(this.#fused);
    this.close();
    const executed = this.#execute(0, this.#members.length);
    return executed ? executed.then(() => this.#fuse()) : this.#fuse();
  }

  #fuse(): void {
    this.#fused = this.#state.fuseStep!(this.#calls);
  }

  /** Executes members one by one. */
  #execute(from: number, to: number): void | Promise<void> {
    for (let k = from; k < to; k++) {
      const running = this.#operators.execute(this.#members[k]!.instance);
      if (running) return running.then(() => this.#execute(k + 1, to));
    }
    return undefined;
  }

  /** Finds the members. @returns false until every operator of the loop has run. */
  #collect(): boolean {
    if (this.#version === this.#state.callsVersion) return this.#members.length > 0;
    this.close();
    this.#members = [];
    const constant = this.#items.filter((item) => item.kind === 'operator' && !item.timing);
    if (!constant.every((item) => item.kind === 'operator' && item.isSettled)) return false;
    const made = (constant as Call[]).map((call) => this.#operators.callsOf(call.instance));
    this.#members = (constant as Call[]).filter((_, k) => made[k] !== null);
    this.#calls = made.flatMap((calls) => calls ?? []);
    this.#version = this.#state.callsVersion;
    return this.#members.length > 0;
  }
}
