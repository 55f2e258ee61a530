import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import {
  type CallArguments,
  type PairCall,
  type Plan,
  type Totals,
  zeroTotals,
} from '../../plan/calls.js';
import { shapeKey } from '../../plan/specialize.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { DeviceCall } from '../calls/DeviceCall.js';
import { listsFor } from '../calls/DevicePairs.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { pairDoubleValues } from '../double/pairDoubles.js';
import { layoutKey } from '../kernels/ParticleAccess.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { tableBuffers } from '../pattern/UploadCache.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { buildProgram, type NeighborhoodProgram, shapeOf } from './NeighborhoodProgram.js';
import { SCATTER_LANES } from './scatterKernel.js';

/** What calls share: kernels, and room for what neighbors receive. */
export class NeighborhoodWork {
  readonly programs = new KernelCache<NeighborhoodProgram>();
  readonly scattered: GrowingBuffer;

  constructor(gpu: GpuDevice) {
    this.scattered = new GrowingBuffer(gpu, "neighbors' share");
  }
}

/**
 * A functor of whole neighborhoods on the device, over full neighbor lists.
 *
 * Threads have a buffer for as many neighbors as the cutoff's share of the longest list suggests. Particles with more than
 * that are noted, and a second kernel, with room for the longest list, takes them: nothing is cut off, and the host does not wait.
 */
export class NeighborhoodPairs extends DeviceCall<Totals> {
  readonly kind = 'neighborhood';
  readonly #plan: Plan<PairCall>;
  readonly #work: NeighborhoodWork;

  constructor(runner: CallRunner, work: NeighborhoodWork, plan: Plan<PairCall>) {
    super(runner, plan.functor.name, plan.grid);
    this.#plan = plan;
    this.#work = work;
  }

  record(args: CallArguments): PatternHandle<Totals> {
    const plan = this.#plan;
    const { grid, rcut } = plan;
    const zeros = zeroTotals(plan);
    if (grid.count === 0) return completed(zeros);
    const { gpu, residency } = this.runner;
    const { stream } = gpu;
    const lists = listsFor(plan, this.runner);
    const program = this.#program({ ...plan, ...args }, lists);
    const { kernels, tables, sums, scattered, perGroup } = program;
    const received = this.#work.scattered;
    const groups = Math.ceil(grid.count / perGroup);
    const allGroups = groups * kernels.length;
    const bound = boundBlocks(grid, residency, program.blocks);
    const buffers = bound.buffers();
    const rest = [...tableBuffers(gpu, this.name, tables, args.params)];
    if (scattered || kernels.length > 1) {
      const words = grid.count * (scattered?.words ?? 1);
      rest.push(received.reserve(4 * words));
      stream.clear(received.buffer, 0, 4 * words);
    }
    if (sums) rest.push(sums.reserve(allGroups));
    const { frame } = residency.ensurePositions(grid);
    const values = {
      ...frameValues(frame),
      ...tables.values(args.params),
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
      const fields = boundBlocks(grid, residency, scattered.blocks);
      const all = [...fields.buffers(), received.buffer];
      stream.dispatch(scattered.kernel, all, values, Math.ceil(grid.count / SCATTER_LANES));
      fields.written();
    }
    return sums ? sums.finish(zeros, plan.into) : completed(zeros);
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
    return this.#work.programs.get(functor, key, () =>
      buildProgram(this.runner.gpu, call, lists, capacity),
    );
  }
}

/** Neighbors within the cutoff where the longest list is evenly filled, and half as many again; steps of eight. */
function bufferSize({ rcut }: PairCall, { capacity, radius }: DeviceLists): number {
  const expected = capacity * (rcut / radius) ** 3 * 1.5 + 4;
  const size = 8 * Math.ceil(expected / 8);
  return size > 0.75 * capacity ? capacity : size;
}
