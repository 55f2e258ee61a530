import { CorpuscleError, type SharedHeap } from '@corpuscle/core';
import type { RunKernel } from './controlBlock.js';
import { instantiateKernel, type LoadedCode, type ThreadHeap } from './instantiateKernel.js';
import type { Kernel, KernelCode } from './Kernel.js';
import type { KernelMessage, MemoryMessage } from './serve.js';

/** A kernel as the main thread runs it, with the number by which workers know it. */
export interface LoadedKernel {
  readonly id: number;
  readonly label: string;
  readonly run: RunKernel;
}

/** The kernels compiled so far: each key once, numbered in the order in which workers are told of them. */
export class KernelStore {
  /** What a worker has to be told, in order. */
  readonly messages: (KernelMessage | MemoryMessage)[] = [];
  readonly #heap: SharedHeap;
  readonly #announce: (message: KernelMessage | MemoryMessage) => void;
  readonly #kernels = new Map<string, LoadedKernel>();
  readonly #runs: RunKernel[] = [];
  /** Told of every kernel before it is compiled. */
  onKernel: ((kernel: Kernel) => void) | null = null;

  /** @param announce tells the workers there are of a new kernel, and before the first one of the heap. */
  constructor(heap: SharedHeap, announce: (message: KernelMessage | MemoryMessage) => void) {
    this.#heap = heap;
    this.#announce = announce;
  }

  /** The kernel, compiled and announced if it is new. */
  load(kernel: Kernel): LoadedKernel {
    const present = this.#kernels.get(kernel.key);
    if (present) return present;
    this.onKernel?.(kernel);
    if (this.messages.length === 0) this.#tellOfHeap();
    const code = this.#loadedCode(kernel.code); // members of a sequence are announced before it
    const run = instantiateKernel(code, this.#threadHeap(), (id) => this.#runs[id]!);
    const loaded = { id: this.#runs.length, label: kernel.label, run };
    const message: KernelMessage = { kind: 'kernel', id: loaded.id, label: kernel.label, code };
    this.#runs.push(run);
    this.messages.push(message);
    this.#kernels.set(kernel.key, loaded);
    this.#announce(message);
    return loaded;
  }

  #loadedCode(code: KernelCode): LoadedCode {
    switch (code.kind) {
      case 'javascript':
        return { kind: 'javascript', source: code.source(this.#heap.addresses) };
      case 'sequence':
        return { kind: 'sequence', ids: code.kernels.map((member) => this.load(member).id) };
      case 'wasm':
        return {
          kind: 'wasm',
          module: compiled(code.bytes(this.#heap.addresses) as Uint8Array<ArrayBuffer>),
        };
    }
  }

  #threadHeap(): ThreadHeap {
    return {
      memory: this.#heap.settle() as WebAssembly.Memory,
      addresses: this.#heap.addresses,
    };
  }

  /** Until now it was open how many bits addresses have. */
  #tellOfHeap(): void {
    const message: MemoryMessage = { kind: 'memory', ...this.#threadHeap() };
    this.messages.push(message);
    this.#announce(message);
  }
}

/** A page may forbid it. */
function compiled(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    if (!/content security|\bCSP\b/i.test((cause as Error).message)) throw cause;
    const message =
      "the page's content security policy forbids WebAssembly: it must allow script-src 'wasm-unsafe-eval'";
    throw new CorpuscleError('BACKEND_UNAVAILABLE', message, { cause });
  }
}
