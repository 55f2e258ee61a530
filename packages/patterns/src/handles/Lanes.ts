import { CallOrder } from './CallOrder.js';

/** Names a queue of calls. */
export type Lane = string | number;

/**
 * Queues of calls. Calls of one lane start in their order; a call that has to wait holds up its own lane only. Calls
 * without a lane form one of their own.
 */
export class Lanes {
  readonly #main = new CallOrder();
  readonly #named = new Map<Lane, CallOrder>();
  readonly #branches: CallOrder[] = [];

  /** The order of a lane, or of calls without one. */
  order(lane?: Lane): CallOrder {
    if (lane === undefined) return this.#main;
    let order = this.#named.get(lane);
    if (!order) {
      order = new CallOrder();
      this.#named.set(lane, order);
    }
    return order;
  }

  /** The order of the calls of one branch of the program. Other branches do not wait for them. */
  branch(): CallOrder {
    const order = new CallOrder();
    this.#branches.push(order);
    return order;
  }

  /** Resolves when no call of a named lane waits any more. */
  async others(): Promise<void> {
    for (const order of this.#named.values()) if (!order.idle) await order.settled();
  }

  /** Resolves when no call waits any more. */
  async settled(): Promise<void> {
    await this.#main.settled();
    for (const order of this.#branches) await order.settled();
    await this.others();
  }
}
