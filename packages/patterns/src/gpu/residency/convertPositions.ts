import type { PositionFrame } from './PositionFrame.js';

/** Dummy rows lie this far outside (relative to cell 0), so that no cutoff reaches them. */
const FAR = 1e9;

/** Cell coordinate and whole boxes to leave out: a particle just outside the box keeps its nearest cell and image. */
function cellOf(s: number, dims: number, periodic: boolean): number {
  const cell = Math.floor(s);
  if (cell >= 0 && cell < dims) return cell;
  if (periodic && (cell < -dims || cell >= 2 * dims)) return cell - dims * Math.floor(cell / dims);
  return cell < 0 ? 0 : dims - 1;
}

/** Device rows of positions: those of `PositionFrame`, and low parts (x, y, z, 0) where they are asked for. */
export interface PositionRows {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly low: Float32Array<ArrayBuffer> | null;
  /** Boxes along a, b and c that were taken off each particle, four numbers a row; null where all are near the box. */
  readonly boxes: Int32Array<ArrayBuffer> | null;
}

/**
 * Host positions (f64, Cartesian, rows of four) to device rows. Positions far outside a periodic box are wrapped;
 * those less than a box outside are not, so that lists that are in use stay valid.
 */
export function positionsToDevice(
  frame: PositionFrame,
  host: Float64Array,
  count: number,
  rows: number,
  withLow: boolean,
): PositionRows {
  const { dims, edges, inverse, center, domain } = frame;
  const out = new ArrayBuffer(16 * rows);
  const f32 = new Float32Array(out);
  const words = new Uint32Array(out);
  const low = withLow ? new Float32Array(4 * rows) : null;
  let boxes: PositionRows['boxes'] = null;
  const cell: [number, number, number] = [0, 0, 0];
  const box: [number, number, number] = [0, 0, 0];
  for (let row = 0; row < count; row++) {
    const x = host[4 * row]! - center[0];
    const y = host[4 * row + 1]! - center[1];
    const z = host[4 * row + 2]! - center[2];
    for (let k = 0; k < 3; k++) {
      const s = x * inverse[k]! + y * inverse[3 + k]! + z * inverse[6 + k]! + 0.5;
      cell[k] = cellOf(s, dims[k]!, domain.periodic[k]!);
      const away = Math.floor(s) - cell[k]!;
      const far =
        domain.periodic[k]! && (Math.floor(s) < -dims[k]! || Math.floor(s) >= 2 * dims[k]!);
      box[k] = far ? away : 0;
      if (!far) continue;
      boxes ??= new Int32Array(4 * count);
      boxes[4 * row + k] = away / dims[k]!;
    }
    const a = cell[0] + box[0];
    const b = cell[1] + box[1];
    const c = cell[2] + box[2];
    for (let k = 0; k < 3; k++) {
      const far = a * edges[k]! + b * edges[3 + k]! + c * edges[6 + k]!;
      const relative = (k === 0 ? x : k === 1 ? y : z) - far;
      f32[4 * row + k] = relative;
      if (low) low[4 * row + k] = relative - f32[4 * row + k]!;
    }
    words[4 * row + 3] = cell[0] | (cell[1] << 10) | (cell[2] << 20);
  }
  for (let row = count; row < rows; row++) f32.fill(FAR, 4 * row, 4 * row + 3);
  return { words, low, boxes };
}

/** Rows of dummies, which no cutoff reaches. */
export function farRows(count: number): Uint8Array<ArrayBuffer> {
  const rows = new Float32Array(4 * count);
  for (let row = 0; row < count; row++) rows.fill(FAR, 4 * row, 4 * row + 3);
  return new Uint8Array(rows.buffer);
}
