import type { H5wasm } from './loadH5wasm.js';

/** What HDF5 reads files with, in WebAssembly. */
interface Files {
  read(stream: object, to: Uint8Array, at: number, length: number, position?: number): number;
  readonly ErrnoError: new (errno: number) => Error;
}

/** The number of EIO in WebAssembly. */
const failed = 29;
const guarded = new WeakSet<object>();

/** Lets reads of damaged heaps fail: HDF5 would go round in a heap with an object of no bytes for ever. */
export function guardHeaps({ FS }: Awaited<H5wasm['ready']>): void {
  const files = FS as unknown as Files;
  if (guarded.has(files)) return;
  guarded.add(files);
  const read = files.read;
  files.read = (stream, to, at, length, position) => {
    const count = read(stream, to, at, length, position);
    if (!isSoundHeap(Buffer.from(to.buffer, to.byteOffset + at, count)))
      throw new files.ErrnoError(failed);
    return count;
  };
}

/**
 * Whether the objects of a global heap follow each other; true for all that is no heap. Its texts are of any length. Lengths are
 * taken as 32 bits, as HDF5 does in WebAssembly.
 *
 *   GCOL | version u8, 0 0 0 | bytes u64 | objects: id u16 | references u16 | 0 u32 | bytes u64 | padded to 8 … | id 0: the free rest
 */
function isSoundHeap(bytes: Buffer): boolean {
  if (bytes.length < 16 || bytes.toString('latin1', 0, 4) !== 'GCOL') return true;
  const end = bytes.readUInt32LE(8);
  for (let at = 16; at + 16 <= Math.min(end, bytes.length); ) {
    const size = bytes.readUInt32LE(at + 8);
    const isFree = bytes.readUInt16LE(at) === 0;
    const taken = isFree ? size : 16 + 8 * Math.ceil(size / 8);
    if (taken === 0 || at + taken > end || (isFree && at + taken < end)) return false;
    at += taken;
  }
  return true;
}
