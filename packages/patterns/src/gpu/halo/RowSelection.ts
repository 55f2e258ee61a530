import type { Grid } from '@corpuscle/core';
import type { HaloRegion } from '../../engine/DeviceHalo.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Staging } from './Staging.js';
import {
  GROUP,
  SCANNED,
  type SelectionKind,
  scanKernel,
  selectKernel,
  totalsKernel,
} from './selectKernels.js';

/** No particle is farther along an open axis, in boxes. */
const FARTHEST = 3e38;

/** Rows that were found: those of a region after those of the region before, in their order. */
export interface SelectedRows {
  readonly rows: GPUBuffer;
  /** With `leaving`: the boxes that each row is away from the box, see `boxesOfCode`. */
  readonly codes: GPUBuffer;
  /** By region, and after the last those in any, each once. */
  readonly counts: Uint32Array;
}

/**
 * Finds the particles of regions on the device, in an order that depends on their rows alone:
 *
 *   count   each workgroup of rows counts those of each region
 *   scan    where the rows of each region and workgroup begin
 *   write   the same test again: rows are written to their places
 */
export class RowSelection {
  readonly #runner: CallRunner;
  readonly #staging: Staging;
  readonly #kernels = new Map<string, GpuKernel>();
  #scan: GpuKernel | null = null;
  #totals: GpuKernel | null = null;
  readonly #buffers: Readonly<
    Record<'regions' | 'counts' | 'starts' | 'totals' | 'rows' | 'codes', GrowingBuffer>
  >;

  constructor(runner: CallRunner, staging: Staging) {
    this.#runner = runner;
    this.#staging = staging;
    const of = (label: string) => new GrowingBuffer(runner.gpu, `halo: ${label}`);
    this.#buffers = {
      regions: of('regions'),
      counts: of('rows of regions in workgroups'),
      starts: of('first rows of regions in workgroups'),
      totals: of('rows of regions'),
      rows: of('selected rows'),
      codes: of('boxes of selected rows'),
    };
  }

  /**
   * @param kind `seen`: rows within a region, both ends included; `leaving`: rows whose place in the box is in a region, the upper end
   *   left out, of region `own` those outside of the box alone
   */
  async find(
    grid: Grid,
    regions: readonly HaloRegion[],
    kind: SelectionKind,
    own = -1,
    wrapped: readonly boolean[] = [false, false, false],
  ): Promise<SelectedRows> {
    const { gpu, residency } = this.#runner;
    const { stream } = gpu;
    const { count } = grid;
    const all = this.#buffers;
    const size = regions.length;
    const groups = Math.max(1, Math.ceil(count / GROUP));
    const entries = (size + 1) * groups;
    const position = residency.ensurePositions(grid);
    this.#staging.upload(all.regions.reserve(32 * Math.max(1, size)), boundsOf(regions));
    const params = {
      ...frameParams(position.frame),
      wrap: [...wrapped.map(Number), 0],
      count,
      groups,
      own: own < 0 ? 0xffffffff : own,
    };
    const chunks = Math.ceil((entries + 1) / SCANNED);
    const [counts, starts] = [all.counts, all.starts].map((one) =>
      one.reserve(4 * SCANNED * chunks),
    );
    const totals = all.totals.reserve(4 * (size + 1));
    const [rows, codes] = [all.rows.reserve(16), all.codes.reserve(16)];
    const buffers = [position.buffer, all.regions.buffer, counts!, starts!];
    const count1 = this.#kernel('count', size, kind);
    stream.dispatchThreads(count1, [...buffers, rows, codes], params, groups * GROUP);
    this.#scan ??= gpu.kernel(scanKernel);
    this.#totals ??= gpu.kernel(totalsKernel);
    stream.dispatch(this.#scan, [counts!, starts!], { chunks }, 1);
    const shape = { groups, size: size + 1 };
    stream.dispatchThreads(this.#totals, [starts!, totals], shape, size + 1);
    const readback = stream.read(totals, 4 * (size + 1));
    readback.flush();
    const found = new Uint32Array(await readback.data);
    const total = found.reduce((sum, one) => sum + one, 0);
    const places = [all.rows, all.codes].map((one) => one.reserve(4 * Math.max(4, total)));
    if (total > 0)
      stream.dispatchThreads(
        this.#kernel('write', size, kind),
        [...buffers, ...places],
        params,
        groups * GROUP,
      );
    return { rows: places[0]!, codes: places[1]!, counts: found };
  }

  free(): void {
    for (const buffer of Object.values(this.#buffers)) buffer.free();
  }

  #kernel(pass: 'count' | 'write', size: number, kind: SelectionKind): GpuKernel {
    const key = `${pass} ${size} ${kind}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      kernel = this.#runner.gpu.kernel(selectKernel(pass, size, kind));
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }
}

function boundsOf(regions: readonly HaloRegion[]): Uint8Array<ArrayBuffer> {
  const bounds = new Float32Array(8 * Math.max(1, regions.length));
  regions.forEach(({ lower, upper }, k) => {
    for (let axis = 0; axis < 3; axis++) {
      bounds[8 * k + axis] = Math.max(-FARTHEST, lower[axis]!);
      bounds[8 * k + 4 + axis] = Math.min(FARTHEST, upper[axis]!);
    }
  });
  return new Uint8Array(bounds.buffer);
}

function frameParams({ dims, inverse, lower, length }: PositionFrame) {
  return {
    inverseX: [inverse[0]!, inverse[3]!, inverse[6]!, 0],
    inverseY: [inverse[1]!, inverse[4]!, inverse[7]!, 0],
    inverseZ: [inverse[2]!, inverse[5]!, inverse[8]!, 0],
    lower: [...lower, 0],
    perCell: [...length.map((one, k) => one / dims[k]!), 0],
  };
}
