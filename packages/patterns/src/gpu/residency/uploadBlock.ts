import { FieldBlock } from '@corpuscle/core';
import { sharedRow } from '../../engine/blockCopy.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { fieldsToDevice } from './convertFields.js';
import { positionsToDevice } from './convertPositions.js';
import type { DeviceBlock } from './DeviceBlock.js';
import type { PositionFrame } from './PositionFrame.js';

/** Boxes that an upload took off positions of rows from `first` on, four numbers a row. */
export interface TakenBoxes {
  readonly first: number;
  readonly boxes: Int32Array<ArrayBuffer>;
}

/** Rows that are converted at a time: memory for it does not grow with the block. */
export const rowsAtOnce = (gpu: GpuDevice, bytesPerRow: number): number =>
  Math.max(1, Math.floor(gpu.pieceBytes / bytesPerRow));

/**
 * Writes `rows` rows of the host and the padding after them to the device, piece by piece.
 * @param isNew whether the buffer has just been made: its rows are zero
 * @returns the row that all rows are; null where they differ.
 */
export function uploadFields(
  gpu: GpuDevice,
  block: FieldBlock,
  { buffer, type, bytesPerRow }: DeviceBlock,
  rows: number,
  isNew: boolean,
): ArrayBuffer | null {
  const { width } = block.spec;
  const all = rows + FieldBlock.PADDING;
  if (block.isZero) {
    if (!isNew) gpu.stream.clear(buffer, 0, all * bytesPerRow);
    return sharedRow(block.piece(0, 1), width, null);
  }
  const most = rowsAtOnce(gpu, bytesPerRow);
  let row: ArrayBuffer | null = null;
  for (let first = 0; first < all; first += most) {
    const piece = block.piece(first, Math.min(most, all - first));
    const particles = piece.subarray(0, Math.max(0, rows - first) * width);
    if (first === 0 || row) row = sharedRow(particles, width, row);
    gpu.stream.upload(buffer, fieldsToDevice(piece, type), first * bytesPerRow);
  }
  return row;
}

/**
 * The same of positions, in cells of a frame; rows after the particles lie far away.
 * @returns pieces with particles that were several boxes away.
 */
export function uploadPositions(
  gpu: GpuDevice,
  block: FieldBlock,
  { buffer, low, bytesPerRow }: DeviceBlock,
  frame: PositionFrame,
  count: number,
): TakenBoxes[] {
  const taken: TakenBoxes[] = [];
  const all = count + FieldBlock.PADDING;
  const most = rowsAtOnce(gpu, bytesPerRow);
  for (let first = 0; first < all; first += most) {
    const rows = Math.min(most, all - first);
    const particles = Math.min(rows, Math.max(0, count - first));
    const host = block.piece(first, rows) as Float64Array;
    const made = positionsToDevice(frame, host, particles, rows, low !== null);
    const at = first * bytesPerRow;
    gpu.stream.upload(buffer, new Uint8Array(made.words.buffer), at);
    if (low) gpu.stream.upload(low.buffer, new Uint8Array(made.low!.buffer), at);
    if (made.boxes) taken.push({ first, boxes: made.boxes });
  }
  return taken;
}
