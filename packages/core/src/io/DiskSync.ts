import { path } from '#core/platform';
import { sync } from './chunkWrites.js';
import { syncFolder } from './syncFolder.js';

/** Milliseconds after which written bytes are made to survive a power cut. */
const INTERVAL = 30_000;

/** Has the disk take what an open file has, and the name of the file, with one sync at a time. */
export class DiskSync {
  readonly #descriptor: number;
  readonly #folder: string;
  readonly #onFailure: (cause: unknown) => void;
  #last = performance.now();
  #underWay: Promise<void> | null = null;
  #isNameSynced = false;
  #isClosed = false;

  /** @param onFailure is told why the disk takes nothing. */
  constructor(descriptor: number, file: string, onFailure: (cause: unknown) => void) {
    this.#descriptor = descriptor;
    this.#folder = path.dirname(file);
    this.#onFailure = onFailure;
  }

  /** Whether the last one was long ago. */
  get isDue(): boolean {
    return performance.now() - this.#last >= INTERVAL;
  }

  /** Calls made while a sync is under way wait for another one, which covers what was written since. */
  async run(): Promise<void> {
    await this.#underWay;
    if (this.#isClosed) return;
    this.#last = performance.now();
    const underWay = sync(this.#descriptor)
      .then(async () => {
        if (!this.#isNameSynced) await syncFolder(this.#folder);
        this.#isNameSynced = true;
      })
      .catch(this.#onFailure)
      .finally(() => {
        if (this.#underWay === underWay) this.#underWay = null;
      });
    this.#underWay = underWay;
    await underWay;
  }

  /** Waits for the sync under way; there is none afterwards, so that the file may be closed. */
  async close(): Promise<void> {
    await this.#underWay;
    this.#isClosed = true;
  }
}
