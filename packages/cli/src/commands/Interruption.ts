import { readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';

/** Milliseconds in which a second signal is the same wish: pnpm adds a SIGTERM to the SIGINT of the terminal. */
const SAME = 1000;
/** Milliseconds between looks for a file that ends the run. */
const LOOK = 500;

type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * Ends a run when the user or the system asks for it:
 *
 *   SIGINT, SIGTERM, SIGHUP, a file `stop` ─▶ the step is finished, epilog, files are closed
 *       └─ another one more than a second later ─▶ the process ends at once; files keep what was written
 *
 * Under `nohup` a SIGHUP is ignored. The file is in the output folder; it is removed when it is seen, so that the run can go on later.
 */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #onFirst: (why: string) => void;
  #since = Number.POSITIVE_INFINITY;
  readonly #signals: readonly EndSignal[];
  readonly #isHangUpIgnored = startedByNohup();

  readonly #stopFile: string;
  readonly #looks: NodeJS.Timeout;

  /**
   * @param onFirst told once why the run ends, at the first signal.
   * @throws CorpuscleError INVALID_VALUE where a file `stop` is there already.
   */
  constructor(output: string, onFirst: (why: string) => void) {
    this.#onFirst = onFirst;
    this.#stopFile = path.join(output, 'stop');
    if (isFile(this.#stopFile))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${this.#stopFile} is there, a file that ends runs in this folder: remove it, or choose another folder with --output`,
      );
    this.#looks = setInterval(() => this.#look(), LOOK);
    this.#looks.unref();
    this.#signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const name of this.#signals) process.on(name, this.#onSignal);
  }

  /** Aborted after the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Listens no longer. */
  close(): void {
    clearInterval(this.#looks);
    for (const name of this.#signals) process.off(name, this.#onSignal);
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    if (name === 'SIGHUP' && this.#isHangUpIgnored) return;
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
    this.#onFirst(why);
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
