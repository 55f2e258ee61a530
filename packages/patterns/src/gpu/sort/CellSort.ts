import { FieldBlock, type Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import { binDoubles, binDoubleValues } from '../double/binDoubles.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';
import { ExclusiveScan } from './ExclusiveScan.js';

const LANES = 128;

/** Parameters that are written to. */
type OwnParams = Record<string, number | readonly number[]>;

/** A kernel of a permutation and the blocks that it moves. */
interface Pass {
  readonly kernel: GpuKernel;
  readonly records: readonly DeviceBlock[];
  readonly first: boolean;
  readonly last: boolean;
}

/** What every sort of a grid does, until it gets another block. */
interface Plan {
  readonly blocks: number;
  readonly others: readonly FieldBlock[];
  readonly passes: readonly Pass[];
}

/**
 * Sorts all blocks of a grid by cell, on the device and by counting:
 *
 *   bin      cell of each particle in the new frame, positions made relative to it; count per cell, order of arrival
 *   scan     counts → first row of each cell
 *   members  particles of a cell as they arrived
 *   permute  every block, from its buffer to its spare, several in one kernel; the place within a cell is the number of
 *            members with a smaller old row, so that the order is stable whatever the atomics did
 */
export class CellSort {
  readonly #gpu: GpuDevice;
  readonly #scan: ExclusiveScan;
  readonly #bin: GpuKernel;
  readonly #members: GpuKernel;
  #bound: { from: PositionFrame; to: PositionFrame; params: OwnParams } | null = null;
  readonly #plans = new WeakMap<Grid, Plan>();
  readonly #counts: GrowingBuffer;
  readonly #cellOf: GrowingBuffer;
  readonly #arrival: GrowingBuffer;
  readonly #unordered: GrowingBuffer;
  readonly #target: GrowingBuffer;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#scan = new ExclusiveScan(gpu);
    this.#bin = gpu.kernel(binKernel(gpu.reals.state === 'f64'));
    this.#members = gpu.kernel(membersKernel);
    this.#counts = new GrowingBuffer(gpu, 'particles of each cell');
    this.#cellOf = new GrowingBuffer(gpu, 'cell of each particle');
    this.#arrival = new GrowingBuffer(gpu, 'order of arrival in cells');
    this.#unordered = new GrowingBuffer(gpu, 'members of cells');
    this.#target = new GrowingBuffer(gpu, 'new rows');
  }

  /**
   * Sorts; `start` receives the first row of each cell, one more number than there are cells, and `reference` a copy of
   * the sorted positions.
   */
  run(
    grid: Grid,
    residency: Residency,
    frame: PositionFrame,
    start: GrowingBuffer,
    reference: GPUBuffer,
  ): void {
    const { stream } = this.#gpu;
    const { count } = grid;
    const position = residency.ensurePositions(grid, frame);
    const plan = this.#planOf(grid, residency, position);
    for (const block of plan.others) residency.ensure(block, count);
    const cells = frame.dims[0] * frame.dims[1] * frame.dims[2];
    const cellOf = this.#cellOf.reserve(4 * count);
    const arrival = this.#arrival.reserve(4 * count);
    const unordered = this.#unordered.reserve(4 * count);
    const starts = start.reserve(4 * (cells + 1));
    // All zero: new buffers are, and the scan leaves it so.
    const counts = this.#counts.reserve(4 * (cells + 1));
    const bin = this.#binParams(position.frame, frame);
    bin.count = count;
    const binned = [position.buffer, cellOf, counts, arrival];
    if (position.low) binned.push(position.low.buffer);
    stream.dispatchThreads(this.#bin, binned, bin, count);
    position.frame = frame;
    this.#scan.run(counts, starts, cells + 1);
    const members = [cellOf, starts, arrival, unordered];
    stream.dispatchThreads(this.#members, members, { count }, count);
    const found = [cellOf, starts, unordered, reference];
    for (const pass of plan.passes) this.#permute(pass, count, found);
    for (const block of grid.blocks.values()) residency.written(block);
    grid.sortVersion++;
  }

  /** Frames stay for long, and so do the parameters of two. */
  #binParams(from: PositionFrame, to: PositionFrame): OwnParams {
    if (this.#bound?.from !== from || this.#bound.to !== to)
      this.#bound = { from, to, params: binParams(from, to) };
    return this.#bound.params;
  }

  #permute(
    { kernel, records, first, last }: Pass,
    count: number,
    found: readonly GPUBuffer[],
  ): void {
    const rows = count + FieldBlock.PADDING;
    const buffers = first ? found.slice() : [];
    if (!(first && last)) buffers.push(this.#target.reserve(4 * count));
    for (const record of records) buffers.push(record.buffer, record.spare);
    this.#gpu.stream.dispatchThreads(kernel, buffers, { count, rows }, rows);
    for (const record of records) record.swap();
  }

  /** As many blocks in one kernel as the device has bindings for. */
  #planOf(grid: Grid, residency: Residency, position: DeviceBlock): Plan {
    const known = this.#plans.get(grid);
    if (known?.blocks === grid.blocks.size) return known;
    const others = [...grid.blocks.values()].filter(({ spec }) => spec.name !== 'position');
    const records = [
      ...position.parts,
      ...others.map((block) => residency.ensure(block, grid.count)),
    ];
    const most = this.#gpu.limits.maxStorageBuffersPerShaderStage;
    const together = Math.floor((most - 5) / 2);
    const later = Math.floor((most - 1) / 2);
    const passes: Pass[] = [];
    for (let from = 0; from < records.length; ) {
      const first = from === 0;
      const taken = records.slice(from, from + (first ? together : later));
      from += taken.length;
      const last = from >= records.length;
      const types = taken.map(({ type }) => type.row);
      const kernel = this.#gpu.kernel(permuteKernel({ types, first, last }));
      passes.push({ kernel, records: taken, first, last });
    }
    const plan = { blocks: grid.blocks.size, others, passes };
    this.#plans.set(grid, plan);
    return plan;
  }
}

const binKernel = (isDouble: boolean): KernelSource => ({
  label: 'sort: bin',
  workgroupSize: LANES,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read_write' },
    { name: 'cellOf', type: 'array<u32>', access: 'read_write' },
    { name: 'counts', type: 'array<atomic<u32>>', access: 'read_write' },
    { name: 'arrival', type: 'array<u32>', access: 'read_write' },
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
  },
  declarations: `${cellWgsl}${isDouble ? binDoubles.declarations : ''}
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
  ${isDouble ? binDoubles.move : MOVE}
  cell = (cell % dims + dims) % dims;
  position[index] = vec4u(bitcast<vec3u>(x), packCell(cell));
  let linear = linearCell(cell);
  cellOf[index] = linear;
  arrival[index] = atomicAdd(&counts[linear], 1u);`,
});

