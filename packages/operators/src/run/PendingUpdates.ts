import type { NeighbourUpdate, PatternHandle } from '@corpuscle/patterns';

/** Updates there is room for at first; a power of two, and twice as many whenever they do not suffice. */
const ROOM = 256;

/**
 * List updates of a run. On a device they are known to be done long after the call: nobody waits, they are counted then.
 * There is one for every step, hundreds of them under way, so that they wait in a ring and no objects are made:
 *
 *   [ · · · | oldest … latest | · · ]     at #first … #first + #count − 1, modulo the room there is
 */
export class PendingUpdates {
  #steps: number[] = new Array(ROOM).fill(0);
  #updates: (PatternHandle<NeighbourUpdate> | null)[] = new Array(ROOM).fill(null);
  #first = 0;
  #count = 0;
  /** Lists built so far. */
  rebuilds: number;
  /** The skin of the latest lists, where the engine has tuned it. */
  tunedSkin: number | undefined;
  /** The step in which the update that was last taken out was asked for. */
  takenStep = 0;

  constructor(rebuilds: number) {
    this.rebuilds = rebuilds;
  }

  add(step: number, update: PatternHandle<NeighbourUpdate>): void {
    if (this.#count === this.#updates.length) this.#grow();
    const at = (this.#first + this.#count++) & (this.#updates.length - 1);
    this.#steps[at] = step;
    this.#updates[at] = update;
  }

  /** Takes out the oldest if it is done; `takenStep` is its step. */
  takeDone(): NeighbourUpdate | null {
    const at = this.#first;
    const oldest = this.#updates[at]!;
    if (!oldest?.done) return null;
    const { value } = oldest;
    this.takenStep = this.#steps[at]!;
    this.#updates[at] = null;
    this.#first = (at + 1) & (this.#updates.length - 1);
    this.#count--;
    if (value.rebuilt) this.rebuilds++;
    this.tunedSkin = value.tunedSkin;
    return value;
  }

  #grow(): void {
    const first = this.#first;
    const { length } = this.#updates;
    this.#steps = [...this.#steps.slice(first), ...this.#steps.slice(0, first)];
    this.#updates = [...this.#updates.slice(first), ...this.#updates.slice(0, first)];
    for (let k = 0; k < length; k++) {
      this.#steps.push(0);
      this.#updates.push(null);
    }
    this.#first = 0;
  }

  /** Waits for all. */
  async settled(): Promise<void> {
    const latest = (this.#first + this.#count - 1) & (this.#updates.length - 1);
    if (this.#count > 0) await this.#updates[latest];
  }
}
