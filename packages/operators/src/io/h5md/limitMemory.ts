import type { H5wasm } from './loadH5wasm.js';

type Module = Awaited<H5wasm['ready']>;

/** Bytes of a page of WebAssembly. */
const PAGE = 1 << 16;
/** Bytes that HDF5 may take for a file of any size: for caches and for what it knows of files. */
const OWN = 1 << 24;

/** Bytes that the memory of HDF5 had when it was loaded; null before. */
let loaded: number | null = null;
/** Bytes that it may have, and whether it has asked for more. */
let most = Number.POSITIVE_INFINITY;
let isRefused = false;

/** Makes the memory of HDF5 one that `withinMemory` limits. All other memories grow as before. */
export function limitMemory(module: Module): void {
  if (loaded !== null) return;
  loaded = module.HEAPU8.byteLength;
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    const { buffer } = this;
    const isOver = buffer.byteLength + pages * PAGE > most;
    if (isOver && buffer === module.HEAPU8.buffer) {
      isRefused = true;
      throw new RangeError('HDF5 may have no more memory'); // Its allocation gives null then.
    }
    return grow.call(this, pages);
  };
}

/**
 * Does something while the memory of HDF5 may grow to `bytes` and 16 MiB more than it had at first.
 * @throws an error that says so where it needs more, which a damaged file may claim
 */
export function withinMemory<T>(bytes: number, action: () => T): T {
  const before = most;
  most = (loaded ?? 0) + OWN + bytes;
  isRefused = false;
  try {
    return action();
  } catch (cause) {
    if (!isRefused) throw cause;
    isRefused = false;
    throw new Error(`it takes more than ${OWN + bytes} bytes of memory`, { cause });
  } finally {
    most = before;
  }
}
