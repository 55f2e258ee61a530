import { CorpuscleError } from '@corpuscle/functor/error';
import { canShare } from '@corpuscle/functor/wasm';
import { host } from '#core/platform';

const PAGE = 65536;
const MAX_PAGES = 65536; // the 4 GiB of a 32-bit address space
const ALIGN = 64; // a cache line, and every SIMD width

/**
 * `WebAssembly.Memory`, where the program has types of the DOM or of Node; elsewhere what a reader needs. So the
 * declarations of this package need neither.
 */
export type HeapMemory = typeof globalThis extends {
  readonly WebAssembly: { readonly Memory: { readonly prototype: infer M } };
}
  ? M
  : { readonly buffer: ArrayBuffer };

interface Block {
  start: number;
  size: number;
}

/** As much as the browser gives at once, as views of memory that is not shared would end when it grows. */
function unsharedMemory(): WebAssembly.Memory {
  for (let pages = MAX_PAGES / 4; pages >= 64; pages /= 2) {
    try {
      return new WebAssembly.Memory({ initial: pages, maximum: pages });
    } catch {
      // Half of it may be had.
    }
  }
  throw new CorpuscleError(
    'OUT_OF_MEMORY',
    host.name === 'node'
      ? 'the system gives no memory: a run reserves some 12 GiB of addresses, of which it uses what particles need; look at ulimit -v'
      : 'the browser gives no memory: close other pages',
  );
}

/**
 * A heap in shared `WebAssembly.Memory`: threads and wasm kernels see the same bytes without copies.
 * A page that may not share memory has memory of one thread, of at most 1 GiB. Allocation happens on the main thread only. Views stay valid when the memory grows; freed memory does not.
 *
 * @example
 * const heap = new SharedHeap();
 * const x = heap.f64(heap.allocate(8 * 100), 100);
 */
export class SharedHeap {
  /** Bytes at the bottom that are never handed out: 0 is the null pointer, after it kernels keep tables at fixed addresses. */
  static readonly RESERVED = 4096;

  /** The memory that kernels import. Its buffer is shared between threads, and replaced when the heap grows. */
  readonly memory: HeapMemory;
  #top = SharedHeap.RESERVED;
  #free: Block[] = []; // sorted by address, coalesced
  #sizes = new Map<number, number>();

  /**
   * Whether fields of grids lie here from the start. Contexts on a device set it to false: their fields are outside, where only
   * the host's memory is the limit, and exist only while the host looks at them.
   */
  holdsFields = true;

  /** Bytes that can be handed out at most: 4 GiB, or what a page gives that may not share memory. */
  readonly limit: number;

  /** `initialPages` of 64 KiB; the heap grows by itself, up to `mostPages`. */
  constructor(initialPages = 64, mostPages = MAX_PAGES) {
    this.memory = canShare
      ? new WebAssembly.Memory({ initial: initialPages, maximum: mostPages, shared: true })
      : unsharedMemory();
    this.limit = canShare ? mostPages * PAGE : this.memory.buffer.byteLength;
  }

  /** Bytes handed out at present. */
  get allocatedBytes(): number {
    let sum = 0;
    for (const size of this.#sizes.values()) sum += size;
    return sum;
  }

  /**
   * Reserves zeroed bytes, aligned to 64, and returns their address.
   * @throws CorpuscleError OUT_OF_MEMORY when 4 GiB are exhausted.
   */
  allocate(bytes: number): number {
    const size = Math.max(ALIGN, Math.ceil(bytes / ALIGN) * ALIGN);
    const start = this.#takeFree(size) ?? this.#takeTop(size);
    this.#sizes.set(start, size);
    return start;
  }

  /**
   * Gives an allocation back. Freeing 0 does nothing.
   * @throws CorpuscleError INTERNAL for an address that `allocate` did not give.
   */
  free(start: number): void {
    if (start === 0) return;
    const size = this.#sizes.get(start);
    if (size === undefined)
      throw new CorpuscleError('INTERNAL', `heap address ${start} was not allocated`);
    this.#sizes.delete(start);
    this.#insertFree({ start, size });
  }

  /** What 32 bits tell of an address, for argument records and the like. */
  word(address: number): number {
    return address | 0;
  }

  /** A view of `length` doubles at the address `start`. It stays valid for as long as the allocation does. */
  f64(start: number, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, start, length);
  }
  /** A view of `length` floats at the address `start`. It stays valid for as long as the allocation does. */
  f32(start: number, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, start, length);
  }
  /** A view of `length` signed words at the address `start`. It stays valid for as long as the allocation does. */
  i32(start: number, length: number): Int32Array {
    return new Int32Array(this.memory.buffer, start, length);
  }
  /** A view of `length` unsigned words at the address `start`. It stays valid for as long as the allocation does. */
  u32(start: number, length: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, start, length);
  }
  /** A view of `length` unsigned words of 64 bits at the address `start`. It stays valid for as long as the allocation does. */
  u64(start: number, length: number): BigUint64Array {
    return new BigUint64Array(this.memory.buffer, start, length);
  }

  #takeFree(size: number): number | undefined {
    let best = -1;
    for (let k = 0; k < this.#free.length; k++) {
      const block = this.#free[k]!;
      if (block.size >= size && (best < 0 || block.size < this.#free[best]!.size)) best = k;
    }
    if (best < 0) return undefined;
    const block = this.#free[best]!;
    const start = block.start;
    if (block.size === size) this.#free.splice(best, 1);
    else {
      block.start += size;
      block.size -= size;
    }
    new Uint8Array(this.memory.buffer, start, size).fill(0);
    return start;
  }

  #takeTop(size: number): number {
    const start = this.#top;
    const end = start + size;
    const pages = Math.ceil(end / PAGE) - this.memory.buffer.byteLength / PAGE;
    if (pages > 0) {
      try {
        this.memory.grow(pages);
      } catch (cause) {
        throw new CorpuscleError(
          'OUT_OF_MEMORY',
          `${(end / 2 ** 20).toFixed(0)} MiB are needed, and the CPU engine addresses at most ${this.limit / 2 ** 20} MiB${canShare ? '' : ' in a page that is not isolated by its headers'}: use fewer particles or a shorter cutoff`,
          { cause },
        );
      }
    }
    this.#top = end;
    return start; // fresh wasm memory is zero
  }

  #insertFree(block: Block): void {
    const free = this.#free;
    let k = 0;
    while (k < free.length && free[k]!.start < block.start) k++;
    free.splice(k, 0, block);
    const next = free[k + 1];
    if (next && block.start + block.size === next.start) {
      block.size += next.size;
      free.splice(k + 1, 1);
    }
    const previous = free[k - 1];
    if (previous && previous.start + previous.size === block.start) {
      previous.size += block.size;
      free.splice(k, 1);
    }
    const last = free[free.length - 1];
    if (last && last.start + last.size === this.#top) {
      // Fresh memory must be zero, so what goes back to the top is cleared.
      new Uint8Array(this.memory.buffer, last.start, last.size).fill(0);
      this.#top = last.start;
      free.pop();
    }
  }
}
