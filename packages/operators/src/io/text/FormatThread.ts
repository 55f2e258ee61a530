import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CorpuscleError, type ErrorCode } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/** Main thread → worker: a frame for a LAMMPS dump. */
export interface FormatRequest {
  readonly frame: ParticleFrame;
  readonly columns: readonly string[];
}

/** Worker → main thread, in the order of the requests. */
export type FormatAnswer =
  | { readonly pieces: readonly Uint8Array[] }
  | { readonly code: ErrorCode; readonly message: string };

interface Waiting {
  readonly resolve: (pieces: readonly Uint8Array[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that makes texts of frames, one after the other. It keeps the process alive while it has work. */
export class FormatThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];

  /** @returns null where the package has not been built: sources run as they are. */
  static open(): FormatThread | null {
    const script = workerScript();
    return existsSync(script) ? new FormatThread(script) : null;
  }

  private constructor(script: string) {
    this.#worker = new Worker(script, { execArgv: [] });
    this.#worker.unref();
    this.#worker.on('message', (answer: FormatAnswer) => {
      const { resolve, reject } = this.#waiting.shift()!;
      if (this.#waiting.length === 0) this.#worker.unref();
      if ('pieces' in answer) resolve(answer.pieces);
      else reject(new CorpuscleError(answer.code, answer.message));
    });
    this.#worker.on('error', (error) => this.#fail(error.message));
    this.#worker.on('exit', () => this.#fail('it has ended'));
  }

  /** The text of a frame in pieces. The arrays of the frame are given away: they are empty afterwards. */
  format(request: FormatRequest): Promise<readonly Uint8Array[]> {
    const done = new Promise<readonly Uint8Array[]>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#worker.ref();
    this.#worker.postMessage(request, buffersOf(request.frame));
    return done;
  }

  /** Ends the thread; what it has not done is refused. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(reason: string): void {
    for (const { reject } of this.#waiting.splice(0))
      reject(new CorpuscleError('THREAD_LOST', `the thread that writes frames is lost: ${reason}`));
  }
}

function buffersOf(frame: ParticleFrame): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const value of Object.values(frame))
    if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
  return [...buffers];
}

/** Beside the bundle when built; in dist when the sources are run as they are. */
function workerScript(): string {
  const inSources = import.meta.url.includes('/src/io/text/');
  return fileURLToPath(
    new URL(inSources ? '../../../dist/formatWorker.cjs' : './formatWorker.cjs', import.meta.url),
  );
}
