import type { Grid } from '@corpuscle/core';
import { copyParticles, type ExecutionContext } from '@corpuscle/patterns';
import { blocksOf, type GridField } from '../frames/gridFrame.js';
import { FrameQueue } from '../thread/FrameQueue.js';
import { streamedFields } from './quantized.js';

/** Which part of the time of the run frames may take. */
const SHARE = 0.05;

/** What a stream is made with. */
export interface FrameStreamOptions {
  /** Sends a frame (`readQuantized`); resolves when all viewers have it. */
  send(bytes: Uint8Array): Promise<void>;
  /** Frames a second at most. Default 30. */
  readonly rate?: number;
}

/** Where a run is. */
export interface StreamedMoment {
  readonly step: number;
  readonly time: number;
  /** Names of the particle types. */
  readonly species: readonly string[];
}

/**
 * Frames of a run for those who look at it. One is on its way at a time, and a run never waits for it: steps pass by unseen until
 * it has arrived, and while frames have taken more than a twentieth of the time.
 *
 *   offer ─▶ copy, maybe of a device ─▶ quantized, in a thread if large ─▶ send ─▶ the next offer is taken
 */
export class FrameStream {
  /** Frames on their way or sent, and offers that were not taken. */
  taken = 0;
  passed = 0;
  /** The number of each particle that comes along; null for none. */
  field: string | null = null;
  readonly #options: FrameStreamOptions;
  readonly #queue = new FrameQueue();
  #isBusy = false;
  #nextAt = 0;

  constructor(options: FrameStreamOptions) {
    this.#options = options;
  }

  /** Between two steps. @returns whether the frame is taken. @throws CorpuscleError CLOSED, after the context is */
  offer(grid: Grid, context: ExecutionContext, { step, time, species }: StreamedMoment): boolean {
    const begin = performance.now();
    if (this.#isBusy || begin < this.#nextAt) {
      this.passed++;
      return false;
    }
    this.#isBusy = true;
    this.taken++;
    const field = streamedFields.find((name) => name === this.field) ?? null;
    const fields: GridField[] = field ? [field.startsWith('f') ? 'force' : 'velocity'] : [];
    const copy = copyParticles(grid, context, blocksOf(fields));
    void this.#queue.push(
      copy,
      grid.count,
      {
        ...{ kind: 'frame', step, time, group: 'all', bonds: null },
        options: { fields, species },
        scale: { length: 1, time: 1 },
        encoder: { name: 'quantized', option: field },
      },
      (bytes) => {
        // Threads that make frames take time from those of the run where both are on the CPU.
        if (!context.device) this.#rest((performance.now() - begin) / context.threads);
        void this.#send(bytes as Uint8Array);
      },
    );
    const { rate = 30 } = this.#options;
    this.#nextAt = Math.max(this.#nextAt, begin + 1000 / rate);
    this.#rest(performance.now() - begin);
    return true;
  }

  /** Resolves when no frame is on its way to be sent, and ends the threads that make them. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  /** After so many milliseconds of work no frame is taken for long enough. */
  #rest(work: number): void {
    this.#nextAt = Math.max(this.#nextAt, performance.now() + work / SHARE);
  }

  async #send(bytes: Uint8Array): Promise<void> {
    await this.#options.send(bytes);
    this.#isBusy = false;
  }
}
