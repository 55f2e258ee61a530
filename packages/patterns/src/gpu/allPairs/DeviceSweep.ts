import type { NearestImages } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { withOutputs } from '@corpuscle/functor/passes';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, PairCall, ParameterValues, Plan, Totals } from '../../plan/calls.js';
import { pairBlocks } from '../../plan/pairBlocks.js';
import { shapeKey, specialize } from '../../plan/specialize.js';
import { totalsOf } from '../../plan/totalsOf.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelParams } from '../device/GpuKernel.js';
import { FunctorTables } from '../kernels/FunctorTables.js';
import { functorText } from '../kernels/functorText.js';
import { strainKey } from '../kernels/ParticleAccess.js';
import type { UsedBlocks } from '../kernels/usedBlocks.js';
import { CUTOFF, flattened } from '../kernels/withoutBranches.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import { placedResults } from '../pattern/PartialSums.js';
import { CallSums } from '../values/CallSums.js';
import type { PlacedResult } from '../wgsl/reduceWgsl.js';
import { AllPairsCall, NAN_BITS } from './AllPairsCall.js';
import type { AllPairsWork } from './AllPairsWork.js';
import type { WrappedBox } from './PackedSets.js';
import { turnValues } from './packParticles.js';
import { reachValues } from './reachValues.js';
import { refuseOutputs } from './refuseOutputs.js';
import { sweepKernel } from './sweepKernel.js';
import { rowBytes, type SweepParts, sweepNames, sweepResults } from './sweepPart.js';
import { TILE } from './TileWalk.js';
import { variantOf } from './tileVariant.js';

/** Particles up to which a sweep costs less than the dispatches of packed sets and tiles. */
const MOST_SWEPT = 4096;

/** Bytes of workgroup memory that are left for sums and trees. */
const SUM_BYTES = 14336;
/** Tiles of which loads are under way at the same time. */
const MOST_TILES = 16;

/** Its text and parameters as one of the sweeps of a kernel. */
export interface SweepBinding {
  readonly parts: SweepParts;
  /** Parameters of the kernel. */
  readonly values: KernelParams;
}

/** What it is bound to, and the bindings by their number in a kernel, made when they are asked for. */
interface SweepBindings {
  /** What texts depend on. */
  readonly shape: string;
  readonly partsOf: SweepParts[];
  readonly made: SweepBinding[];
  make(number: number, parts: SweepParts | undefined): SweepBinding;
}

/** A kernel of its own. */
interface Alone {
  readonly parts: SweepParts;
  readonly lanes: number;
  readonly kernel: GpuKernel;
  readonly blocks: UsedBlocks;
  /** Its totals; null without any. */
  readonly sums: CallSums | null;
}

/** Whether a call over all pairs is a sweep: few particles, all of them, in single precision, results that stay on the device. */
export function isSweep(
  gpu: GpuDevice,
  { grid, functor, allPairs, ...plan }: Plan<PairCall>,
): boolean {
  const isAll = allPairs && !allPairs.central && !allPairs.neighbors;
  const hasTables = Object.values(functor.ir!.roles.p ?? {}).some(({ array }) => array);
  const stays = plan.into !== undefined || totalsOf(plan).length === 0;
  const isPlain = !hasTables && functor.spec.wgsl === undefined;
  return (
    Boolean(isAll) && stays && isPlain && gpu.reals.state === 'f32' && grid.count <= MOST_SWEPT
  );
}

/**
 * A pair functor for all pairs of few particles: one dispatch, see `sweepPart`. Where lists have all pairs within its cutoff it may be
 * part of that of a pair call over these, see `listedSweep`.
 */
export class DeviceSweep extends AllPairsCall<SweepBindings> {
  readonly kind = 'sweep';
  /** Blocks that it uses, those that it reads of neighbors, and those that it writes. */
  readonly blocks: ReadonlySet<string>;
  readonly neighborBlocks: ReadonlySet<string>;
  readonly writtenBlocks: ReadonlySet<string>;
  #alone: Alone | null = null;
  /** Images of which is known whether one is near. */
  #images: NearestImages | null = null;
  #isNear = false;

  constructor(runner: CallRunner, work: AllPairsWork, plan: Plan<PairCall>) {
    super(runner, work, plan);
    const { read, neighbors, added } = pairBlocks(plan);
    this.neighborBlocks = neighbors;
    this.writtenBlocks = added;
    this.blocks = new Set(['position', ...read, ...neighbors, ...added]);
  }

  /** Memory of a workgroup. */
  get workgroupBytes(): number {
    return this.runner.gpu.limits.maxComputeWorkgroupStorageSize;
  }

  /** Its cutoff. */
  get rcut(): number {
    return this.plan.rcut;
  }

