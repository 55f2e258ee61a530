import type { NeighbourUpdate, PatternHandle } from '@corpuscle/patterns';

/** A list update and the step in which it was asked for. */
export interface DatedUpdate {
  readonly step: number;
  readonly update: NeighbourUpdate;
}

/** Updates taken out of the queue before it is made shorter. */
const MOST_TAKEN = 256;

/**
 * List updates of a run. On a device they are known to be done long after the call: nobody waits, they are counted then.
 * There is one for every step, hundreds of them under way, so that they wait in two arrays and no objects are made.
 */
export class PendingUpdates {
  #steps: number[] = [];
  #updates: PatternHandle<NeighbourUpdate>[] = [];
  /** How many have been taken out. */
  #taken = 0;
  /** Lists built so far. */
  rebuilds: number;
  /** The skin of the latest lists, where the engine has tuned it. */
  tunedSkin: number | undefined;

  constructor(rebuilds: number) {
    this.rebuilds = rebuilds;
  }

  add(step: number, update: PatternHandle<NeighbourUpdate>): void {
    this.#steps.push(step);
    this.#updates.push(update);
  }

  /** Takes out the oldest if it is done. */
  takeDone(): DatedUpdate | null {
    const oldest = this.#updates[this.#taken];
    if (!oldest?.done) return null;
    const step = this.#steps[this.#taken]!;
    const { value } = oldest;
    this.#taken++;
    if (this.#taken === MOST_TAKEN) this.#shorten();
    if (value.rebuilt) this.rebuilds++;
    this.tunedSkin = value.tunedSkin;
    return { step, update: value };
  }

  #shorten(): void {
    this.#steps = this.#steps.slice(this.#taken);
    this.#updates = this.#updates.slice(this.#taken);
    this.#taken = 0;
  }

  /** Waits for all. */
  async settled(): Promise<void> {
    if (this.#taken < this.#updates.length) await this.#updates.at(-1);
  }
}
