import type { Grid } from '@corpuscle/core';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { AllPairs } from '../../plan/AllPairs.js';
import {
  type CallArguments,
  type PairCall,
  type ParameterValues,
  type Plan,
  type Totals,
  zeroTotals,
} from '../../plan/calls.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { DeviceCall } from '../calls/DeviceCall.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { ParamRecord } from '../device/GpuKernel.js';
import { type BoundBlocks, boundBlocks } from '../pattern/BoundBlocks.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';
import { AllPairsPrograms, type TileProgram } from './AllPairsPrograms.js';
import { PackedSets, type WrappedBox } from './PackedSets.js';
import { reachValues } from './reachValues.js';
import { TILE } from './TileWalk.js';
import { variantOf } from './tileVariant.js';

/** Workgroups that keep a large device busy; the tiles are shared out until there are about as many. */
const BUSY = 2048;

/** The bits of a number that is none. */
const NAN_BITS = 0x7fc00000;

/** Pairs of a dispatch, which keep a device busy for some tenths of a second, and workgroups that it has at least. */
const DISPATCH = { f32: 1e11, f64: 1e10, groups: 512 };

/** What calls over all pairs share: kernels, sets of particles, scratch. */
export class AllPairsWork {
  readonly programs: AllPairsPrograms;
  /** Parts of sums of particles. */
  readonly partial: GrowingBuffer;
  /** Can be set for tests. */
  dispatchLimits = DISPATCH;
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #sets = new WeakMap<Grid, PackedSets>();

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.programs = new AllPairsPrograms(gpu);
    this.partial = new GrowingBuffer(gpu, 'all pairs: partial sums');
  }

  /** The sets of a grid. */
  setsOf(grid: Grid): PackedSets {
    let sets = this.#sets.get(grid);
    if (!sets) {
      sets = new PackedSets(this.#gpu, this.#residency, grid);
      this.#sets.set(grid, sets);
    }
    return sets;
  }
}

/** A dispatch of tiles from a workgroup on. */
interface TileDispatch {
  readonly record: ParamRecord;
  readonly groups: number;
}

/** What stays while box, frame, parameters and numbers of particles do. */
interface Binding {
  readonly wrapped: WrappedBox;
  readonly count: number;
  readonly params: ParameterValues;
  readonly program: TileProgram;
  /** Workgroups of all dispatches. */
  readonly groups: number;
  readonly partialBytes: number;
  readonly tiles: readonly TileDispatch[];
  readonly tileVersionAt: number;
  readonly gather: ParamRecord;
  readonly gatherGroups: number;
  readonly gatherVersionAt: number;
  readonly read: BoundBlocks;
  readonly stored: BoundBlocks;
}

/** A pair functor for all pairs of two sets of particles on the device; see `AllPairsOptions`. */
export class DeviceAllPairs extends DeviceCall<Totals> {
  readonly kind = 'other';
  readonly #plan: Plan<PairCall>;
  readonly #allPairs: AllPairs;
  readonly #work: AllPairsWork;
  readonly #zeros: Totals;
  #binding: Binding | null = null;
  /** What the kernels bind. */
  readonly #bindings: GPUBuffer[] = [];

  constructor(runner: CallRunner, work: AllPairsWork, plan: Plan<PairCall>) {
    super(runner, plan.functor.name, plan.grid);
    this.#work = work;
    this.#plan = plan;
    this.#allPairs = plan.allPairs!;
    this.#zeros = zeroTotals(plan);
  }

