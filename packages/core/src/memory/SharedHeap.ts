import { CorpuscleError } from '@corpuscle/functor/error';
import {
  type AddressType,
  canAddressWidely,
  canShare,
  createMemory,
  growMemory,
  type HeapMemory,
  mostPages as mostPagesOf,
  WIDE_WORD_SHIFT,
} from '@corpuscle/functor/wasm';
import { host } from '#core/platform';

const PAGE = 65536;
const ALIGN = 64; // a cache line, and every SIMD width

/** Why a heap has 4 GiB at most, as a clause for errors; empty where it may have more. */
export const withoutWideAddresses = canAddressWidely
  ? ''
  : host.name === 'node'
    ? 'more than 4 GiB need Node 24 or later'
    : 'more than 4 GiB need a browser with 64-bit WebAssembly';

interface Block {
  start: number;
  size: number;
}

/** @throws CorpuscleError OUT_OF_MEMORY where the system does not reserve so many addresses. */
function sharedMemory(addresses: AddressType, initial: number, most: number): HeapMemory {
  try {
    return createMemory(addresses, initial, most);
  } catch (cause) {
    const needed = addresses === 'i64' ? 16 : 8; // V8 reserves them all, with a guarded region
    throw new CorpuscleError(
      'OUT_OF_MEMORY',
      `the system gives no memory: a run reserves ${needed} GiB of addresses, of which it uses what particles need; look at ulimit -v`,
      { cause },
    );
  }
}

