import workerCode from 'worker-code';
import { PROTOCOL, Word } from '../../cpu/controlBlock.js';
import type { KernelMessage, MemoryMessage, ServeTask, WorkerMessage } from '../../cpu/serve.js';
import type { Team, TeamEvents, TeamTask } from '../../cpu/Team.js';

const NOT_STARTED =
  "a worker could not be started: the page's content security policy must allow worker-src blob: and the trusted type policy corpuscle, or give threads: 1";

/** Says that an address may be that of a script, where a page asks for it. */
interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, policy: ScriptPolicy): ScriptPolicy;
}
const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
let policy: ScriptPolicy | undefined;

/** null where the page does not allow it. */
function workerOf(url: string, name: string): Worker | null {
  try {
    policy ??= trustedTypes?.createPolicy('corpuscle', { createScriptURL: (one) => one });
    return new Worker(policy?.createScriptURL(url) ?? url, { name });
  } catch {
    return null;
  }
}

/**
 * The worker threads of a pool in a page. Their script is text in this module: bundlers need not know of it, and a content
 * security policy must allow `worker-src blob:`. Nothing watches over work without end: closing the page ends it.
 */
export class WorkerTeam implements Team {
  readonly #events: TeamEvents;
  #workers: Worker[] | null = null;

  constructor(events: TeamEvents) {
    this.#events = events;
  }

  get started(): boolean {
    return this.#workers !== null;
  }

  start({ threads, control }: TeamTask, told: readonly (KernelMessage | MemoryMessage)[]): void {
    this.#workers = [];
    const url = URL.createObjectURL(new Blob([workerCode], { type: 'text/javascript' }));
    for (let thread = 1; thread < threads; thread++) {
      const lose = (message: string) => {
        Atomics.compareExchange(control, Word.DEAD, 0, thread);
        this.#events.broken(new Error(message || NOT_STARTED));
      };
      const worker = workerOf(url, `corpuscle ${thread}`);
      if (!worker) {
        lose(NOT_STARTED);
        return;
      }
      worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#events.message(data);
      worker.onerror = (event) => lose(event.message);
      // What there is first: the task starts a loop that leaves no time for messages.
      for (const message of told) worker.postMessage(message);
      const task: ServeTask = { control, thread, threads, protocol: PROTOCOL };
      worker.postMessage(task);
      this.#workers.push(worker);
    }
  }

  tell(message: KernelMessage | MemoryMessage): void {
    for (const worker of this.#workers ?? []) worker.postMessage(message);
  }

  tellName(): void {}

  drain(): void {}

  keepAlive(): void {}

  async close(): Promise<void> {
    for (const worker of this.#workers ?? []) worker.terminate();
  }
}
