import { type Grid, imageFlags } from '@corpuscle/core';
import type { FunctorIR } from '@corpuscle/functor';
import type { PairCall, Plan } from '../../plan/calls.js';
import { shapeKey, specialize } from '../../plan/specialize.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { type GpuKernel, mayBeOne } from '../device/GpuKernel.js';
import { moreBindings } from '../device/segmentedKernel.js';
import { threadPlaces } from '../kernels/addThreads.js';
import type { FunctorTables } from '../kernels/FunctorTables.js';
import type { FusedCells } from '../kernels/followingPart.js';
import { layoutKey } from '../kernels/ParticleAccess.js';
import { type PairKernelRequest, pairKernel } from '../kernels/pairKernel.js';
import { type PairVariant, pairRequest } from '../kernels/pairRequest.js';
import type { UsedBlocks } from '../kernels/usedBlocks.js';
import { withValues } from '../kernels/withValues.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { CallSums } from '../values/CallSums.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';

/** The kernel of a pair functor for one kind of call, and what it uses. */
export interface PairProgram {
  readonly kernel: GpuKernel;
  readonly blocks: UsedBlocks;
  /** Blocks that it reads of neighbors, besides positions. */
  readonly neighborBlocks: ReadonlySet<string>;
  /** Threads a particle. */
  readonly lanes: number;
  /** Bindings besides those of blocks: of the lists, of tables and partial sums. */
  readonly otherBindings: number;
  /** Bytes of workgroup memory. */
  readonly sharedBytes: number;
  /** The kernel that goes on with cell functors, null if it shall bin too and that is too much; null where it cannot go on. */
  readonly extend: ((fusedCells: FusedCells, grid: Grid) => ExtendedPairs | null) | null;
  readonly tables: FunctorTables;
  readonly totals: readonly DeviceResult[];
  readonly sums: CallSums | null;
  /** Blocks it overwrites without looking at what is there. */
  readonly fresh: ReadonlySet<string>;
}

/** A pair kernel that goes on with cell functors. */
export interface ExtendedPairs {
  readonly kernel: GpuKernel;
  readonly blocks: UsedBlocks;
  /** One for each cell functor, and each reduction after those. */
  readonly endTables: readonly FunctorTables[];
}

/** Particles from which fewer threads a particle keep a large device busy while each waits for memory. */
const MANY = 2 ** 18;
const SOME = 2 ** 14;
/** Particles up to which a device has threads to spare: each walks a short way. */
const FEW = 2 ** 12;
const FEWEST = 2 ** 10;

/** Kernels of pair functors over full neighbor lists. */
export class PairPrograms {
  readonly #gpu: GpuDevice;
  readonly #programs = new KernelCache<PairProgram>();
  readonly #byShape = new KernelCache<PairProgram>();
  /** Threads that share a particle's neighbors; null for a number that suits the device and the number of particles. */
  lanes: 1 | 2 | 4 | 8 | 16 | 32 | null = null;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /** Shapes of parameters lead to few programs: many numbers make the same choices in the functor. */
  of(plan: Plan<PairCall>, variant: PairVariant): PairProgram {
    const { functor } = plan;
    const { params, orthorhombic, format, lanes, zeroed } = variant;
    const layout = `${lanes}${orthorhombic ? 'o' : 't'}|${format.name}|${[...zeroed]}|${layoutOf(plan)}`;
    return this.#byShape.get(functor, layout + shapeKey(functor, params), () => {
      const { ir, choices } = specialize(functor.ir!, params);
      const key = `${layout}|${choices}`;
      return this.#programs.get(functor, key, () => this.#build(plan, ir, variant));
    });
  }

  /** Few particles leave most of a device idle, and each of its threads waits long for its neighbors. */
  lanesFor(count: number): number {
    // Partial results of smaller workgroups are combined for few particles only.
    const most = count > FEW ? 8 : count > FEWEST ? 16 : 32;
    if (this.lanes !== null) return Math.min(this.lanes, most);
    if (this.#gpu.info.software) return this.#gpu.resident.lanesToMeet(count, 2);
    if (count >= MANY) return 2;
    return count >= SOME ? 4 : this.#gpu.resident.lanesToMeet(count, most);
  }

  #build(plan: Plan<PairCall>, special: FunctorIR, variant: PairVariant): PairProgram {
    const { functor, grid } = plan;
    const { reals } = this.#gpu;
    const request = pairRequest(plan, special, variant, reals);
    const { ir, tables, lanes, lowered, moments, fresh } = request;
    const { source, blocks, totals } = pairKernel(request);
    const sums = totals.length > 0 ? new CallSums(this.#gpu, functor.name, totals) : null;
    const seen = Object.keys(ir.roles.j ?? {});
    return {
      kernel: this.#gpu.kernel(source),
      tables,
      blocks,
      neighborBlocks: new Set(seen.map((field) => grid.field(field).block)),
      totals,
      sums,
      lanes,
      otherBindings: 2 + (tables.hasTables ? 1 : 0) + (sums ? 1 : 0),
      sharedBytes: 4 * (lowered.fields.i.length + moments.length) * threadPlaces(lanes),
      fresh,
      extend: reals.state === 'f32' ? this.#extend.bind(this, request) : null,
    };
  }

  /** Grids that are alike to the pair call share its program; to calls that follow they need not be alike. */
  #extend(request: PairKernelRequest, fusedCells: FusedCells, grid: Grid): ExtendedPairs | null {
    const { source, blocks, cellTables } = pairKernel({ ...request, grid, fusedCells });
    const { limits, segmentBytes, resident } = this.#gpu;
    const others = moreBindings(source.buffers, grid.count, segmentBytes);
    const bound = limits.maxStorageBuffersPerShaderStage - others;
    // One kernel cannot bind image flags twice.
    const usesImages = blocks.some(({ name }) => name === imageFlags.name);
    if (fusedCells.bin && (usesImages || !mayBeOne(withValues(source), bound))) return null;
    const kernel = this.#gpu.kernel(source);
    // Texts that are written by hand may look at buffers.
    const functors = [request.functor, ...fusedCells.functors];
    const isPlain = functors.every(({ spec }) => spec.wgsl === undefined);
    if (isPlain && !fusedCells.bin && !fusedCells.waiting) resident.offer(kernel, source);
    return { kernel, endTables: cellTables, blocks };
  }
}

/** What the kernel's text depends on besides the functor and the variant. */
function layoutOf({ functor, grid, outputs, form }: Plan<PairCall>): string {
  const { i = {}, j = {} } = functor.ir!.roles;
  let key: string = form;
  key += layoutKey(grid, [...Object.keys(i), ...Object.keys(j)]);
  for (const name in outputs) key += `,${name}:${outputs[name]}`;
  return key;
}