  record({ params }: CallArguments): PatternHandle<Totals> {
    const { grid } = this;
    const { central, neighbors, labels, starts } = this.#allPairs;
    if ((central?.length ?? grid.count) === 0 || (neighbors?.length ?? grid.count) === 0)
      return completed(this.#zeros);
    const { gpu, residency } = this.runner;
    const sets = this.#work.setsOf(grid);
    const binding = this.#bindingFor(params, sets.wrapped(this.#allPairs.images));
    const { program, groups, wrapped } = binding;
    const others = sets.pack(neighbors, labels, wrapped);
    const centrals = central === neighbors ? others : sets.pack(central, labels, wrapped);
    const { version } = residency.ensurePositions(grid);
    const { tables, sums } = program;
    const bound = this.#bindings;
    bound.length = 0;
    bound.push(...binding.read.buffers(), centrals.buffer, others.buffer);
    if (starts) bound.push(residency.ensure(starts.block, starts.length).buffer);
    if (tables.hasTables) bound.push(tables.buffer(gpu, this.name, params));
    if (program.stored > 0) bound.push(this.#work.partial.reserve(binding.partialBytes));
    if (sums) bound.push(sums.reserve(groups), sets.fault);
    gpu.operation = this.name;
    for (const tile of binding.tiles) {
      tile.record.u32[binding.tileVersionAt] = version;
      gpu.stream.dispatchWritten(program.tileKernel, bound, tile.record, tile.groups);
    }
    if (program.stored > 0) this.#gather(binding, version, centrals.buffer, sets.fault);
    if (!sums) return completed(this.#zeros);
    return sums.finish(this.#zeros, this.#plan.into);
  }

  /** Adds the parts of each sum to the particles. */
  #gather(binding: Binding, version: number, centrals: GPUBuffer, fault: GPUBuffer): void {
    const { program, stored, gather, gatherGroups } = binding;
    const bound = this.#bindings;
    bound.length = 0;
    bound.push(...stored.buffers(), centrals, this.#work.partial.buffer, fault);
    gather.u32[binding.gatherVersionAt] = version;
    this.runner.gpu.stream.dispatchWritten(program.gatherKernel, bound, gather, gatherGroups);
    stored.written();
  }

  #bindingFor(params: ParameterValues, wrapped: WrappedBox): Binding {
    const known = this.#binding;
    const isSame = known?.wrapped === wrapped && known.count === this.grid.count;
    if (isSame && known.params === params) return known;
    this.#binding = this.#bind(params, wrapped);
    return this.#binding;
  }

  #bind(params: ParameterValues, wrapped: WrappedBox): Binding {
    const plan = this.#plan;
    const { grid, rcut } = plan;
    const { central, neighbors, starts } = this.#allPairs;
    const { images, turns, box, frame } = wrapped;
    const { gpu, residency } = this.runner;
    const work = this.#work;
    const variant = variantOf(images, rcut, box, frame, starts !== null);
    const program = work.programs.of(plan, params, variant);
    const centralCount = central?.length ?? grid.count;
    const otherCount = neighbors?.length ?? grid.count;
    const centralGroups = Math.ceil(centralCount / TILE);
    const tiles = Math.ceil(otherCount / TILE);
    const most = variant.listed ? 1 : tiles;
    const wanted = Math.min(most, Math.max(1, Math.round(BUSY / centralGroups)));
    const tilesPerSplit = Math.ceil(tiles / wanted);
    const splits = Math.ceil(tiles / tilesPerSplit);
    const groups = centralGroups * splits;
    const bytes = gpu.reals.state === 'f64' ? 8 : 4;
    const values = {
      ...program.tables.values(params),
      ...reachValues(turns, images, rcut),
      centralCount,
      otherCount,
      centralPadded: TILE * centralGroups,
      otherPadded: TILE * tiles,
      centralGroups,
      tiles,
      tilesPerSplit,
      oneSet: central === neighbors ? 1 : 0,
      groups,
      nan: NAN_BITS,
      version: 0,
      one: 1,
    };
    const together = this.#dispatchSize(TILE * TILE * tilesPerSplit);
    const { tileKernel, gatherKernel } = program;
    const dispatches: TileDispatch[] = [];
    for (let firstGroup = 0; firstGroup < groups; firstGroup += together) {
      const record = tileKernel.newRecord();
      tileKernel.writeParams(record, 0, { ...values, firstGroup });
      dispatches.push({ record, groups: Math.min(together, groups - firstGroup) });
    }
    const gather = gatherKernel.newRecord();
    gatherKernel.writeParams(gather, 0, { centralCount, splits, nan: NAN_BITS, version: 0 });
    return {
      wrapped,
      count: grid.count,
      params,
      program,
      groups,
      partialBytes: bytes * splits * program.stored * centralCount,
      tiles: dispatches,
      tileVersionAt: tileKernel.wordOf('version'),
      gather,
      gatherGroups: Math.ceil(centralCount / gatherKernel.workgroupSize),
      gatherVersionAt: gatherKernel.wordOf('version'),
      read: boundBlocks(grid, residency, program.tileBlocks),
      stored: boundBlocks(grid, residency, program.gatherBlocks),
    };
  }

  /** Workgroups of a dispatch, if one has so many pairs: none may take so long that the driver ends it. */
  #dispatchSize(pairs: number): number {
    const { groups, [this.runner.gpu.reals.state]: most } = this.#work.dispatchLimits;
    return Math.max(groups, Math.floor(most / pairs));
  }
}
