import type { PositionFrame } from './PositionFrame.js';

/** Dummy rows lie this far outside (relative to cell 0), so that no cutoff reaches them. */
const FAR = 1e9;

/** Cell coordinate and whole boxes to leave out: a particle just outside the box keeps its nearest cell and image. */
function cellOf(cell: number, dims: number, periodic: boolean): number {
  if (cell >= 0 && cell < dims) return cell;
  if (periodic && (cell < -dims || cell >= 2 * dims)) return cell - dims * Math.floor(cell / dims);
  return cell < 0 ? 0 : dims - 1;
}

type Nine = readonly [...Three, ...Three, ...Three];
type Three = readonly [number, number, number];

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
  const [nx, ny, nz] = dims;
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = edges as Nine;
  const [xa, xb, xc, ya, yb, yc, za, zb, zc] = inverse as Nine;
  const [middleX, middleY, middleZ] = center;
  const out = new ArrayBuffer(16 * rows);
  const f32 = new Float32Array(out);
  const words = new Uint32Array(out);
  const low = withLow ? new Float32Array(4 * rows) : null;
  let boxes: PositionRows['boxes'] = null;
  const floors: [number, number, number] = [0, 0, 0];
  const cell: [number, number, number] = [0, 0, 0];
  for (let row = 0; row < count; row++) {
    const at = 4 * row;
    const x = host[at]! - middleX;
    const y = host[at + 1]! - middleY;
    const z = host[at + 2]! - middleZ;
    let a = Math.floor(x * xa + y * ya + z * za + 0.5);
    let b = Math.floor(x * xb + y * yb + z * zb + 0.5);
    let c = Math.floor(x * xc + y * yc + z * zc + 0.5);
    let packed = a | (b << 10) | (c << 20);
    if (!(a >= 0 && a < nx && b >= 0 && b < ny && c >= 0 && c < nz)) {
      floors[0] = a;
      floors[1] = b;
      floors[2] = c;
      for (let k = 0; k < 3; k++) {
        const floor = floors[k]!;
        cell[k] = cellOf(floor, dims[k]!, domain.periodic[k]!);
        const isFar = domain.periodic[k]! && (floor < -dims[k]! || floor >= 2 * dims[k]!);
        if (!isFar) {
          floors[k] = cell[k]!;
          continue;
        }
        boxes ??= new Int32Array(4 * count);
        boxes[at + k] = (floor - cell[k]!) / dims[k]!;
      }
      [a, b, c] = floors;
      packed = cell[0] | (cell[1] << 10) | (cell[2] << 20);
    }
    const dx = x - (a * ax + b * bx + c * cx);
    const dy = y - (a * ay + b * by + c * cy);
    const dz = z - (a * az + b * bz + c * cz);
    f32[at] = dx;
    f32[at + 1] = dy;
    f32[at + 2] = dz;
    words[at + 3] = packed;
    if (!low) continue;
    low[at] = dx - f32[at]!;
    low[at + 1] = dy - f32[at + 1]!;
    low[at + 2] = dz - f32[at + 2]!;
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
