const LARGEST = 1 << 20;
/** Files of a system may say that they have no bytes. */
const SMALLEST = 1 << 12;

/** Bytes to read at a time: all of a small file, so that it takes no more memory than twice its size. */
export const chunkFor = (bytes: number): number => Math.min(LARGEST, Math.max(SMALLEST, bytes + 1));
