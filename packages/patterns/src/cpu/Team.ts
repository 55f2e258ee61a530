import type { NameMessage } from './MainWork.js';
import type { KernelMessage, MemoryMessage, ServeTask, WorkerMessage } from './serve.js';

/** Whom a team reports to. */
export interface TeamEvents {
  message(message: WorkerMessage): void;
  /** A worker has died or could not start. */
  broken(error: unknown): void;
}

/** What a team works with. */
export interface TeamTask extends Pick<ServeTask, 'threads' | 'control'> {
  /** Seconds after which work without progress is ended; Infinity: it is only told of. */
  readonly limit: number;
}

/** The worker threads of a pool, of Node or of a page. */
export interface Team {
  readonly started: boolean;
  /** Starts threads 1 … threads − 1, and tells them what there is. They do not keep the process alive. */
  start(
    task: TeamTask,
    told: readonly (KernelMessage | MemoryMessage)[],
    names: readonly NameMessage[],
  ): void;
  tell(message: KernelMessage | MemoryMessage): void;
  /** Tells a watching thread, where there is one, of a name. */
  tellName(message: NameMessage): void;
  /** Reports the messages that have come but that the event loop has not seen yet, where that can be done. */
  drain(): void;
  /** Whether the process lives on for the sake of a message to come. */
  keepAlive(needed: boolean): void;
  /** Waits for the workers to end, which the control block must have told them to. */
  close(): Promise<void>;
}
