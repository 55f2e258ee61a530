import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { PROTOCOL } from './controlBlock.js';
import type { NameMessage } from './MainWork.js';
import type { KernelMessage, MemoryMessage, WorkerMessage } from './serve.js';
import type { PortTask } from './serveFromPort.js';
import type { Team, TeamEvents, TeamTask } from './Team.js';
import type { WatchTask } from './watch.js';

/** Teams whose threads may have said what the event loop has not seen yet. */
const teams = new Set<WorkerTeam>();

/** Work that was ended leaves nothing behind that Node waits for: the process would end before it learns why. */
const drainAll = (): void => {
  for (const team of teams) team.drain();
};

/**
 * The worker threads of a pool: piscina owns them, each has one task for life and a port of its own. One thread more, which
 * sleeps, watches whether they live and get on.
 */
export class WorkerTeam implements Team {
  readonly #events: TeamEvents;
  #piscina: Piscina | null = null;
  #ports: MessagePort[] = [];
  #watch: MessagePort | null = null;

  constructor(events: TeamEvents) {
    this.#events = events;
  }

  get started(): boolean {
    return this.#piscina !== null;
  }

  /** Starts threads 1 … threads − 1 and the watching one, and tells them what there is. They do not keep the process alive. */
  start(
    { threads, control, limit }: TeamTask,
    told: readonly (KernelMessage | MemoryMessage)[],
    names: readonly NameMessage[],
  ): void {
    const workers = threads - 1;
    const lives: MessagePort[] = [];
    // minThreads = maxThreads starts all workers at once; atomics would put piscina's own wait before our serving.
    const piscina = new Piscina({
      filename: workerScript(),
      minThreads: workers + 1,
      maxThreads: workers + 1,
      concurrentTasksPerWorker: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      atomics: 'disabled',
      execArgv: [],
    });
    this.#piscina = piscina;
    if (teams.size === 0) process.on('beforeExit', drainAll);
    teams.add(this);
    piscina.on('error', this.#events.broken);
    for (let thread = 1; thread <= workers; thread++) {
      const port = this.#newPort(told);
      const { port1: life, port2: watched } = new MessageChannel();
      lives.push(watched);
      const task: PortTask = { control, port, life, thread, threads, protocol: PROTOCOL };
      piscina.run(task, { transferList: [port, life] }).catch(this.#events.broken);
    }
    const port = this.#newPort(told);
    this.#watch = this.#ports.at(-1)!;
    for (const message of names) this.#watch.postMessage(message);
    const task: WatchTask = { control, threads, lives, port, limit, protocol: PROTOCOL };
    piscina.run(task, { transferList: [port, ...lives] }).catch(this.#events.broken);
  }

  /** Keeps one end of a channel, and gives the other, where what there is has been told. */
  #newPort(told: readonly (KernelMessage | MemoryMessage)[]): MessagePort {
    const { port1, port2 } = new MessageChannel();
    for (const message of told) port1.postMessage(message);
    port1.on('message', this.#events.message);
    port1.unref();
    this.#ports.push(port1);
    return port2;
  }

  tell(message: KernelMessage | MemoryMessage): void {
    for (const port of this.#ports) port.postMessage(message);
  }

  /** Tells the watching thread of a name. */
  tellName(message: NameMessage): void {
    this.#watch?.postMessage(message);
  }

  /** Reports the messages that have come but that the event loop has not seen yet. */
  drain(): void {
    for (const port of this.#ports) {
      for (;;) {
        const received = receiveMessageOnPort(port) as { message: WorkerMessage } | undefined;
        if (!received) break;
        this.#events.message(received.message);
      }
    }
  }

  /** Whether the process lives on for the sake of a message to come. */
  keepAlive(needed: boolean): void {
    for (const port of this.#ports) {
      if (needed) port.ref();
      else port.unref();
    }
  }

  /** Waits for the workers to end, which the control block must have told them to. */
  async close(): Promise<void> {
    if (teams.delete(this) && teams.size === 0) process.off('beforeExit', drainAll);
    for (const port of this.#ports) port.close();
    await this.#piscina?.destroy();
  }
}

/** Beside the folder of the bundle when built; in dist when the sources are run as they are. */
function workerScript(): string {
  const inSources = import.meta.url.includes('/src/cpu/');
  return fileURLToPath(
    new URL(inSources ? '../../dist/worker.cjs' : '../worker.cjs', import.meta.url),
  );
}
