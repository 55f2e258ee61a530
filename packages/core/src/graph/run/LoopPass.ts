import type { Need } from '../ScheduleSpec.js';
import type { SimulationState } from '../SimulationState.js';
import type { FusedStep, StepCall } from '../StepCall.js';
import type { Call, Frame } from './frames.js';
import type { OperatorCalls } from './OperatorCalls.js';
import { QuietPasses } from './QuietPasses.js';

/** Fused steps that wait at most: enough to make the way through the loop cheap. */
const MOST_DUE = 64;

/** The fused step of passes with the same needs and variants. */
interface StepPlan {
  readonly needs: ReadonlySet<Need>;
  readonly members: readonly Call[];
  readonly calls: readonly StepCall[];
  fused: FusedStep | null;
}

/**
 * A pass of a loop. Certain operators, its members, do nothing but make the same prepared calls in every pass that is alike:
 * with the same needs, and with the same variant of each member. They wait until all are there, and are then one fused step.
 *
 *   next_time_step │ push ┄ lists ┄ zero ┄ forces ┄ push │ thermo │ end_time_step
 *                    └─────────── one step ───────────┘
 *
 * Where another operator comes between, or a member does more than its calls, members are executed one by one. So they are in the
 * first pass, and in the one after which a step is fused.
 *
 * Fused steps wait too, until something comes that may look at particles: steps in a row are made as one. Where it is known that so
 * many passes are like the last one, these are taken as one too.
 */
export class LoopPass {
  readonly #state: SimulationState;
  readonly #operators: OperatorCalls;
  readonly #items: Frame['items'] | null;
  readonly #quiet: QuietPasses | null;
  /** What the members' calls were made from: see `SimulationState.renewCalls`. */
  #version = -1;
  /** By what is needed in the pass, and by the variants of members. */
  readonly #plans = new Map<ReadonlySet<Need>, StepPlan[]>();
  /** Operators that run in every pass. */
  #constant: readonly Call[] | null = null;
  /** Those of them that have variants. */
  #varying: readonly Call[] = [];
  /** That of the members that wait, or of the last that did. */
  #plan: StepPlan | null = null;
  /** How many members of this pass, from the first on, wait to be executed. */
  #waiting = 0;
  /** The step before this pass. */
  #before = 0;
  /** Whether members of this pass no longer wait. */
  #isBroken = true;
  /** Fused steps that wait, from the first to the last. */
  #due: FusedStep | null = null;
  #first = 0;
  #last = 0;

  /** @param frame of the loop; null where nothing shall be fused. */
  constructor(state: SimulationState, operators: OperatorCalls, frame: Frame | null) {
    this.#state = state;
    this.#operators = operators;
    this.#items = frame?.items ?? null;
    this.#quiet = frame && QuietPasses.of(state, operators, frame);
  }

  /** A pass begins. */
  begin(): void {
    this.#waiting = 0;
    this.#before = this.#state.step;
    this.#isBroken = this.#state.fuseStep === undefined || !this.#findConstant();
  }

