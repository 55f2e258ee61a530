import type { CallOrder } from '../handles/CallOrder.js';
import type { Lane } from '../handles/Lanes.js';
import type { ExecutionContext } from './ExecutionContext.js';

/** A context whose calls go, between `begin` and `end`, to a lane of their own. @internal */
export interface ContextBranch {
  readonly context: ExecutionContext;
  begin(): void;
  /** Resolves when none of its calls waits any more; what they compute may still be under way. */
  end(): Promise<void>;
}

/** The lane of a branch of the program; while it is closed, calls of the branch are in the lane of the program. */
export class BranchLane {
  readonly name: Lane;
  readonly #order: CallOrder;
  #isOpen = false;

  constructor(name: Lane, order: CallOrder) {
    this.name = name;
    this.#order = order;
  }

  /** The order of its calls; null where they are those of the program. */
  get order(): CallOrder | null {
    return this.#isOpen ? this.#order : null;
  }

  begin(): void {
    this.#isOpen = true;
  }

  async end(): Promise<void> {
    await this.#order.settled();
    this.#isOpen = false;
  }
}
