import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import type { SortScratch } from './SortScratch.js';
import { LANES, PER_LANE, TILE, tilesOf } from './tileText.js';

/**
 * Exclusive prefix sums of counts in one step and without waiting between workgroups:
 *
 *   whoever counts   adds to the totals of tiles of counts too (`tileText`)
 *   tiles            every workgroup adds up the totals of the tiles before its own, and scans its tile from there
 *
 * Totals are read ½ tiles² times, little for the cells of a hundred million particles. Counts are replaced by zeros on
 * the way, ready to be counted up again; so are totals of the time before, since others still read those of now.
 */
export class ExclusiveScan {
  readonly #gpu: GpuDevice;
  readonly #tiles: GpuKernel;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#tiles = gpu.kernel(tilesKernel);
  }

  /** Writes to `start`, for each of `cells` counts in `scratch` and for the end of all, the sum of all before it. */
  run(buffer: GPUBuffer, scratch: SortScratch, start: GPUBuffer, cells: number): void {
    const { counts, totals, before, used } = scratch;
    const tiles = tilesOf(cells + 1);
    const values = { cells, counts, totals, before, used, threads: LANES * tiles };
    this.#gpu.stream.dispatch(this.#tiles, [buffer, start], values, tiles);
    scratch.sorted(cells);
  }
}

const tilesKernel: KernelSource = {
  label: 'scan: tiles',
  workgroupSize: LANES,
  buffers: [
    { name: 'scratch', type: 'array<u32>', access: 'read_write' },
    { name: 'start', type: 'array<u32>', access: 'read_write' },
  ],
  params: {
    cells: 'u32',
    counts: 'u32',
    totals: 'u32',
    before: 'u32',
    used: 'u32',
    threads: 'u32',
  },
  declarations: `
var<workgroup> earlier: atomic<u32>;
var<workgroup> lanes: array<u32, ${2 * LANES}>;
// The sum of what all lanes before this one hold; in uniform control flow, once.
fn before(lane: u32, own: u32) -> u32 {
  // To and fro between two halves, so that nobody writes what others still read.
  var half = 0u;
  var sum = own;
  lanes[lane] = sum;
  workgroupBarrier();
  for (var step = 0u; step < ${Math.log2(LANES)}u; step++) {
    let reach = 1u << step;
    if (lane >= reach) { sum += lanes[half + lane - reach]; }
    half ^= ${LANES}u;
    lanes[half + lane] = sum;
    workgroupBarrier();
  }
  return sum - own;
}`,
  body: `
  for (var k = index; k < P.used; k += P.threads) { scratch[P.before + k] = 0u; }
  var part = 0u;
  var k = lane;
  for (var left = (max(group, k) - k + ${LANES - 1}u) / ${LANES}u; left > 0u; left--) { part += scratch[P.totals + k]; k += ${LANES}u; }
  if (part != 0u) { atomicAdd(&earlier, part); }
  let first = group * ${TILE}u + lane * ${PER_LANE}u;
  var own: array<u32, ${PER_LANE}>;
  var sum = 0u;
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    own[k] = sum;
    if (first + k < P.cells) {
      let at = P.counts + first + k;
      sum += scratch[at];
      scratch[at] = 0u;
    }
  }
  let base = before(lane, sum) + atomicLoad(&earlier);
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    if (first + k <= P.cells) { start[first + k] = base + own[k]; }
  }`,
};
