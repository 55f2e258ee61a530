import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';

const LANES = 256;
const PER_LANE = 8;
const TILE = LANES * PER_LANE;
/** So many numbers one workgroup scans sooner than two kernels are started. */
const FEW = 8192;
/** So many totals every workgroup adds up by itself sooner than they are scanned before. */
const MANY = 8192;

/** Totals of tiles, and their sums; sizes are kept because asking a buffer is a call into the device's library. */
interface Totals {
  readonly tiles: number;
  readonly counts: GPUBuffer;
  readonly sums: GPUBuffer;
}

/**
 * Exclusive prefix sums of u32 in two steps and without waiting between workgroups (few numbers in one step by one
 * workgroup):
 *
 *   totals   every workgroup adds up a tile of 2048
 *   tiles    every workgroup adds up the totals of the tiles before its own, and scans its tile from there
 *
 * The second step reads totals ½ tiles² times: where there are very many, they are scanned likewise beforehand.
 * The numbers are replaced by zeros on the way, ready to be counted up again.
 */
export class ExclusiveScan {
  readonly #gpu: GpuDevice;
  readonly #few: number;
  readonly #many: number;
  readonly #whole: GpuKernel;
  readonly #addUp: GpuKernel;
  readonly #tiles: GpuKernel;
  readonly #totals: Totals[] = [];

  /** @param limits numbers that one workgroup scans alone, and totals that each workgroup adds up. */
  constructor(gpu: GpuDevice, { few = FEW, many = MANY } = {}) {
    this.#gpu = gpu;
    this.#few = Math.min(few, FEW);
    this.#many = many;
    const words = (name: string, access: 'read' | 'read_write' = 'read_write') =>
      ({ name, type: 'array<u32>', access }) as const;
    const common = { workgroupSize: LANES, declarations: lanesText } as const;
    this.#whole = gpu.kernel({
      ...common,
      label: 'scan: whole',
      buffers: [words('values'), words('sums')],
      params: { count: 'u32' },
      body: `
  let each = (P.count + ${LANES - 1}u) / ${LANES}u;
  let first = lane * each;
  let end = min(first + each, P.count);
  // Unrolled, so that all numbers are under way at once.
  var own: array<u32, ${FEW / LANES}>;
  ${unrolled((k) => `if (first + ${k}u < end) { own[${k}] = values[first + ${k}u]; }`)}
  var sum = 0u;
  ${unrolled((k) => `sum += own[${k}];`)}
  var base = before(lane, sum);
  ${unrolled((k) => `if (first + ${k}u < end) { sums[first + ${k}u] = base; values[first + ${k}u] = 0u; base += own[${k}]; }`)}`,
    });
    this.#addUp = gpu.kernel({
      ...common,
      label: 'scan: totals',
      buffers: [words('values', 'read'), words('totals')],
      params: { count: 'u32' },
      body: `
  var sum = 0u;
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    let at = group * ${TILE}u + k * ${LANES}u + lane;
    if (at < P.count) { sum += values[at]; }
  }
  let others = before(lane, sum);
  if (lane == ${LANES - 1}u && group * ${TILE}u < P.count) { totals[group] = others + sum; }`,
    });
    this.#tiles = gpu.kernel({
      ...common,
      label: 'scan: tiles',
      buffers: [words('values'), words('sums'), words('totals', 'read')],
      params: { count: 'u32', summed: 'u32' },
      declarations: `${lanesText}
var<workgroup> earlier: atomic<u32>;`,
      body: `
  // Sums of totals end with the one wanted.
  var part = 0u;
  var k = lane + select(0u, group, P.summed == 1u);
  let end = select(group, group + 1u, P.summed == 1u);
  for (var left = (max(end, k) - k + ${LANES - 1}u) / ${LANES}u; left > 0u; left--) { part += totals[k]; k += ${LANES}u; }
  if (part != 0u) { atomicAdd(&earlier, part); }
  let first = group * ${TILE}u + lane * ${PER_LANE}u;
  var own: array<u32, ${PER_LANE}>;
  var sum = 0u;
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    own[k] = sum;
    if (first + k < P.count) { sum += values[first + k]; values[first + k] = 0u; }
  }
  let base = before(lane, sum) + atomicLoad(&earlier);
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    if (first + k < P.count) { sums[first + k] = base + own[k]; }
  }`,
    });
  }

  /** Writes to `sums`, for each of the first `count` numbers of `values`, the sum of all before it; clears the numbers. */
  run(values: GPUBuffer, sums: GPUBuffer, count: number, level = 0): void {
    const { stream } = this.#gpu;
    if (count <= this.#few) {
      stream.dispatch(this.#whole, [values, sums], { count }, 1);
      return;
    }
    const tiles = Math.ceil(count / TILE);
    const totals = this.#totalsOf(level, tiles);
    stream.dispatch(this.#addUp, [values, totals.counts], { count }, tiles);
    const summed = tiles > this.#many ? 1 : 0;
    if (summed) this.run(totals.counts, totals.sums, tiles, level + 1);
    const before = summed ? totals.sums : totals.counts;
    stream.dispatch(this.#tiles, [values, sums, before], { count, summed }, tiles);
  }

  #totalsOf(level: number, tiles: number): Totals {
    const present = this.#totals[level];
    if (present && present.tiles >= tiles) return present;
    this.#gpu.release(present?.counts ?? null);
    this.#gpu.release(present?.sums ?? null);
    const buffer = (name: string) => this.#gpu.buffer(`${name}, level ${level}`, 4 * tiles);
    const made = { tiles, counts: buffer('scan totals'), sums: buffer('sums of scan totals') };
    this.#totals[level] = made;
    return made;
  }
}

const unrolled = (text: (k: number) => string): string =>
  Array.from({ length: FEW / LANES }, (_, k) => text(k)).join('\n  ');

/** The sum of what all lanes before this one hold; in uniform control flow, once. */
const lanesText = `
var<workgroup> lanes: array<u32, ${2 * LANES}>;
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
}`;
