import { growMemory } from '@corpuscle/functor/wasm';
import {
  abandon,
  addTime,
  HEAP_PAGE,
  OPEN,
  participate,
  type RunKernel,
  SPIN_MILLISECONDS,
  startTime,
  Word,
} from './controlBlock.js';
import { instantiateKernel, type LoadedCode, type ThreadHeap } from './instantiateKernel.js';

/** What a worker is given when it starts. */
export interface ServeTask {
  readonly control: Int32Array;
  readonly thread: number;
  readonly threads: number;
  readonly protocol: number;
}

/** Main thread → worker: a kernel, always sent before the first job that uses it. */
export interface KernelMessage {
  readonly kind: 'kernel';
  readonly id: number;
  readonly label: string;
  readonly code: LoadedCode;
}

/** Main thread → worker, before the first kernel. */
export interface MemoryMessage extends ThreadHeap {
  readonly kind: 'memory';
}

/** What a worker has been told so far. */
export class Told {
  readonly kernels = new Map<number, KernelMessage>();
  heap: ThreadHeap | null = null;

  hear(message: KernelMessage | MemoryMessage): void {
    if (message.kind === 'memory') this.heap = message;
    else this.kernels.set(message.id, message);
  }
}

/** Worker → main thread; that one has died, or works without end, is told by the watching thread. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'finished'; readonly generation: number }
  | { readonly kind: 'died'; readonly thread: number }
  | {
      readonly kind: 'endless';
      readonly work: string;
      readonly operator: string;
      readonly seconds: number;
    }
  | {
      readonly kind: 'failed';
      readonly kernel: number;
      readonly message: string;
      readonly stack: string;
    };

/**
 * Serves jobs until told to stop. Blocks the worker: its event loop has nothing else to do. Where a kernel has not been told of
 * yet, it leaves the job to the others and yields the kernel's number; the driver goes on when `told` has it.
 */
export function* serve(
  { control, thread, threads }: ServeTask,
  told: Told,
  send: (message: WorkerMessage) => void,
): Generator<number, void> {
  const kernels: RunKernel[] = [];
  let seen = Atomics.load(control, Word.GENERATION);
  let heapPages = 0;

  const kernel = (id: number): RunKernel => {
    kernels[id] ??= instantiateKernel(told.kernels.get(id)!.code, told.heap!, kernel);
    return kernels[id];
  };

  Atomics.add(control, Word.PRESENT, 1);
  send({ kind: 'ready' });
  while (Atomics.load(control, Word.STOP) === 0) {
    if (join(control)) {
      const background = Atomics.load(control, Word.BACKGROUND) === 1;
      const generation = Atomics.load(control, Word.GENERATION);
      const id = Atomics.load(control, Word.KERNEL);
      const isTold = told.kernels.has(id);
      try {
        if (isTold) {
          const pages = Atomics.load(control, Word.HEAP_PAGES);
          if (pages !== heapPages) seeAll(told.heap!, pages);
          heapPages = pages;
          const run = kernel(id);
          const start = startTime(control);
          participate(control, threads, thread, run);
          addTime(control, threads, thread, start);
        }
      } catch (error) {
        abandon(control, threads);
        const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
        send({ kind: 'failed', kernel: id, message, stack });
        Atomics.add(control, Word.FAILED, 1);
      }
      const isOpen = (Atomics.load(control, Word.ACTIVE) & OPEN) !== 0;
      if (isTold && isOpen) Atomics.and(control, Word.ACTIVE, ~OPEN); // nothing is left to claim
      const last = leave(control);
      if (last && background) send({ kind: 'finished', generation });
      if (!isTold) {
        yield id;
        continue;
      }
    }
    seen = waitForJob(control, seen);
  }
}

/** Makes this thread's `memory.buffer` as long as the heap has become. */
function seeAll({ memory, addresses }: ThreadHeap, pages: number): void {
  if (memory.buffer.byteLength !== pages * HEAP_PAGE) growMemory(memory, addresses, 0);
}

/** Enters the open job, if there is one. */
function join(control: Int32Array): boolean {
  for (;;) {
    const active = Atomics.load(control, Word.ACTIVE);
    if ((active & OPEN) === 0) return false;
    if (Atomics.compareExchange(control, Word.ACTIVE, active, active + 1) === active) return true;
  }
}

/** Leaves a job; true for the last to leave one that is closed. */
function leave(control: Int32Array): boolean {
  const last = Atomics.sub(control, Word.ACTIVE, 1) === 1;
  if (last && Atomics.load(control, Word.WAITING) === 1) Atomics.notify(control, Word.ACTIVE);
  return last;
}

/** Spins briefly, then sleeps, until the generation differs from the one seen; returns the new one. */
function waitForJob(control: Int32Array, seen: number): number {
  const deadline = performance.now() + SPIN_MILLISECONDS;
  for (;;) {
    for (let spin = 0; spin < 64; spin++) {
      const now = Atomics.load(control, Word.GENERATION);
      if (now !== seen) return now;
    }
    if (performance.now() > deadline) break;
  }
  Atomics.add(control, Word.SLEEPING, 1);
  Atomics.wait(control, Word.GENERATION, seen);
  Atomics.sub(control, Word.SLEEPING, 1);
  return Atomics.load(control, Word.GENERATION);
}
