import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CorpuscleError, type ErrorCode } from '@corpuscle/core';

/** Worker → main thread, in the order of the requests. */
export type WorkAnswer<Value> =
  | { readonly value: Value }
  | { readonly code: ErrorCode; readonly message: string };

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that answers requests, one after the other. It keeps the process alive while it has work.
 *
 *   ask ─▶ request ─▶ worker (`serve`) ─▶ answer, or an error of ours
 */
export class WorkThread<Request, Value> {
  readonly #worker: Worker;
  readonly #what: string;
  readonly #waiting: Waiting<Value>[] = [];

  /**
   * @param script name of a worker in `dist`
   * @param what what the thread does, for the message when it is lost
   * @returns null where the package has not been built: sources run as they are.
   */
  static open<Request, Value>(script: string, what: string): WorkThread<Request, Value> | null {
    const file = workerScript(script);
    return existsSync(file) ? new WorkThread(file, what) : null;
  }

  private constructor(script: string, what: string) {
    this.#what = what;
    this.#worker = new Worker(script, { execArgv: [] });
    this.#worker.unref();
    this.#worker.on('message', (answer: WorkAnswer<Value>) => {
      const { resolve, reject } = this.#waiting.shift()!;
      if (this.#waiting.length === 0) this.#worker.unref();
      if ('value' in answer) resolve(answer.value);
      else reject(new CorpuscleError(answer.code, answer.message));
    });
    this.#worker.on('error', (error) => this.#fail(error.message));
    this.#worker.on('exit', () => this.#fail('it has ended'));
  }

  /** @param given buffers that are given away: they are empty afterwards. */
  ask(request: Request, given: readonly ArrayBuffer[] = []): Promise<Value> {
    const done = new Promise<Value>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#worker.ref();
    this.#worker.postMessage(request, given);
    return done;
  }

  /** Ends the thread; what it has not done is refused. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(reason: string): void {
    for (const { reject } of this.#waiting.splice(0))
      reject(new CorpuscleError('THREAD_LOST', `the thread that ${this.#what} is lost: ${reason}`));
  }
}

/** Beside the folder of the bundle when built; in dist when the sources are run as they are. */
function workerScript(script: string): string {
  const inSources = import.meta.url.includes('/src/io/thread/');
  return fileURLToPath(
    new URL(inSources ? `../../../dist/${script}` : `../${script}`, import.meta.url),
  );
}
