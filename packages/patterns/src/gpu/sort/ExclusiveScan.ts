import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';

const LANES = 256;
const PER_LANE = 8;
const TILE = LANES * PER_LANE;
/** Tiles that one workgroup scans one after the other sooner than three kernels are started. */
const FEW = 2;

/**
 * Exclusive prefix sums of u32, in three steps at each level and without waiting between workgroups (few numbers in one
 * step by one workgroup):
 *
 *   tiles      every workgroup scans a tile of 2048 and writes its total
 *   (recurse)  the totals are scanned likewise
 *   add        every tile adds the sum of all tiles before it
 */
export class ExclusiveScan {
  readonly #gpu: GpuDevice;
  readonly #whole: GpuKernel;
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
  ${tileText(`group * ${TILE}u`, '0u')}
  if (lane == ${LANES - 1}u && group * ${TILE}u < P.count) { totals[group] = sums[lane]; }`,
    });
    this.#whole = gpu.kernel({
      label: 'scan: whole',
      workgroupSize: LANES,
      buffers: [{ name: 'values', type: 'array<u32>', access: 'read_write' }],
      params: { count: 'u32' },
      declarations: `var<workgroup> sums: array<u32, ${LANES}>;`,
      body: `
  var carried = 0u;
  for (var tile = 0u; tile < P.count; tile += ${TILE}u) {
    ${tileText('tile', 'carried')}
    carried += sums[${LANES - 1}u];
    workgroupBarrier();
  }`,
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
    if (tiles <= FEW) {
      this.#gpu.stream.dispatch(this.#whole, [values], { count }, 1);
      return;
    }
    const totals = this.#totalsOf(level, tiles);
    this.#gpu.stream.dispatch(this.#tiles, [values, totals], { count }, tiles);
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

/** Statements that scan the tile from `start` on, `before` added to all; lanes' sums remain in `sums`. */
const tileText = (start: string, before: string): string => `
  let first = ${start} + lane * ${PER_LANE}u;
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
  let base = ${before} + sums[lane] - sum;
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    if (first + k < P.count) { values[first + k] = base + own[k]; }
  }`;
