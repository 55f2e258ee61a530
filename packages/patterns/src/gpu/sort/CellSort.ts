import { FieldBlock, type Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelParams, KernelSource } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';
import { ExclusiveScan } from './ExclusiveScan.js';

const LANES = 128;

/**
 * Sorts all blocks of a grid by cell, on the device and by counting:
 *
 *   bin      cell of each particle in the new frame, positions made relative to it; count per cell
 *   scan     counts → first row of each cell
 *   members  particles of a cell in any order (atomic cursor)
 *   rank     place within the cell = members with a smaller old row: the order is stable whatever the atomics did
 *   permute  every block, from its buffer to its spare
 */
export class CellSort {
  readonly #gpu: GpuDevice;
  readonly #scan: ExclusiveScan;
  readonly #bin: GpuKernel;
  readonly #members: GpuKernel;
  readonly #rank: GpuKernel;
  readonly #permute = new Map<string, GpuKernel>();
  readonly #cellOf: GrowingBuffer;
  readonly #cursor: GrowingBuffer;
  readonly #unordered: GrowingBuffer;
  readonly #order: GrowingBuffer;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#scan = new ExclusiveScan(gpu);
    this.#bin = gpu.kernel(binKernel);
    this.#members = gpu.kernel(membersKernel);
    this.#rank = gpu.kernel(rankKernel);
    this.#cellOf = new GrowingBuffer(gpu, 'cell of each particle');
    this.#cursor = new GrowingBuffer(gpu, 'cell cursors');
    this.#unordered = new GrowingBuffer(gpu, 'members of cells');
    this.#order = new GrowingBuffer(gpu, 'sort order');
  }

  /** Sorts; `start` receives the first row of each cell, one more number than there are cells. */
  run(grid: Grid, residency: Residency, frame: PositionFrame, start: GrowingBuffer): void {
    const { stream } = this.#gpu;
    const { count } = grid;
    const position = residency.ensurePositions(grid, frame);
    const cells = frame.dims[0] * frame.dims[1] * frame.dims[2];
    const cellOf = this.#cellOf.reserve(4 * count);
    const cursor = this.#cursor.reserve(4 * cells);
    const unordered = this.#unordered.reserve(4 * count);
    const order = this.#order.reserve(4 * count);
    const starts = start.reserve(4 * (cells + 1));

    stream.clear(starts, 0, 4 * (cells + 1));
    stream.clear(cursor, 0, 4 * cells);
    const bin = binParams(position.frame, frame, count);
    stream.dispatchThreads(this.#bin, [position.buffer, cellOf, starts], bin, count);
    position.frame = frame;
    this.#scan.run(starts, cells + 1);
    const sizes = { count };
    stream.dispatchThreads(this.#members, [cellOf, starts, cursor, unordered], sizes, count);
    stream.dispatchThreads(this.#rank, [cellOf, starts, unordered, order], sizes, count);
    for (const block of grid.blocks.values()) {
      const record = block.spec.name === 'position' ? position : residency.ensure(block, count);
      this.#permuteBlock(record, order, count);
      residency.written(block);
    }
    grid.sortVersion++;
  }

  #permuteBlock(record: DeviceBlock, order: GPUBuffer, count: number): void {
    const { row } = record.type;
    let kernel = this.#permute.get(row);
    if (!kernel) {
      kernel = this.#gpu.kernel(permuteKernel(row));
      this.#permute.set(row, kernel);
    }
    const rows = count + FieldBlock.PADDING;
    const buffers = [record.buffer, order, record.spare];
    this.#gpu.stream.dispatchThreads(kernel, buffers, { count, rows }, rows);
    record.swap();
  }
}

const binKernel: KernelSource = {
  label: 'sort: bin',
  workgroupSize: LANES,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read_write' },
    { name: 'cellOf', type: 'array<u32>', access: 'read_write' },
    { name: 'counts', type: 'array<atomic<u32>>', access: 'read_write' },
  ],
  params: {
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
  },
  declarations: `${cellWgsl}
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
  if (index >= P.count) { return; }
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
  x += alongAxis(a.x, P.oldHighA.xyz, P.oldLowA.xyz, b.x, P.highA.xyz, P.lowA.xyz)
     + alongAxis(a.y, P.oldHighB.xyz, P.oldLowB.xyz, b.y, P.highB.xyz, P.lowB.xyz)
     + alongAxis(a.z, P.oldHighC.xyz, P.oldLowC.xyz, b.z, P.highC.xyz, P.lowC.xyz)
     + P.shift.xyz;
  cell = (cell % dims + dims) % dims;
  position[index] = vec4u(bitcast<vec3u>(x), packCell(cell));
  let linear = linearCell(cell);
  cellOf[index] = linear;
  atomicAdd(&counts[linear], 1u);`,
};

const membersKernel: KernelSource = {
  label: 'sort: members',
  workgroupSize: LANES,
  buffers: [
    { name: 'cellOf', type: 'array<u32>', access: 'read' },
    { name: 'start', type: 'array<u32>', access: 'read' },
    { name: 'cursor', type: 'array<atomic<u32>>', access: 'read_write' },
    { name: 'members', type: 'array<u32>', access: 'read_write' },
  ],
  params: { count: 'u32' },
  body: `
  if (index >= P.count) { return; }
  let cell = cellOf[index];
  members[start[cell] + atomicAdd(&cursor[cell], 1u)] = index;`,
};

const rankKernel: KernelSource = {
  label: 'sort: rank',
  workgroupSize: LANES,
  buffers: [
    { name: 'cellOf', type: 'array<u32>', access: 'read' },
    { name: 'start', type: 'array<u32>', access: 'read' },
    { name: 'members', type: 'array<u32>', access: 'read' },
    { name: 'order', type: 'array<u32>', access: 'read_write' },
  ],
  params: { count: 'u32' },
  body: `
  if (index >= P.count) { return; }
  let cell = cellOf[index];
  let first = start[cell];
  let end = start[cell + 1u];
  var rank = 0u;
  for (var k = first; k < end; k++) { rank += select(0u, 1u, members[k] < index); }
  order[first + rank] = index;`,
};

function permuteKernel(row: string): KernelSource {
  return {
    label: `sort: permute ${row}`,
    workgroupSize: LANES,
    buffers: [
      { name: 'before', type: `array<${row}>`, access: 'read' },
      { name: 'order', type: 'array<u32>', access: 'read' },
      { name: 'after', type: `array<${row}>`, access: 'read_write' },
    ],
    params: { count: 'u32', rows: 'u32' },
    // Rows behind the particles are padding and stay where they are.
    body: `
  if (index >= P.rows) { return; }
  var source = index;
  if (index < P.count) { source = order[index]; }
  after[index] = before[source];`,
  };
}

/** A number with 12 significant bits, and what is left. */
function split(value: number): [number, number] {
  if (Math.abs(value) < 1e-30) return [0, 0]; // less than single precision can hold
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 11);
  const high = Math.round(value / unit) * unit;
  return [high, value - high];
}

function binParams(from: PositionFrame, to: PositionFrame, count: number): KernelParams {
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
  return {
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
    shift: [...axes.map((k) => corner(from, k) - corner(to, k)), 0],
    count,
    same: from === to ? 1 : 0,
  };
}
