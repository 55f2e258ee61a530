import type { SimulationState } from '../SimulationState.js';
import type { BranchLane } from './OperatorCalls.js';

/**
 * The state as the operators of a branch see it. All is that of the program but three things: calls go through the context of the
 * branch, loops inside the branch have schedules of their own, and what it says waits until the branches before it have spoken.
 */
export class BranchState {
  readonly view: SimulationState;
  readonly #state: SimulationState;
  readonly #lane: BranchLane | undefined;
  /** What it has said since it began; null while it does not run. */
  #said: string[] | null = null;

  constructor(state: SimulationState, lane: BranchLane | undefined) {
    this.#state = state;
    this.#lane = lane;
    const own = {
      context: lane ? lane.context : state.context,
      schedule: null as SimulationState['schedule'],
      say: (text: string) => (this.#said ? void this.#said.push(text) : state.say(text)),
    };
    this.view = new Proxy(state, {
      get: (target, key, receiver) => Reflect.get(isOwn(own, key) ? own : target, key, receiver),
      set: (target, key, value) =>
        key === 'schedule' ? Reflect.set(own, key, value) : Reflect.set(target, key, value),
    });
  }

  begin(): void {
    this.#said = [];
    this.#lane?.begin();
  }

  /** Resolves when all its calls have been made. */
  async end(): Promise<void> {
    await this.#lane?.end();
  }

  /** Says what the branch has said, in its turn. */
  tell(): void {
    const said = this.#said ?? [];
    this.#said = null;
    for (const text of said) this.#state.say(text);
  }
}

/** A branch without a loop of its own has the schedule of the program. */
const isOwn = (own: { readonly schedule: unknown }, key: PropertyKey): boolean =>
  key === 'schedule' ? own.schedule !== null : key === 'context' || key === 'say';