/** As much memory as the browser gives at once. It never grows: views of memory that is not shared end when it does. */
function unsharedMemory(): WebAssembly.Memory {
  for (let pages = mostPagesOf.i32 / 4; pages >= 64; pages /= 2) {
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
 * A heap in shared `WebAssembly.Memory`: threads and wasm kernels see the same bytes without copies. It has 4 GiB, or with
 * addresses of 64 bits 16 GiB, where the runtime has those (Node 24) and more than 65,536 pages are asked for, or `expect`ed.
 * A page that may not share memory has memory of one thread, of at most 1 GiB. Allocation happens on the main thread only. Views stay valid when the memory grows; freed memory does not.
 *
 * @example
 * const heap = new SharedHeap();
 * const x = heap.f64(heap.allocate(8 * 100), 100);
 */
export class SharedHeap {
  /** Bytes at the bottom that are never handed out: 0 is the null pointer, after it kernels keep tables at fixed addresses. */
  static readonly RESERVED = 4096;

  #memory: HeapMemory;
  #top = SharedHeap.RESERVED;
  #free: Block[] = []; // sorted by address, coalesced
  #sizes = new Map<number, number>();
  #addresses: AddressType;
  #limit: number;
  /** The largest limit that `expect` can set. It can do so until workers have got the memory. */
  readonly largestLimit: number;
  #isSettled = false;

  /**
   * Whether fields of grids lie here from the start. Contexts on a device set it to false: their fields are outside, where only
   * the host's memory is the limit, and exist only while the host looks at them.
   */
  holdsFields = true;

  /**
   * `initialPages` of 64 KiB; the heap grows by itself, up to `mostPages`. Default: what is expected, at least 4 GiB.
   * @throws CorpuscleError OUT_OF_MEMORY where the runtime has no addresses for so many pages.
   */
  constructor(initialPages = 64, mostPages?: number) {
    const most = mostPages ?? mostPagesOf.i32;
    this.#addresses = most > mostPagesOf.i32 ? 'i64' : 'i32';
    if (this.#addresses === 'i64' && !canAddressWidely)
      throw new CorpuscleError(
        'OUT_OF_MEMORY',
        `${most} pages need addresses of 64 bits, ${withoutWideAddresses}`,
      );
    this.#memory = canShare ? sharedMemory(this.#addresses, initialPages, most) : unsharedMemory();
    this.#limit = canShare ? most * PAGE : this.#memory.buffer.byteLength;
    const mayWiden = canAddressWidely && mostPages === undefined;
    this.largestLimit = mayWiden ? mostPagesOf.i64 * PAGE : this.#limit;
  }

  /** The memory that kernels import. Its buffer is shared between threads, and replaced when the heap grows. */
  get memory(): HeapMemory {
    return this.#memory;
  }

  /** How many bits addresses have. */
  get addresses(): AddressType {
    return this.#addresses;
  }

  /** Bytes that can be handed out at most: 4 GiB, 16 GiB, or what a page gives that may not share memory. */
  get limit(): number {
    return this.#limit;
  }

  /**
   * Says how many bytes there will be, before any kernel runs. Where the limit is less, and the runtime has them, addresses get
   * 64 bits. What is allocated keeps its address, and what it holds; views of it are to be taken anew.
   * @throws CorpuscleError OUT_OF_MEMORY where the system does not reserve so many addresses.
   *
   * @example
   * heap.expect(6e9);
   * heap.limit; // 16 GiB on Node 24, 4 GiB on Node 20
   */
  expect(bytes: number): void {
    if (this.#isSettled || this.#limit === this.largestLimit || bytes <= this.#limit) return;
    const pages = this.#memory.buffer.byteLength / PAGE;
    const memory = sharedMemory('i64', pages, mostPagesOf.i64);
    new Uint8Array(memory.buffer).set(new Uint8Array(this.#memory.buffer));
    this.#memory = memory;
    this.#addresses = 'i64';
    this.#limit = this.largestLimit;
  }

  /** The memory for threads and kernels: it stays what it is from now on. */
  settle(): HeapMemory {
    this.#isSettled = true;
    return this.#memory;
  }

  /** Bytes handed out at present. */
  get allocatedBytes(): number {
    let sum = 0;
    for (const size of this.#sizes.values()) sum += size;
    return sum;
  }

  /**
   * Reserves zeroed bytes, aligned to 64, and returns their address.
   * @throws CorpuscleError OUT_OF_MEMORY when the limit, or the machine's memory, is exhausted.
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

  /** What 32 bits tell of an address, for argument records and the like: in a heap of 16 GiB which four bytes it begins with. */
  word(address: number): number {
    return (this.#addresses === 'i64' ? address / (1 << WIDE_WORD_SHIFT) : address) | 0;
  }

  /** A view of `length` doubles at the address `start`. It stays valid for as long as the allocation does. */
  f64(start: number, length: number): Float64Array {
    return new Float64Array(this.#memory.buffer, start, length);
  }
  /** A view of `length` floats at the address `start`. It stays valid for as long as the allocation does. */
  f32(start: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, start, length);
  }
  /** A view of `length` signed words at the address `start`. It stays valid for as long as the allocation does. */
  i32(start: number, length: number): Int32Array {
    return new Int32Array(this.#memory.buffer, start, length);
  }
  /** A view of `length` unsigned words at the address `start`. It stays valid for as long as the allocation does. */
  u32(start: number, length: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, start, length);
  }
  /** A view of `length` unsigned words of 64 bits at the address `start`. It stays valid for as long as the allocation does. */
  u64(start: number, length: number): BigUint64Array {
    return new BigUint64Array(this.#memory.buffer, start, length);
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
    new Uint8Array(this.#memory.buffer, start, size).fill(0);
    return start;
  }

  #takeTop(size: number): number {
    const start = this.#top;
    const end = start + size;
    const pages = Math.ceil(end / PAGE) - this.#memory.buffer.byteLength / PAGE;
    if (pages > 0) {
      try {
        growMemory(this.#memory, this.#addresses, pages);
      } catch (cause) {
        throw new CorpuscleError(
          'OUT_OF_MEMORY',
          `${(end / 2 ** 20).toFixed(0)} MiB are needed, and the CPU engine addresses at most ${this.limit / 2 ** 20} MiB${canShare ? '' : ' in a page that is not isolated by its headers'}: use fewer particles or a shorter cutoff${canAddressWidely ? '' : `; ${withoutWideAddresses}`}`,
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
      new Uint8Array(this.#memory.buffer, last.start, last.size).fill(0);
      this.#top = last.start;
      free.pop();
    }
  }
}
