import type { NeighbourUpdate, PatternHandle } from '@corpuscle/patterns';

/** A list update and the step in which it was asked for. */
export interface DatedUpdate {
  readonly step: number;
  readonly update: NeighbourUpdate;
}

/** List updates of a run. On a device they are known to be done long after the call: nobody waits, they are counted then. */
export class PendingUpdates {
  readonly #waiting: { readonly step: number; readonly update: PatternHandle<NeighbourUpdate> }[] =
    [];
  /** Lists built so far. */
  rebuilds: number;
  /** The skin of the latest lists, where the engine has tuned it. */
  tunedSkin: number | undefined;

  constructor(rebuilds: number) {
    this.rebuilds = rebuilds;
  }

  add(step: number, update: PatternHandle<NeighbourUpdate>): void {
    this.#waiting.push({ step, update });
  }

  /** Takes out the oldest if it is done. */
  takeDone(): DatedUpdate | null {
    if (!this.#waiting[0]?.update.done) return null;
    const { step, update } = this.#waiting.shift()!;
    const { value } = update;
    if (value.rebuilt) this.rebuilds++;
    this.tunedSkin = value.tunedSkin;
    return { step, update: value };
  }

  /** Waits for all. */
  async settled(): Promise<void> {
    await this.#waiting.at(-1)?.update;
  }
}
