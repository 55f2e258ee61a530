import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';

const LANES = 256;
const PER_LANE = 8;
const TILE = LANES * PER_LANE;

/**
 * Exclusive prefix sums of u32, in three steps at each level and without waiting between workgroups:
 *
 *   tiles      every workgroup scans a tile of 2048 and writes its total
 *   (recurse)  the totals are scanned likewise
 *   add        every tile adds the sum of all tiles before it
 */
export class ExclusiveScan {
  readonly #gpu: GpuDevice;
  readonly #tiles: GpuKernel;
  readonly #add: GpuKernel;
  readonly #totals: GPUBuffer[] = [];

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#tiles = gpu.kernel({
      label: 'scan: tiles',
      workgroupSize: LANES,
      buffers: [
        { name: 'values', type: 'array<u32>', access: 'read_write' },
        { name: 'totals', type: 'array<u32>', access: 'read_write' },
      ],
      params: { count: 'u32' },
      declarations: `var<workgroup> sums: array<u32, ${LANES}>;`,
      body: `
  let first = group * ${TILE}u + lane * ${PER_LANE}u;
  var own: array<u32, ${PER_LANE}>;
  var sum = 0u;
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    own[k] = sum;
    if (first + k < P.count) { sum += values[first + k]; }
  }
  sums[lane] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < ${LANES}u; reach <<= 1u) {
    var before = 0u;
    if (lane >= reach) { before = sums[lane - reach]; }
    workgroupBarrier();
    sums[lane] += before;
    workgroupBarrier();
  }
  let base = sums[lane] - sum;
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    if (first + k < P.count) { values[first + k] = base + own[k]; }
  }
  if (lane == ${LANES - 1}u && group * ${TILE}u < P.count) { totals[group] = sums[lane]; }`,
    });
    this.#add = gpu.kernel({
      label: 'scan: add totals',
      workgroupSize: LANES,
      buffers: [
        { name: 'values', type: 'array<u32>', access: 'read_write' },
        { name: 'totals', type: 'array<u32>', access: 'read' },
      ],
      params: { count: 'u32' },
      body: `
  if (index >= P.count) { return; }
  values[index] += totals[index / ${TILE}u];`,
    });
  }

  /** Replaces the first `count` numbers of a buffer by the sums of all before them. */
  run(values: GPUBuffer, count: number, level = 0): void {
    const tiles = Math.ceil(count / TILE);
    const totals = this.#totalsOf(level, tiles);
    this.#gpu.stream.dispatch(this.#tiles, [values, totals], { count }, tiles);
    if (tiles === 1) return;
    this.run(totals, tiles, level + 1);
    this.#gpu.stream.dispatchThreads(this.#add, [values, totals], { count }, count);
  }

  #totalsOf(level: number, tiles: number): GPUBuffer {
    const present = this.#totals[level];
    if (present && present.size >= 4 * tiles) return present;
    this.#gpu.release(present ?? null);
    const buffer = this.#gpu.buffer(`scan totals, level ${level}`, 4 * tiles);
    this.#totals[level] = buffer;
    return buffer;
  }
}
