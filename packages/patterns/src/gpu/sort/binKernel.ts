import type { KernelSource } from '../device/GpuKernel.js';
import { binDoubles, binDoubleValues } from '../double/binDoubles.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';
import { tileText } from './tileText.js';

const LANES = 128;

/** Finds the cell of each particle in the new frame and makes its position relative to that; counts, and chains particles of a cell. */
export const binKernel = (isDouble: boolean): KernelSource => ({
  label: 'sort: bin',
  workgroupSize: LANES,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read_write' },
    { name: 'scratch', type: 'array<atomic<u32>>', access: 'read_write' },
    ...(isDouble ? binDoubles.buffers : []),
  ],
  params: {
    ...(isDouble ? binDoubles.params : {}),
    dims: 'vec4i',
    periodic: 'vec4i',
    // Columns of the inverse of the new edges: position in cells = vector · inverse.
    inverseX: 'vec4f',
    inverseY: 'vec4f',
    inverseZ: 'vec4f',
    // From the corner of the first new cell to the centre of the first old one.
    toOld: 'vec4f',
    oldHighA: 'vec4f',
    oldHighB: 'vec4f',
    oldHighC: 'vec4f',
    oldLowA: 'vec4f',
    oldLowB: 'vec4f',
    oldLowC: 'vec4f',
    highA: 'vec4f',
    highB: 'vec4f',
    highC: 'vec4f',
    lowA: 'vec4f',
    lowB: 'vec4f',
    lowC: 'vec4f',
    shift: 'vec4f',
    count: 'u32',
    same: 'u32',
    last: 'u32',
    earlier: 'u32',
    counts: 'u32',
    ...tileText.params,
  },
  declarations: `${cellWgsl}${tileText.declarations}${isDouble ? binDoubles.declarations : ''}
// Edges have 12 significant bits in their high part, so that a product with a cell number is exact, and so is the
// difference of two such products along one axis, because both centres are close to the particle.
fn alongAxis(c: f32, high: vec3f, low: vec3f, n: f32, newHigh: vec3f, newLow: vec3f) -> vec3f {
  return (c * high - n * newHigh) + (c * low - n * newLow);
}
fn inCells(x: vec3f) -> vec3f {
  return vec3f(dot(x, P.inverseX.xyz), dot(x, P.inverseY.xyz), dot(x, P.inverseZ.xyz));
}
fn cellsOf(u: vec3f) -> vec3i {
  return vec3i(floor(clamp(u, vec3f(-1e6), vec3f(1e6))));
}`,
  body: `
  var linear = 0u;
  if (index < P.count) {
    let row = position[index];
    var x = relative(row);
    let old = unpackCell(row.w);
    let dims = P.dims.xyz;
    var cell: vec3i;
    if (P.same == 1u) {
      cell = old + cellsOf(inCells(x) + 0.5);
    } else {
      let o = vec3f(old);
      cell = cellsOf(inCells(x + P.toOld.xyz + o.x * (P.oldHighA.xyz + P.oldLowA.xyz)
        + o.y * (P.oldHighB.xyz + P.oldLowB.xyz) + o.z * (P.oldHighC.xyz + P.oldLowC.xyz)));
    }
    cell = select(clamp(cell, vec3i(0), dims - 1), cell, P.periodic.xyz != vec3i(0));
    let a = vec3f(old) + 0.5;
    let b = vec3f(cell) + 0.5;
    ${isDouble ? binDoubles.move : MOVE}
    cell = (cell % dims + dims) % dims;
    position[index] = vec4u(bitcast<vec3u>(x), packCell(cell));
    linear = linearCell(cell);
    atomicAdd(&scratch[P.counts + linear], 1u);
    atomicStore(&scratch[P.earlier + index], atomicExchange(&scratch[P.last + linear], index));
  }
  addToTile(lane, index < P.count, linear);`,
});

const MOVE = `x += alongAxis(a.x, P.oldHighA.xyz, P.oldLowA.xyz, b.x, P.highA.xyz, P.lowA.xyz)
     + alongAxis(a.y, P.oldHighB.xyz, P.oldLowB.xyz, b.y, P.highB.xyz, P.lowB.xyz)
     + alongAxis(a.z, P.oldHighC.xyz, P.oldLowC.xyz, b.z, P.highC.xyz, P.lowC.xyz)
     + P.shift.xyz;`;

/** A number with 12 significant bits, and what is left. */
function split(value: number): [number, number] {
  if (Math.abs(value) < 1e-30) return [0, 0]; // less than single precision can hold
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 11);
  const high = Math.round(value / unit) * unit;
  return [high, value - high];
}

/** What the kernel needs to know about the frame that positions are in and the one that they shall be in. */
export function binParams(
  from: PositionFrame,
  to: PositionFrame,
): Record<string, number | readonly number[]> {
  const row = (matrix: readonly number[], k: number): number[] => [
    matrix[3 * k]!,
    matrix[3 * k + 1]!,
    matrix[3 * k + 2]!,
    0,
  ];
  const column = (matrix: readonly number[], k: number): number[] => [
    matrix[k]!,
    matrix[3 + k]!,
    matrix[6 + k]!,
    0,
  ];
  const high = (frame: PositionFrame, k: number) => row(frame.edges, k).map((v) => split(v)[0]);
  const low = (frame: PositionFrame, k: number) => row(frame.edges, k).map((v) => split(v)[1]);
  const axes = [0, 1, 2] as const;
  // Positions of the corners (not centres) of both first cells: the centres' halves are counted with the cells.
  const corner = (frame: PositionFrame, k: number): number =>
    frame.centre[k]! - (frame.edges[k]! + frame.edges[3 + k]! + frame.edges[6 + k]!) / 2;
  const shift = [...axes.map((k) => corner(from, k) - corner(to, k)), 0];
  return {
    ...binDoubleValues(from, to, split, shift),
    dims: [...to.dims, 0],
    periodic: [...to.domain.periodic.map(Number), 0],
    inverseX: column(to.inverse, 0),
    inverseY: column(to.inverse, 1),
    inverseZ: column(to.inverse, 2),
    toOld: [...axes.map((k) => from.centre[k] - corner(to, k)), 0],
    oldHighA: high(from, 0),
    oldHighB: high(from, 1),
    oldHighC: high(from, 2),
    oldLowA: low(from, 0),
    oldLowB: low(from, 1),
    oldLowC: low(from, 2),
    highA: high(to, 0),
    highB: high(to, 1),
    highC: high(to, 2),
    lowA: low(to, 0),
    lowB: low(to, 1),
    lowC: low(to, 2),
    shift,
    same: from === to ? 1 : 0,
  };
}
