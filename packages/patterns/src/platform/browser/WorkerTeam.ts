import workerCode from 'worker-code';
import { PROTOCOL, Word } from '../../cpu/controlBlock.js';
import type { KernelMessage, MemoryMessage, ServeTask, WorkerMessage } from '../../cpu/serve.js';
import type { Team, TeamEvents, TeamTask } from '../../cpu/Team.js';

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
      const worker = new Worker(url, { name: `corpuscle ${thread}` });
      worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#events.message(data);
      worker.onerror = (event) => {
        Atomics.compareExchange(control, Word.DEAD, 0, thread);
        this.#events.broken(new Error(event.message || 'the worker could not be started'));
      };
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
