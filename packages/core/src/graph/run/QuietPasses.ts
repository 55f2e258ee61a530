import type { Need } from '../ScheduleSpec.js';
import type { SimulationState } from '../SimulationState.js';
import type { Call, Frame } from './frames.js';
import type { OperatorCalls } from './OperatorCalls.js';

/** Passes that are taken as one: at most, with the one before them, and at first. */
const [MOST, FIRST] = [1024, 16];

/** Milliseconds that they may take together: signals, pages and clocks are looked at between them. */
const MILLISECONDS = 10;

const clock = performance;

/**
 * Passes of a loop that are like the one before: nothing is due in them but a fused step, and operators that know what many executions
 * of them do. They are taken as one, so that the way through the loop costs nothing:
 *
 *   pass     100  │ 101 │ 102 … 199                                                │  200
 *          thermo  │     │ next_time_step × 98, fused step × 98, end_time_step × 98 │ thermo
 *
 * How many at a time the clock decides: what they do is the same.
 */
export class QuietPasses {
  readonly #state: SimulationState;
  readonly #operators: OperatorCalls;
  readonly #frame: Frame;
  readonly #items: readonly Call[];
  /** As many as have been taken in time, or twice as many. */
  #most = FIRST;

  private constructor(
    state: SimulationState,
    operators: OperatorCalls,
    frame: Frame,
    items: readonly Call[],
  ) {
    this.#state = state;
    this.#operators = operators;
    this.#frame = frame;
    this.#items = items;
  }

  /** Those of a loop; null where there can be none. */
  static of(state: SimulationState, operators: OperatorCalls, frame: Frame): QuietPasses | null {
    const { condition, loop } = frame.batch;
    const isTimeless = [condition, loop].every(
      (asked) => typeof asked !== 'object' || asked.isTimeless,
    );
    const items = frame.items.filter((item) => item.kind === 'operator' && mayBeQuiet(item));
    // Processes that share a run look at their signals in the same passes.
    if (!isTimeless || items.length < frame.items.length || operators.areShared) return null;
    return new QuietPasses(state, operators, frame, items as Call[]);
  }

  /**
   * How many of the passes that follow are like the last one.
   * @param members of its fused step. @param needs that this was made for
   */
  count(members: readonly Call[], needs: ReadonlySet<Need>): number {
    const { step, isEnding, lastStep, schedule, alwaysNeeded } = this.#state;
    let count = isEnding ? 0 : Math.min(this.#passesLeft, lastStep - 1 - step);
    for (let k = 0; k < this.#items.length && count > 0; k++) {
      const item = this.#items[k]!;
      const { timing } = item;
      const until = timing ? schedule!.nextDue(timing, step) : steadyUntil(item, members);
      count = Math.min(count, Math.ceil(until) - 1 - step);
    }
    // Simulations side by side take the same steps together: where nothing is due for long, they stop at the same ones.
    if (count >= MOST) count = MOST - 1 - ((step - 1) % MOST);
    const isAlike = count > 0 && schedule!.needsAt(step + 1, false, alwaysNeeded) === needs;
    return isAlike ? Math.min(this.#most, count) : 0;
  }

  /** Takes so many passes. @param isTimed whether their time decides how many come next. @param step makes the fused steps. @returns how many */
  async take(
    count: number,
    members: readonly Call[],
    isTimed: boolean,
    step: () => void | Promise<void>,
  ): Promise<number> {
    const began = clock.now();
    const last = members[members.length - 1];
    for (const item of this.#items) {
      if (item === last) await step();
      if (item.timing || members.includes(item)) continue;
      await this.#operators.executeMany(item.instance, count);
    }
    if (!isTimed) {
      this.#most = MOST;
      return count;
    }
    const inTime = Math.floor((count * MILLISECONDS) / (clock.now() - began));
    const most = count < this.#most ? this.#most : 2 * this.#most;
    this.#most = Math.max(1, Math.min(most, inTime, MOST));
    return count;
  }

  /** Those that the loop has. */
  get #passesLeft(): number {
    const { loop } = this.#frame.batch;
    if (typeof loop !== 'object') return Number.POSITIVE_INFINITY;
    return Math.ceil(loop.value(this.#state) as number) - this.#frame.passes;
  }
}

/** Whether an operator is not due in some passes, or may be a part of the fused step, or knows what many executions do. */
const mayBeQuiet = ({ timing, instance: { definition } }: Call): boolean =>
  timing !== null || definition.calls !== undefined || definition.executeMany !== undefined;

/** The first step in which an operator may do something else than in this one, be it as a member of the fused step or by itself. */
function steadyUntil(call: Call, members: readonly Call[]): number {
  const { instance } = call;
  const { definition } = instance;
  const isMember = members.includes(call);
  if (!isMember && !(definition.executeMany && instance.isHostOnly)) return 0;
  if (definition.steadyUntil) return definition.steadyUntil(instance);
  const { variant, doesMore, needs, hostOnly } = definition;
  const varies =
    variant || doesMore || typeof needs === 'function' || typeof hostOnly === 'function';
  return varies ? 0 : Number.POSITIVE_INFINITY;
}
