import type { GpuDevice } from '../device/GpuDevice.js';
import type { Readback } from '../device/Readbacks.js';
import type { DeviceBlock } from './DeviceBlock.js';

/** Pieces of a block that are read together at most. */
const AT_ONCE = 4;

/**
 * Reads rows of a block, and of their low parts where it has any, as they are after everything recorded so far.
 * @param memory what the host's copies may use, where it has the size
 */
export function readRows(
  gpu: GpuDevice,
  { parts, bytesPerRow }: DeviceBlock,
  row: number,
  rows: number,
  memory: readonly ArrayBuffer[] = [],
): Readback[] {
  const bytes = rows * bytesPerRow;
  const isLarge = row === 0 && bytes > AT_ONCE * gpu.pieceBytes;
  return parts.map(({ buffer }, k) =>
    isLarge
      ? readInPieces(gpu, buffer, bytes, memory[k])
      : gpu.stream.read(buffer, bytes, row * bytesPerRow, memory[k]),
  );
}

/**
 * Reads the beginning of a large buffer as it is after everything recorded so far. It is copied on the device, from where pieces come
 * one after the other, so that memory that both see is that of one piece:
 *
 *   buffer ──► copy ──► piece ┄ piece ┄ piece ──► host      the buffer may change meanwhile
 *
 * @param memory that the host's copy may use, if it has the size
 * @throws CorpuscleError OUT_OF_MEMORY where the device has no room for the copy
 */
function readInPieces(
  gpu: GpuDevice,
  buffer: GPUBuffer,
  bytes: number,
  memory?: ArrayBuffer,
): Readback {
  const { stream, pieceBytes } = gpu;
  const copy = gpu.buffer('copy for the host', bytes);
  stream.copy(buffer, copy, Math.ceil(bytes / 4) * 4);
  const piece = Math.max(4, 4 * Math.floor(pieceBytes / 4));
  const read = (at: number) => stream.read(copy, Math.min(piece, bytes - at), at);
  const first = read(0);
  const collect = async (): Promise<ArrayBuffer> => {
    const whole = new Uint8Array(memory?.byteLength === bytes ? memory : new ArrayBuffer(bytes));
    try {
      whole.set(new Uint8Array(await first.data));
      for (let at = piece; at < bytes; at += piece) {
        const next = read(at);
        next.flush();
        whole.set(new Uint8Array(await next.data), at);
      }
    } finally {
      gpu.release(copy);
    }
    return whole.buffer;
  };
  const data = collect();
  data.catch(() => {}); // those who wait see the error
  return { ...first, data };
}
