import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';

const LANES = 256;
const PER_LANE = 8;
const TILE = LANES * PER_LANE;
/** Tiles of a workgroup that counts: the one that its first thread counts in, one before, and two behind it. */
const NEAR = 4;

/** Totals of tiles; all zero, but for so many numbers of what somebody has counted. */
interface Totals {
  readonly buffer: GrowingBuffer;
  used: number;
}

/**
 * Exclusive prefix sums of counts in one step and without waiting between workgroups:
 *
 *   whoever counts   adds to the totals of tiles of 2048 counts too (`tileText`)
 *   tiles            every workgroup adds up the totals of the tiles before its own, and scans its tile from there
 *
 * Totals are read ½ tiles² times, little for the cells of a hundred million particles. Counts are replaced by zeros on
 * the way, ready to be counted up again; so are totals of the time before, since others still read those of now.
 */
export class ExclusiveScan {
  readonly #gpu: GpuDevice;
  readonly #tiles: GpuKernel;
  #totals: Totals;
  #before: Totals;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#tiles = gpu.kernel(tilesKernel);
    const totals = () => ({ buffer: new GrowingBuffer(gpu, 'totals of tiles'), used: 0 });
    this.#totals = totals();
    this.#before = totals();
  }

  /** Where the tiles of the first `count` counts are added up, until the next `run`. */
  totals(count: number): GPUBuffer {
    return this.#totals.buffer.reserve(4 * Math.ceil(count / TILE));
  }

  /**
   * Writes to `sums`, for each of the first `count` of `counts`, the sum of all before it; clears the counts. The `totals`
   * of as many must have been counted.
   */
  run(counts: GPUBuffer, sums: GPUBuffer, count: number): void {
    const [now, before] = [this.#totals, this.#before];
    const tiles = Math.ceil(count / TILE);
    const buffers = [counts, sums, this.totals(count), before.buffer.reserve(16)];
    const values = { count, used: before.used, threads: LANES * tiles };
    this.#gpu.stream.dispatch(this.#tiles, buffers, values, tiles);
    now.used = tiles;
    before.used = 0;
    [this.#totals, this.#before] = [before, now];
  }
}

const tilesKernel: KernelSource = {
  label: 'scan: tiles',
  workgroupSize: LANES,
  buffers: [
    { name: 'counts', type: 'array<u32>', access: 'read_write' },
    { name: 'sums', type: 'array<u32>', access: 'read_write' },
    { name: 'totals', type: 'array<u32>', access: 'read' },
    { name: 'used', type: 'array<u32>', access: 'read_write' },
  ],
  params: { count: 'u32', used: 'u32', threads: 'u32' },
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
  for (var k = index; k < P.used; k += P.threads) { used[k] = 0u; }
  var part = 0u;
  var k = lane;
  for (var left = (max(group, k) - k + ${LANES - 1}u) / ${LANES}u; left > 0u; left--) { part += totals[k]; k += ${LANES}u; }
  if (part != 0u) { atomicAdd(&earlier, part); }
  let first = group * ${TILE}u + lane * ${PER_LANE}u;
  var own: array<u32, ${PER_LANE}>;
  var sum = 0u;
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    own[k] = sum;
    if (first + k < P.count) { sum += counts[first + k]; counts[first + k] = 0u; }
  }
  let base = before(lane, sum) + atomicLoad(&earlier);
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    if (first + k < P.count) { sums[first + k] = base + own[k]; }
  }`,
};

/**
 * Parts of a kernel that counts: `addToTile(lane, counts, at)`, called by all threads in uniform control flow, adds one to
 * the tile of count `at` for each thread that `counts`. Threads side by side count in one tile or two most often: what goes
 * there is added up in the workgroup before. The first thread counts if any does.
 */
export const tileText = {
  buffers: [{ name: 'totals', type: 'array<atomic<u32>>', access: 'read_write' }],
  declarations: `
var<workgroup> firstTile: u32;
var<workgroup> inTiles: array<atomic<u32>, ${NEAR}>;
fn addToTile(lane: u32, counts: bool, at: u32) {
  let tile = at / ${TILE}u;
  if (lane == 0u) { firstTile = tile; }
  workgroupBarrier();
  let near = tile + 1u - firstTile;
  if (counts && near < ${NEAR}u) { atomicAdd(&inTiles[near], 1u); }
  else if (counts) { atomicAdd(&totals[tile], 1u); }
  workgroupBarrier();
  if (lane >= ${NEAR}u) { return; }
  let sum = atomicLoad(&inTiles[lane]);
  if (sum > 0u) { atomicAdd(&totals[firstTile + lane - 1u], sum); }
}`,
} as const satisfies Pick<KernelSource, 'buffers' | 'declarations'>;
