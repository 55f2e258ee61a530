/** Memory of frames before, by its bytes. */
let spare = new Map<number, ArrayBuffer[]>();
/** What this frame has been given; null in threads that do not use memory again. */
let given: ArrayBuffer[] | null = null;

/**
 * A frame begins: `memoryOf` gives this memory, and what the frame before has been given that has not left the thread since.
 * All other memory is forgotten.
 */
export function useAgain(buffers: readonly ArrayBuffer[]): void {
  spare = new Map();
  for (const buffer of [...buffers, ...(given ?? [])]) {
    const { byteLength } = buffer;
    if (byteLength > 0) spare.set(byteLength, [...(spare.get(byteLength) ?? []), buffer]);
  }
  given = [];
}

/** Memory of so many bytes for a frame, which may have any values. */
export function memoryOf(bytes: number): ArrayBuffer {
  const memory = spare.get(bytes)?.pop() ?? new ArrayBuffer(bytes);
  given?.push(memory);
  return memory;
}