  /** Whether no particle is within its cutoff of two images of another: lists have all of them. */
  get isNear(): boolean {
    const { images } = this.work.setsOf(this.grid).wrapped(this.plan.allPairs!.images);
    if (images !== this.#images) {
      const { kind, basis, inner2 } = images;
      const edges = basis.filter((edge) => edge !== 0).map((edge) => (edge / 2) ** 2);
      this.#isNear = this.rcut ** 2 < (kind === 'triclinic' ? inner2 : Math.min(...edges));
      this.#images = images;
    }
    return this.#isNear;
  }

  /** Its text and parameters. @param number of those before it in the kernel */
  bindAs(number: number, params: ParameterValues): SweepBinding {
    const { partsOf, made, make } = this.bind(params);
    made[number] ??= make(number, partsOf[number]);
    partsOf[number] = made[number].parts;
    return made[number];
  }

  /** Its totals and where they go among the values of the context. */
  intoValues({ params }: CallArguments): readonly PlacedResult[] {
    const { into } = this.plan;
    if (!into) return [];
    return placedResults(sweepResults(this.bindAs(0, params).parts), into, Object.keys(this.zeros));
  }

  record({ params }: CallArguments): PatternHandle<Totals> {
    const { grid, zeros } = this;
    if (grid.count === 0) return completed(zeros);
    const { gpu, residency } = this.runner;
    const { parts, values } = this.bindAs(0, params);
    const { kernel, blocks, lanes, sums } = this.#aloneFor(parts);
    const bound = boundBlocks(grid, residency, blocks);
    const groups = Math.ceil(grid.count / (TILE / lanes));
    const buffers = bound.buffers();
    if (sums) buffers.push(sums.reserve(groups, lanes));
    gpu.operation = this.name;
    gpu.stream.dispatch(kernel, buffers, { ...values, groups, one: 1 }, groups);
    bound.written();
    return sums ? sums.finish(zeros, this.plan.into) : completed(zeros);
  }

  protected make(
    params: ParameterValues,
    wrapped: WrappedBox,
    before: SweepBindings | null,
  ): SweepBindings {
    const { rcut, functor, grid } = this.plan;
    const { images, turns, box, frame } = wrapped;
    const variant = variantOf(images, rcut, box, frame, { listed: false, strain: strainOf(grid) });
    const all = Math.ceil(grid.count / TILE);
    const shape = `${variant.box} ${all} ${shapeKey(functor, params)} ${strainKey(grid)}`;
    const { count } = grid;
    const { e0, e1, e2, inner2, rcut2 } = reachValues(turns, images, rcut);
    const make: SweepBindings['make'] = (number, known) => {
      const parts = known ?? this.#parts(number, params, variant, all);
      const values: KernelParams = {
        ...parts.tables.values({ [CUTOFF]: rcut2!, ...params }),
        ...turnValues(turns, frame),
        ...{ e0: e0!, e1: e1!, e2: e2!, inner2: inner2! },
        [parts.names.reach2]: rcut2!,
        sweepRounds: Math.ceil(count / (TILE * parts.tiles)),
        sweepNan: NAN_BITS,
        particles: count,
      };
      return { parts, values };
    };
    return { shape, partsOf: before?.shape === shape ? before.partsOf : [], made: [], make };
  }

  /** @param number of sweeps before it in the kernel. @param all tiles of particles. */
  #parts(
    number: number,
    params: ParameterValues,
    variant: SweepParts['variant'],
    all: number,
  ): SweepParts {
    const { outputs } = this.plan;
    const functor = this.plan.functor as Functor<'pair'>;
    const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
    const branched = withOutputs(specialize(functor.ir!, params).ir, kept);
    const flat = flattened(branched);
    const ir = flat ?? branched;
    const names = sweepNames(number);
    const tables = new FunctorTables(ir, names.prefix);
    const lowered = functorText(functor, ir, tables, names.suffix);
    refuseOutputs(
      { functor, ir },
      lowered.fields.i.filter(({ written }) => written),
    );
    const room = (this.workgroupBytes - SUM_BYTES) / (TILE * rowBytes(lowered));
    const most = Math.max(1, Math.min(MOST_TILES, Math.floor(room)));
    const tiles = Math.ceil(all / Math.ceil(all / most));
    const isWhole = tiles >= all;
    return {
      functor,
      names,
      ir,
      isFlat: flat !== null,
      lowered,
      tables,
      outputs,
      variant,
      tiles,
      isWhole,
    };
  }

  #aloneFor(parts: SweepParts): Alone {
    const lanes = this.runner.pairs.lanesFor(this.grid.count);
    if (this.#alone?.parts === parts && this.#alone.lanes === lanes) return this.#alone;
    const { gpu } = this.runner;
    const { source, blocks } = sweepKernel(parts, this.grid, lanes);
    const results = sweepResults(parts);
    const sums = results.length > 0 ? new CallSums(gpu, this.name, results) : null;
    this.#alone = { parts, lanes, kernel: gpu.kernel(source), blocks, sums };
    return this.#alone;
  }
}
