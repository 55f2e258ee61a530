import type { Domain, Grid } from '@corpuscle/core';
import type { Cells } from './partners.js';

/** Particles sorted by cell, and by type in a cell. */
export interface SortedParticles {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  /** Where every run begins, and one more number; run = cell · types + type. */
  readonly start: Uint32Array;
  /** The lowest x y z and the highest of every run. */
  readonly bounds: Float64Array;
}

/** A range of lattice coordinates. */
export interface Extent {
  readonly lower: readonly [number, number, number];
  readonly upper: readonly [number, number, number];
}

/** How far particles reach in lattice coordinates; 0 … 1 along periodic axes. Host positions must be current. */
export function extentOf({ count, domain, block }: GridView): Extent {
  const lower: [number, number, number] = [0, 0, 0];
  const upper: [number, number, number] = [1, 1, 1];
  if (count === 0 || domain.periodic.every(Boolean)) return { lower, upper };
  const r = block.array as Float64Array;
  const s: [number, number, number] = [0, 0, 0];
  const open = [0, 1, 2].filter((k) => !domain.periodic[k]);
  for (const k of open) [lower[k], upper[k]] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < count; row++) {
    domain.toFractional(r[4 * row]!, r[4 * row + 1]!, r[4 * row + 2]!, s);
    for (const k of open) {
      lower[k] = Math.min(lower[k]!, s[k]!);
      upper[k] = Math.max(upper[k]!, s[k]!);
    }
  }
  return { lower, upper };
}

/** What is looked at of a grid. */
interface GridView {
  readonly count: number;
  readonly domain: Domain;
  /** Its positions. */
  readonly block: { readonly array: unknown };
}

/** Sorts particles into cells that cover `extent`, at their images in the box, and there by label. Host positions must be current. */
export function sortParticles(
  grid: Grid,
  { dims }: Cells,
  { lower, upper }: Extent,
  { types, label }: { readonly types: number; readonly label: ArrayLike<number> },
): SortedParticles {
  const { count, domain } = grid;
  const { inverse: m, matrix: e, origin, periodic } = domain;
  const r = grid.block('position').array as Float64Array;
  const [nx, ny, nz] = dims;
  const scale = (k: 0 | 1 | 2): number => dims[k] / (upper[k] - lower[k] || 1);
  const [ux, uy, uz] = [scale(0), scale(1), scale(2)];
  const [px, py, pz] = periodic;
  const runs = new Uint32Array(count);
  const start = new Uint32Array(nx * ny * nz * types + 1);
  const [wx, wy, wz] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let row = 0; row < count; row++) {
    const [rx, ry, rz] = [r[4 * row]!, r[4 * row + 1]!, r[4 * row + 2]!];
    const [qx, qy, qz] = [rx - origin[0], ry - origin[1], rz - origin[2]];
    let a = qx * m[0]! + qy * m[3]! + qz * m[6]!;
    let b = qx * m[1]! + qy * m[4]! + qz * m[7]!;
    let c = qx * m[2]! + qy * m[5]! + qz * m[8]!;
    const [ka, kb, kc] = [px ? Math.floor(a) : 0, py ? Math.floor(b) : 0, pz ? Math.floor(c) : 0];
    a -= ka;
    b -= kb;
    c -= kc;
    wx[row] = rx - (ka * e[0]! + kb * e[3]! + kc * e[6]!);
    wy[row] = ry - (ka * e[1]! + kb * e[4]! + kc * e[7]!);
    wz[row] = rz - (ka * e[2]! + kb * e[5]! + kc * e[8]!);
    const x = Math.min(nx - 1, Math.floor((a - lower[0]) * ux));
    const y = Math.min(ny - 1, Math.floor((b - lower[1]) * uy));
    const z = Math.min(nz - 1, Math.floor((c - lower[2]) * uz));
    const run = ((z * ny + y) * nx + x) * types + label[row]!;
    runs[row] = run;
    start[run + 1]!++;
  }
  for (let run = 0; run + 1 < start.length; run++) start[run + 1]! += start[run]!;
  const next = start.slice();
  const [x, y, z] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let row = 0; row < count; row++) {
    const at = next[runs[row]!]!++;
    x[at] = wx[row]!;
    y[at] = wy[row]!;
    z[at] = wz[row]!;
  }
  return { x, y, z, start, bounds: boundsOf([x, y, z], start) };
}

function boundsOf(places: readonly Float64Array[], start: Uint32Array): Float64Array {
  const bounds = new Float64Array(6 * (start.length - 1));
  places.forEach((values, k) => {
    for (let run = 0; run + 1 < start.length; run++) {
      let [low, high] = [values[start[run]!]!, values[start[run]!]!];
      for (let at = start[run]! + 1; at < start[run + 1]!; at++) {
        const value = values[at]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      bounds[6 * run + k] = low;
      bounds[6 * run + 3 + k] = high;
    }
  });
  return bounds;
}
