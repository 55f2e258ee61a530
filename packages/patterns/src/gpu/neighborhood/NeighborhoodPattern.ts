import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import { type PairCall, type Totals, zeroTotals } from '../../plan/calls.js';
import { shapeKey } from '../../plan/specialize.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { pairDoubleValues } from '../double/pairDoubles.js';
import { layoutKey } from '../kernels/ParticleAccess.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { tableBuffers } from '../pattern/UploadCache.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { buildProgram, type NeighborhoodProgram, shapeOf } from './NeighborhoodProgram.js';
import { SCATTER_LANES } from './scatterKernel.js';

/**
 * A functor of whole neighborhoods on the device, over full neighbor lists.
 *
 * Threads have a buffer for as many neighbors as the cutoff's share of the longest list suggests. Particles with more than
 * that are noted, and a second kernel, with room for the longest list, takes them: nothing is cut off, and the host does not wait.
 */
export class NeighborhoodPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #scattered: GrowingBuffer;
  readonly #programs = new KernelCache<NeighborhoodProgram>();

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#scattered = new GrowingBuffer(gpu, "neighbors' share");
  }

  /** @param lists current lists that reach the cutoff */
  run(call: PairCall, lists: DeviceLists): PatternHandle<Totals> {
    const { grid, functor, params, rcut } = call;
    const program = this.#program(call, lists);
    const { kernels, tables, sums, scattered, perGroup } = program;
    const { stream } = this.#gpu;
    const groups = Math.ceil(grid.count / perGroup);
    const allGroups = groups * kernels.length;
    const bound = boundBlocks(grid, this.#residency, program.blocks);
    const buffers = bound.buffers();
    const rest = [...tableBuffers(this.#gpu, functor.name, tables, params)];
    if (scattered || kernels.length > 1) {
      const words = grid.count * (scattered?.words ?? 1);
      rest.push(this.#scattered.reserve(4 * words));
      stream.clear(this.#scattered.buffer, 0, 4 * words);
    }
    if (sums) rest.push(sums.reserve(allGroups));
    const { frame } = this.#residency.ensurePositions(grid);
    const values = {
      ...frameValues(frame),
      ...tables.values(params),
      rcut2: rcut * rcut,
      ...pairDoubleValues(frame, rcut, lists),
      count: grid.count,
      stride: lists.stride,
      groups: allGroups,
      one: 1,
    };
    kernels.forEach((kernel, pass) => {
      for (const { first, end, entries } of lists.chunks) {
        const firstGroup = pass * groups + first / perGroup;
        stream.dispatch(
          kernel,
          [...buffers, lists.counts.buffer, entries.buffer, ...rest],
          { ...values, first, end, firstGroup },
          Math.ceil((end - first) / perGroup),
        );
      }
    });
    bound.written();
    if (scattered) {
      const fields = boundBlocks(grid, this.#residency, scattered.blocks);
      const all = [...fields.buffers(), this.#scattered.buffer];
      stream.dispatch(scattered.kernel, all, values, Math.ceil(grid.count / SCATTER_LANES));
      fields.written();
    }
    const zeros = zeroTotals(call);
    return sums ? sums.finish(zeros, call.into) : completed(zeros);
  }

  #program(call: PairCall, lists: DeviceLists): NeighborhoodProgram {
    const { functor, grid, outputs, params } = call;
    const { i = {}, n = {}, j = {} } = functor.ir!.roles;
    const looked = Object.keys(functor.ir!.pack?.roles.j ?? {});
    const fields = [...Object.keys({ ...i, ...n, ...j }), ...looked];
    const visit = shapeOf(call);
    const capacity = visit === 'each' ? 1 : bufferSize(call, lists);
    let key = `${visit} ${lists.frame!.domain.isOrthorhombic} ${lists.format.name} ${capacity} ${lists.capacity}`;
    key += layoutKey(grid, fields);
    for (const name in outputs) key += `,${name}:${outputs[name]}`;
    key += shapeKey(functor, params);
    return this.#programs.get(functor, key, () => buildProgram(this.#gpu, call, lists, capacity));
  }
}

/** Neighbors within the cutoff where the longest list is evenly filled, and half as many again; steps of eight. */
function bufferSize({ rcut }: PairCall, { capacity, radius }: DeviceLists): number {
  const expected = capacity * (rcut / radius) ** 3 * 1.5 + 4;
  const size = 8 * Math.ceil(expected / 8);
  return size > 0.75 * capacity ? capacity : size;
}
