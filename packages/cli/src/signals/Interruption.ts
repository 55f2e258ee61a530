import { readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/core';
import { type EndSignal, endSignals } from '@corpuscle/core/signals';
import { exitCode } from '../exitCodes.js';
import { SAME } from './ear.js';
import { type Ear, openEar } from './openEar.js';

/** Milliseconds between looks for a file that ends the run. */
const LOOK = 500;

/**
 * Ends a run when the user or the system asks for it:
 *
 *   SIGINT, SIGTERM, SIGHUP, a file `stop` ─▶ the step is finished, epilog, files are closed
 *       └─ another one more than a second later ─▶ the process ends at once; files keep what was written
 *
 * A thread of its own hears them too, while the main thread is inside one long piece of work (`ear.ts`).
 * Under `nohup` a SIGHUP is ignored. The file is in the output folder; it is removed when it is seen, so that the run can go on later.
 */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #tell: (sentence: string) => void;
  #since = Number.POSITIVE_INFINITY;
  readonly #isHangUpIgnored = startedByNohup();

  readonly #stopFile: string;
  readonly #looks: NodeJS.Timeout;
  readonly #ear: Ear | null;

  /**
   * @param tell told why the run ends.
   * @throws CorpuscleError INVALID_VALUE where a file `stop` is there already.
   */
  constructor(output: string, tell: (sentence: string) => void) {
    this.#tell = tell;
    this.#stopFile = path.join(output, 'stop');
    if (isFile(this.#stopFile))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${this.#stopFile} is there, a file that ends runs in this folder: remove it, or choose another folder with --output`,
      );
    this.#looks = setInterval(() => this.#look(), LOOK);
    this.#looks.unref();
    for (const name of endSignals) process.on(name, this.#onSignal);
    this.#ear = openEar(this.#isHangUpIgnored, (hadSteps) => {
      this.#tell(
        hadSteps
          ? 'interrupted within a step: files keep what was written'
          : 'interrupted while the run was set up: nothing has been computed',
      );
      process.exit(exitCode.interrupted);
    });
  }

  /** Aborted after the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Resolves when signals are heard, whatever the main thread does. */
  async ready(): Promise<void> {
    await this.#ear?.ready();
  }

  /** From now on the run has steps to complete before it ends. */
  beginSteps(): void {
    this.#ear?.beginSteps();
  }

  /** Listens no longer. */
  close(): void {
    clearInterval(this.#looks);
    this.#ear?.close();
    for (const name of endSignals) process.off(name, this.#onSignal);
  }

  readonly #onSignal = (name: EndSignal | NodeJS.Signals): void => {
    if (this.#ear?.hasEnded || (name === 'SIGHUP' && this.#isHangUpIgnored)) return;
    const now = performance.now();
    if (this.signal.aborted) {
      if (now - this.#since > SAME) process.exit(exitCode.interrupted);
      return;
    }
    this.#since = now;
    this.#end('interrupted');
  };

  #look(): void {
    if (this.signal.aborted || !isFile(this.#stopFile)) return;
    rmSync(this.#stopFile, { force: true });
    this.#end(`${this.#stopFile} was found`);
  }

  #end(why: string): void {
    this.#controller.abort();
    this.#tell(`${why}: finishing the step and closing files`);
  }
}

/** False too where a part of the name is no folder: the run tells that itself. */
function isFile(name: string): boolean {
  try {
    return statSync(name).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether the process was started by `nohup`. Node forgets that SIGHUP was ignored, so what else nohup leaves is looked for: its
 * name as the last command of the shell, a standard input that is /dev/null and cannot be read, an output to nohup.out.
 */
function startedByNohup(): boolean {
  if (process.platform === 'win32') return false;
  if (path.basename(process.env._ ?? '') === 'nohup') return true;
  try {
    const flags = /flags:\s*(\d+)/.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1];
    const isWriteOnly = (Number.parseInt(flags ?? '0', 8) & 3) === 1;
    if (isWriteOnly && readlinkSync('/proc/self/fd/0') === '/dev/null') return true;
    return path.basename(readlinkSync('/proc/self/fd/1')) === 'nohup.out';
  } catch {
    return false; // no /proc
  }
}
