/**
 * Whether WebAssembly has memory that threads share. Some browsers have it only in pages that are isolated by their headers;
 * modules and heaps have memory of one thread there.
 */
export const canShare: boolean = (() => {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer.byteLength > 0;
  } catch {
    return false;
  }
})();

/** How many bits the addresses of a memory have. */
export type AddressType = 'i32' | 'i64';

/** Pages of 64 KiB that a memory may have: 4 GiB, and with addresses of 64 bits 16 GiB, a limit of WebAssembly in JavaScript. */
export const mostPages: Readonly<Record<AddressType, number>> = { i32: 65536, i64: 262144 };

/**
 * Whether WebAssembly has shared memory with addresses of 64 bits, as Node 24 does: it asks for the type of addresses. The limits
 * are nonsense, for a memory would be reserved whole.
 */
export const canAddressWidely: boolean = (() => {
  let isAsked = false;
  const nonsense = {
    get address() {
      isAsked = true;
      return 'i64';
    },
    initial: 1n,
    maximum: 0n,
    shared: true,
  };
  try {
    new WebAssembly.Memory(nonsense as unknown as WebAssembly.MemoryDescriptor);
  } catch {
    // Always.
  }
  return canShare && isAsked;
})();

/**
 * `WebAssembly.Memory`, where the program has types of the DOM or of Node; elsewhere what a reader needs. So the
 * declarations of packages need neither.
 */
export type HeapMemory = typeof globalThis extends {
  readonly WebAssembly: { readonly Memory: { readonly prototype: infer M } };
}
  ? M
  : { readonly buffer: ArrayBuffer };

/** Shared memory of `initial` pages that may grow to `maximum`. */
export function createMemory(addresses: AddressType, initial: number, maximum: number): HeapMemory {
  if (addresses === 'i32') return new WebAssembly.Memory({ initial, maximum, shared: true });
  const wide = { address: 'i64', initial: BigInt(initial), maximum: BigInt(maximum), shared: true };
  return new WebAssembly.Memory(wide as unknown as WebAssembly.MemoryDescriptor);
}

/** Makes a memory larger by so many pages; by none, this thread's `memory.buffer` as long as others have made it. */
export function growMemory(memory: HeapMemory, addresses: AddressType, pages: number): void {
  (memory as WebAssembly.Memory).grow((addresses === 'i64' ? BigInt(pages) : pages) as number);
}
