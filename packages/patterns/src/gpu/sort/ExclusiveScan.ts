import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';

const LANES = 256;
const PER_LANE = 8;
const TILE = LANES * PER_LANE;
/** So many numbers one workgroup scans sooner than three kernels are started. */
const FEW = 8192;

/** Totals of tiles, and their sums; sizes are kept because asking a buffer is a call into the device's library. */
interface Totals {
  readonly tiles: number;
  readonly counts: GPUBuffer;
  readonly sums: GPUBuffer;
}

/**
 * Exclusive prefix sums of u32, in three steps at each level and without waiting between workgroups (few numbers in one
 * step by one workgroup):
 *
 *   tiles      every workgroup scans a tile of 2048 and writes its total
 *   (recurse)  the totals are scanned likewise
 *   add        every tile adds the sum of all tiles before it
 *
 * The numbers are replaced by zeros on the way, ready to be counted up again.
 */
export class ExclusiveScan {
  readonly #gpu: GpuDevice;
  readonly #few: number;
  readonly #whole: GpuKernel;
  readonly #tiles: GpuKernel;
  readonly #add: GpuKernel;
  readonly #totals: Totals[] = [];

  /** @param few numbers that one workgroup scans alone. */
  constructor(gpu: GpuDevice, few = FEW) {
    this.#gpu = gpu;
    this.#few = Math.min(few, FEW);
    const words = (name: string, access: 'read' | 'read_write' = 'read_write') =>
      ({ name, type: 'array<u32>', access }) as const;
    const common = { workgroupSize: LANES, params: { count: 'u32' } } as const;
    this.#whole = gpu.kernel({
      ...common,
      label: 'scan: whole',
      buffers: [words('values'), words('sums')],
      declarations: lanesText,
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
    this.#tiles = gpu.kernel({
      ...common,
      label: 'scan: tiles',
      buffers: [words('values'), words('sums'), words('totals')],
      declarations: lanesText,
      body: `
  let first = group * ${TILE}u + lane * ${PER_LANE}u;
  var own: array<u32, ${PER_LANE}>;
  var sum = 0u;
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    own[k] = sum;
    if (first + k < P.count) { sum += values[first + k]; values[first + k] = 0u; }
  }
  let base = before(lane, sum);
  for (var k = 0u; k < ${PER_LANE}u; k++) {
    if (first + k < P.count) { sums[first + k] = base + own[k]; }
  }
  if (lane == ${LANES - 1}u && group * ${TILE}u < P.count) { totals[group] = base + sum; }`,
    });
    this.#add = gpu.kernel({
      ...common,
      label: 'scan: add totals',
      buffers: [words('sums'), words('totals', 'read')],
      body: `
  if (index >= P.count) { return; }
  sums[index] += totals[index / ${TILE}u];`,
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
    stream.dispatch(this.#tiles, [values, sums, totals.counts], { count }, tiles);
    this.run(totals.counts, totals.sums, tiles, level + 1);
    stream.dispatchThreads(this.#add, [sums, totals.sums], { count }, count);
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
var<workgroup> lanes: array<u32, ${LANES}>;
fn before(lane: u32, own: u32) -> u32 {
  lanes[lane] = own;
  workgroupBarrier();
  for (var reach = 1u; reach < ${LANES}u; reach <<= 1u) {
    var other = 0u;
    if (lane >= reach) { other = lanes[lane - reach]; }
    workgroupBarrier();
    lanes[lane] += other;
    workgroupBarrier();
  }
  return lanes[lane] - own;
}`;
