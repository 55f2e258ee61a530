import { type Grid, imageFlags } from '@corpuscle/core';
import type { Functor, FunctorIR } from '@corpuscle/functor';
import { type OutputKind, sumOutputs, withOutputs } from '@corpuscle/functor/passes';
import type { PairCall, ParameterValues, Plan } from '../../plan/calls.js';
import { pairBlocks } from '../../plan/pairBlocks.js';
import { specialize } from '../../plan/specialize.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { type GpuKernel, mayBeOne } from '../device/GpuKernel.js';
import { moreBindings } from '../device/segmentedKernel.js';
import { realSums } from '../double/PairSums.js';
import { threadPlaces } from '../kernels/addThreads.js';
import { FunctorTables } from '../kernels/FunctorTables.js';
import type { FusedCells } from '../kernels/followingPart.js';
import { functorText } from '../kernels/functorText.js';
import { layoutKey } from '../kernels/ParticleAccess.js';
import { pairKernel } from '../kernels/pairKernel.js';
import { pairMoments } from '../kernels/pairMoments.js';
import { NOTHING, type UsedBlocks } from '../kernels/usedBlocks.js';
import { withoutBranches } from '../kernels/withoutBranches.js';
import type { EntryFormat } from '../neighbors/EntryFormat.js';
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

/** What a program depends on besides the plan of the call. */
export interface PairVariant {
  readonly params: ParameterValues;
  readonly orthorhombic: boolean;
  readonly format: EntryFormat;
  /** Threads wanted for a particle. */
  readonly lanes: number;
  /** Blocks that are zero before the call. */
  readonly zeroed: ReadonlySet<string>;
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
    const layout = `${lanes}${orthorhombic ? 'o' : 't'}${format.rowBits}${[...zeroed]}|${layoutOf(plan)}`;
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
    const { functor, grid, outputs, form } = plan;
    const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
    const { reals } = this.#gpu;
    const bufferless = form !== 'buffered';
    const isPlain = bufferless && reals.state === 'f32';
    const moments = isPlain ? pairMoments(plan, withOutputs(special, kept)) : [];
    for (const { field } of moments) kept.delete(field);
    const reduced = withOutputs(special, kept);
    const handWritten = functor.spec.wgsl !== undefined;
    const onlySums = handWritten || [...sumOutputs(reduced).values()].every(isSum);
    const mayFlatten = bufferless && reals.pair === 'f32' && onlySums && !handWritten;
    const flattened = mayFlatten ? withoutBranches(reduced) : null;
    const ir = flattened ?? reduced;
    const lanes = bufferless && onlySums ? variant.lanes : 1;
    const fresh = onlySums && !handWritten ? overwritten(plan, variant.zeroed) : NOTHING;
    const tables = new FunctorTables(ir, '', reals.pair);
    const isLong = reals.pair === 'f64';
    const gathered = isLong && onlySums ? realSums(ir) : NOTHING;
    const lowered = functorText(functor, ir, tables, '', { gathered, hoist: isLong });
    const { orthorhombic, format } = variant;
    const flat = flattened !== null;
    const how = { orthorhombic, format, lanes, flat, reals, fresh, moments, gathered };
    const request = { ...plan, ...how, ir, lowered, tables, fusedCells: null };
    const { source, blocks, totals } = pairKernel(request);
    const sums = totals.length > 0 ? new CallSums(this.#gpu, functor.name, totals) : null;
    // Grids that are alike to the pair call share its program; to calls that follow they need not be alike.
    const extend = (fusedCells: FusedCells, grid: Grid) => {
      const { source, blocks, cellTables } = pairKernel({ ...request, grid, fusedCells });
      const { limits, segmentBytes } = this.#gpu;
      const values = strainOf(grid) ? 1 : 0; // of the context
      const others = values + moreBindings(source.buffers, grid.count, segmentBytes);
      const bound = limits.maxStorageBuffersPerShaderStage - others;
      // One kernel cannot bind image flags twice.
      const usesImages = blocks.some(({ name }) => name === imageFlags.name);
      if (fusedCells.bin && (usesImages || !mayBeOne(source, bound))) return null;
      const kernel = this.#gpu.kernel(source);
      // Texts that are written by hand may look at buffers.
      const isPlain = [functor, ...fusedCells.functors].every(
        ({ spec }) => spec.wgsl === undefined,
      );
      if (isPlain && !fusedCells.bin) this.#gpu.resident.offer(kernel, source);
      return { kernel, endTables: cellTables, blocks };
    };
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
      extend: reals.state === 'f32' ? extend : null,
    };
  }
}

/** The zeroed blocks, if the call adds to all of them and looks at none. */
function overwritten(plan: Plan<PairCall>, zeroed: ReadonlySet<string>): ReadonlySet<string> {
  const { read, neighbors, added } = pairBlocks(plan);
  const isOverwritten = (block: string) =>
    added.has(block) && !read.has(block) && !neighbors.has(block);
  return [...zeroed].every(isOverwritten) ? zeroed : NOTHING;
}

const isSum = (kind: OutputKind): boolean => kind === 'sum';

/** What the kernel's text depends on besides the functor and the variant. */
function layoutOf({ functor, grid, outputs, form }: Plan<PairCall>): string {
  const { i = {}, j = {} } = functor.ir!.roles;
  let key: string = form;
  key += layoutKey(grid, [...Object.keys(i), ...Object.keys(j)]);
  for (const name in outputs) key += `,${name}:${outputs[name]}`;
  return key;
}

/** All of the parameters that `specialize` looks at. */
export function shapeKey(functor: Functor, params: ParameterValues): string {
  let key = '|';
  for (const [name, { type, array }] of Object.entries(functor.ir!.roles.p ?? {})) {
    const value = params[name];
    if (typeof value === 'object') key += `,${array && value.length === 1 ? 1 : 0}`;
    else if (type !== 'real') key += `,${value}`;
  }
  return key;
}
