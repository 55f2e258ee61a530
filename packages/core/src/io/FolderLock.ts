import { CorpuscleError } from '@corpuscle/functor/error';
import {
  host,
  hostname,
  path,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from '#core/platform';
import { EndingSet } from './EndingSet.js';
import { LOCK_NAME, unwritable } from './outputErrors.js';

/** Bytes of a lock at most. A longer file is no lock. */
const LONGEST = 4096;
/** Milliseconds between signs of life. */
const SIGN_OF_LIFE = 30_000;
/** Milliseconds without one after which a run on another host is taken for dead. */
const SILENCE = 600_000;
/** Milliseconds that another process may need to write what its lock says. */
const WRITING = 50;

/** The process that writes into a folder, as its lock says. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in ticks of the kernel since it booted; null where that cannot be known. */
  readonly start: string | null;
  /** Which boot of the host: a process id means something until the next one. */
  readonly boot: string | null;
}

/** Locks that this process holds: they go when it exits. */
const held = new EndingSet<string>((file) => rmSync(file, { force: true }));

/**
 * Makes one run at a time write into a folder. A lock of a run that is dead is taken over, also when another process, or the same
 * number in a container that was started again, has its process id now. Processes of other hosts cannot be seen: theirs are taken
 * over after ten minutes without a sign of life.
 *
 * @throws CorpuscleError OUTPUT_FAILED naming the process that holds it; UNWRITABLE
 */
export class FolderLock {
  readonly #file: string;
  readonly #owner = ownerOf(host.identity());
  #lastSign = performance.now();

  constructor(folder: string) {
    this.#file = path.join(folder, LOCK_NAME);
    for (let tries = 0; !this.#take(); tries++) {
      let owner = readOwner(this.#file);
      if (!owner) {
        host.pause(WRITING);
        owner = readOwner(this.#file);
      }
      if (tries > 8 || (owner && isAlive(owner, this.#file))) throw this.#refusal(owner);
      this.#remove();
    }
    held.add(this.#file);
  }

  /** Gives a sign of life from time to time. @returns an error when another run has taken the folder meanwhile. */
  look(): CorpuscleError | null {
    const owner = readOwner(this.#file);
    if (owner && (owner.pid !== this.#owner.pid || owner.start !== this.#owner.start))
      return this.#refusal(owner);
    const now = performance.now();
    if (now - this.#lastSign < SIGN_OF_LIFE) return null;
    this.#lastSign = now;
    try {
      utimesSync(this.#file, new Date(), new Date());
    } catch {
      // The folder has been removed: the files in it say so.
    }
    return null;
  }

  /** Lets others write. */
  release(): void {
    if (!held.delete(this.#file)) return;
    rmSync(this.#file, { force: true });
  }

  /** @returns false when there is a lock. */
  #take(): boolean {
    try {
      writeFileSync(this.#file, `${JSON.stringify(this.#owner)}\n`, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw unwritable(this.#file, error);
    }
  }

  #remove(): void {
    try {
      rmSync(this.#file, { force: true });
    } catch (cause) {
      throw unwritable(this.#file, cause); // a folder
    }
  }

  #refusal(owner: Owner | null): CorpuscleError {
    if (JSON.stringify(owner) === JSON.stringify(this.#owner))
      return new CorpuscleError(
        'OUTPUT_FAILED',
        `${path.dirname(this.#file)} is being written by another run of this program: wait for that run, or give each an outputDirectory of its own`,
      );
    const by = owner ? `process ${owner.pid} on ${owner.host}` : 'another process';
    return new CorpuscleError(
      'OUTPUT_FAILED',
      `${path.dirname(this.#file)} is being written by a run, ${by}: choose another folder with --output, or remove ${LOCK_NAME} there if that run is dead`,
    );
  }
}

function ownerOf(pid: number): Owner {
  return { pid, host: hostname, start: startOf(pid), boot: bootId() };
}

/**
 * Field 22 of /proc/PID/stat; the name in field 2 may have spaces and parentheses. Null for a process that has ended, also where
 * its parent has not asked for its exit code yet (state Z in field 3).
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /[ZX]/.test(fields[0]!) ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

/** Null for a lock that says nothing: its process died while it wrote it. */
function readOwner(file: string): Owner | null {
  try {
    const status = statSync(file);
    if (!status.isFile() || status.size > LONGEST) return null;
    const owner = JSON.parse(readFileSync(file, 'utf8')) as Partial<Owner>;
    const { pid, host, start = null, boot = null } = owner;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host, start, boot } : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, host: name, start, boot }: Owner, file: string): boolean {
  if (name !== hostname) return Date.now() - (modifiedAt(file) ?? 0) < SILENCE;
  if (boot !== null && boot !== bootId()) return false;
  if (start !== null) return startOf(pid) === start;
  return host.isRunning(pid);
}

const modifiedAt = (file: string): number | undefined =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs;
