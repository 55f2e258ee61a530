import type { ParamType } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';

/** Cells of packed positions. */
export const cellWgsl = `
// Cell of a particle, ten bits an axis.
fn unpackCell(w: u32) -> vec3i {
  return vec3i(i32(w & 1023u), i32((w >> 10u) & 1023u), i32((w >> 20u) & 1023u));
}
// Cells plus 2^23 as floats without conversion, which is slow on many devices: whole numbers in the mantissa. Differences
// of two such numbers are exact.
fn shiftedCell(w: u32) -> vec3f {
  return bitcast<vec3f>((vec3u(w, w >> 10u, w >> 20u) & vec3u(1023u)) | vec3u(0x4b000000u));
}
// Packs such a cell.
fn packCell(c: vec3i) -> u32 {
  return u32(c.x) | (u32(c.y) << 10u) | (u32(c.z) << 20u);
}
// Number of a cell, x first.
fn linearCell(c: vec3i) -> u32 {
  return u32((c.z * P.dims.y + c.y) * P.dims.x + c.x);
}
// Vector from the center of its cell to a particle.
fn relative(row: vec4u) -> vec3f {
  return bitcast<vec3f>(row.xyz);
}
`;

/** Cartesian vector of a difference of cells; exact up to one rounding per edge. */
export function cellVectorWgsl(orthorhombic: boolean): string {
  const body = orthorhombic
    ? 'return c * vec3f(P.edgeA.x, P.edgeB.y, P.edgeC.z);'
    : 'return c.x * P.edgeA.xyz + c.y * P.edgeB.xyz + c.z * P.edgeC.xyz;';
  return `
// Vector that spans so many cells.
fn cellVectorOf(c: vec3f) -> vec3f {
  ${body}
}
// The same for whole cells.
fn cellVector(c: vec3i) -> vec3f { return cellVectorOf(vec3f(c)); }
`;
}

/** Uniform members for `cellVectorWgsl`, `linearCell` and `imageCells`. */
export const frameParams = {
  dims: 'vec4i',
  edgeA: 'vec4f',
  edgeB: 'vec4f',
  edgeC: 'vec4f',
} as const satisfies Record<string, ParamType>;

/** What floats leave out of the edges and the center, for positions in double-single. */
export const frameLowParams = {
  edgeALow: 'vec4f',
  edgeBLow: 'vec4f',
  edgeCLow: 'vec4f',
  centerLow: 'vec4f',
} as const satisfies Record<string, ParamType>;

const known = new WeakMap<PositionFrame, Readonly<Record<string, readonly number[]>>>();

/** Members of the uniform record; those that a kernel does not have are left out. */
export function frameValues(frame: PositionFrame): Readonly<Record<string, readonly number[]>> {
  let values = known.get(frame);
  if (!values) {
    values = valuesOf(frame);
    known.set(frame, values);
  }
  return values;
}

function valuesOf(frame: PositionFrame): Record<string, readonly number[]> {
  const { dims, edges, center } = frame;
  const low = (value: number): number => value - Math.fround(value);
  const rows = [edges.slice(0, 3), edges.slice(3, 6), edges.slice(6, 9), center];
  const [edgeA, edgeB, edgeC, centerHigh] = rows.map((row) => [...row, 0]);
  const [edgeALow, edgeBLow, edgeCLow, centerLow] = rows.map((row) => [...row.map(low), 0]);
  return {
    dims: [...dims, 0],
    edgeA: edgeA!,
    edgeB: edgeB!,
    edgeC: edgeC!,
    center: centerHigh!,
    edgeALow: edgeALow!,
    edgeBLow: edgeBLow!,
    edgeCLow: edgeCLow!,
    centerLow: centerLow!,
  };
}