  /** An operator that has run before, and runs in every pass. */
  run(call: Call): void | Promise<void> {
    if (call.instance.isHostOnly) return this.#operators.execute(call.instance);
    if (this.#isBroken) return this.#afterSteps(call);
    if (this.#version !== this.#state.callsVersion && this.#due) {
      const steps = this.settle(); // what they are made of is closed now
      if (steps) return steps.then(() => this.run(call));
    }
    const plan = this.#waiting > 0 ? this.#plan! : this.#findPlan();
    if (call !== plan.members[this.#waiting] || call.instance.doesMore) {
      const before = this.interrupt();
      return before
        ? before.then(() => this.#operators.execute(call.instance))
        : this.#operators.execute(call.instance);
    }
    this.#waiting++;
    return this.#waiting === plan.members.length ? this.#launch(plan) : undefined;
  }

  /** Something else comes: what waits is done now. */
  interrupt(): void | Promise<void> {
    const steps = this.settle();
    return steps ? steps.then(() => this.end()) : this.end();
  }

  /** The pass ends: members that wait are executed. */
  end(): void | Promise<void> {
    if (this.#waiting === 0) return undefined;
    const count = this.#waiting;
    this.#waiting = 0;
    this.#isBroken = true;
    const steps = this.settle();
    return steps
      ? steps.then(() => this.#execute(this.#plan!, 0, count))
      : this.#execute(this.#plan!, 0, count);
  }

  /** Makes the fused steps that wait. */
  settle(): void | Promise<void> {
    const due = this.#due;
    if (due === null) return undefined;
    this.#due = null;
    return this.#operators.replay(due, this.#first, this.#last);
  }

  /**
   * Takes the passes that follow the one that has ended, and are like it, as one.
   * @returns how many; null where the next pass is no such pass.
   */
  takeQuiet(): Promise<number> | null {
    if (this.#quiet === null || this.#due === null) return null;
    // The last pass was one step, which waits.
    const { step } = this.#state;
    if (this.#last !== step || this.#before !== step - 1) return null;
    if (this.#version !== this.#state.callsVersion || !this.#due.isCurrent()) return null;
    const { members, needs } = this.#plan!;
    const count = this.#quiet.count(members, needs);
    if (count === 0) return null;
    this.#last += count;
    const isTimed = !this.#due.isShared;
    return this.#quiet.take(count, members, isTimed, () => this.settle());
  }

  #afterSteps({ instance }: Call): void | Promise<void> {
    const steps = this.settle();
    return steps
      ? steps.then(() => this.#operators.execute(instance))
      : this.#operators.execute(instance);
  }

  /** What is left of this pass is executed one by one: a run that goes on from a checkpoint here does the same. */
  break(): void | Promise<void> {
    const before = this.interrupt();
    this.#isBroken = true;
    return before;
  }

  /** Gives back what was fused. */
  close(): void {
    for (const plans of this.#plans.values()) for (const key in plans) plans[key]!.fused?.close();
    this.#plans.clear();
  }

  #launch(plan: StepPlan): void | Promise<void> {
    this.#waiting = 0;
    this.#isBroken = true; // nothing waits until the next pass
    if (plan.fused?.isCurrent()) return this.#put(plan.fused);
    const steps = this.settle();
    return steps ? steps.then(() => this.#executeAndFuse(plan)) : this.#executeAndFuse(plan);
  }

  /** Puts a fused step off, if it may wait; those that it does not go on with are made. */
  #put(step: FusedStep): void | Promise<void> {
    const { step: now } = this.#state;
    if (!step.mayWait) {
      const waiting = this.settle();
      return waiting
        ? waiting.then(() => this.#operators.replay(step, now, now))
        : this.#operators.replay(step, now, now);
    }
    const goesOn = this.#due === step && now === this.#last + 1 && now < this.#first + MOST_DUE;
    const before = goesOn ? undefined : this.settle();
    if (!goesOn) this.#first = now;
    this.#last = now;
    this.#due = step;
    return before;
  }

  #executeAndFuse(plan: StepPlan): void | Promise<void> {
    plan.fused?.close();
    plan.fused = null;
    const executed = this.#execute(plan, 0, plan.members.length);
    return executed ? executed.then(() => this.#fuse(plan)) : this.#fuse(plan);
  }

  #fuse(plan: StepPlan): void {
    plan.fused = this.#state.fuseStep!(plan.calls);
  }

  /** Executes members one by one. */
  #execute(plan: StepPlan, from: number, to: number): void | Promise<void> {
    for (let k = from; k < to; k++) {
      const running = this.#operators.execute(plan.members[k]!.instance);
      if (running) return running.then(() => this.#execute(plan, k + 1, to));
    }
    return undefined;
  }

  /** @returns false until every operator of the loop has run. */
  #findConstant(): boolean {
    if (this.#constant) return true;
    if (!this.#items) return false;
    const constant = this.#items.filter((item) => item.kind === 'operator' && !item.timing);
    if (!constant.every((item) => item.kind === 'operator' && item.isSettled)) return false;
    this.#constant = constant as Call[];
    this.#varying = this.#constant.filter(({ instance }) => instance.definition.variant);
    return true;
  }

  /** The plan for the present needs and variants. */
  #findPlan(): StepPlan {
    const { callsVersion } = this.#state;
    if (this.#version !== callsVersion) this.close();
    this.#version = callsVersion;
    const needs = this.#state.needsNow();
    let plans = this.#plans.get(needs);
    if (!plans) {
      plans = [];
      this.#plans.set(needs, plans);
    }
    let key = 0;
    for (const { instance } of this.#varying) key = 3 * key + instance.variant;
    let plan = plans[key];
    if (!plan) {
      const made = this.#constant!.map((call) => this.#operators.callsOf(call.instance));
      const members = this.#constant!.filter((_, k) => made[k] !== null);
      plan = { needs, members, calls: made.flatMap((calls) => calls ?? []), fused: null };
      plans[key] = plan;
    }
    this.#plan = plan;
    return plan;
  }
}