const MOVE = `x += alongAxis(a.x, P.oldHighA.xyz, P.oldLowA.xyz, b.x, P.highA.xyz, P.lowA.xyz)
     + alongAxis(a.y, P.oldHighB.xyz, P.oldLowB.xyz, b.y, P.highB.xyz, P.lowB.xyz)
     + alongAxis(a.z, P.oldHighC.xyz, P.oldLowC.xyz, b.z, P.highC.xyz, P.lowC.xyz)
     + P.shift.xyz;`;

const membersKernel: KernelSource = {
  label: 'sort: members',
  workgroupSize: LANES,
  buffers: [
    { name: 'cellOf', type: 'array<u32>', access: 'read' },
    { name: 'start', type: 'array<u32>', access: 'read' },
    { name: 'arrival', type: 'array<u32>', access: 'read' },
    { name: 'members', type: 'array<u32>', access: 'read_write' },
  ],
  params: { count: 'u32' },
  body: `
  if (index >= P.count) { return; }
  members[start[cellOf[index]] + arrival[index]] = index;`,
};

interface PermuteShape {
  /** WGSL types of the rows. */
  readonly types: readonly string[];
  /** The first kernel finds out where rows go, notes it if others follow, and copies the positions. */
  readonly first: boolean;
  readonly last: boolean;
}

function permuteKernel({ types, first, last }: PermuteShape): KernelSource {
  const read = (name: string, type: string) => ({ name, type, access: 'read' }) as const;
  const write = (name: string, type: string) => ({ name, type, access: 'read_write' }) as const;
  const notes = first && !last;
  const rank = `
    let cell = cellOf[index];
    let begin = start[cell];
    let end = start[cell + 1u];
    to = begin;
    for (var k = begin; k < end; k++) { to += select(0u, 1u, members[k] < index); }
    ${notes ? 'target_row[index] = to;' : ''}`;
  return {
    label: 'sort: permute',
    workgroupSize: LANES,
    buffers: [
      ...(first ? ['cellOf', 'start', 'members'].map((name) => read(name, 'array<u32>')) : []),
      ...(first ? [write('reference', 'array<vec4u>')] : []),
      ...(notes ? [write('target_row', 'array<u32>')] : []),
      ...(first ? [] : [read('target_row', 'array<u32>')]),
      ...types.flatMap((type, k) => [
        read(`before_${k}`, `array<${type}>`),
        write(`after_${k}`, `array<${type}>`),
      ]),
    ],
    params: { count: 'u32', rows: 'u32' },
    // Rows behind the particles are padding and stay where they are.
    body: `
  if (index >= P.rows) { return; }
  var to = index;
  if (index < P.count) {${first ? rank : '\n    to = target_row[index];'}
  }
  ${types.map((_, k) => `after_${k}[to] = before_${k}[index];`).join('\n  ')}
  ${first ? 'reference[to] = before_0[index];' : ''}`,
  };
}

/** A number with 12 significant bits, and what is left. */
function split(value: number): [number, number] {
  if (Math.abs(value) < 1e-30) return [0, 0]; // less than single precision can hold
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 11);
  const high = Math.round(value / unit) * unit;
  return [high, value - high];
}

function binParams(from: PositionFrame, to: PositionFrame): OwnParams {
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
