import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { AllPairs } from '../../plan/AllPairs.js';
import type { CallArguments, PairCall, ParameterValues, Plan, Totals } from '../../plan/calls.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { ParamRecord } from '../device/GpuKernel.js';
import { type BoundBlocks, boundBlocks } from '../pattern/BoundBlocks.js';
import { tableBuffers } from '../pattern/UploadCache.js';
import { AllPairsCall, NAN_BITS } from './AllPairsCall.js';
import type { TileProgram } from './AllPairsPrograms.js';
import type { AllPairsWork } from './AllPairsWork.js';
import type { WrappedBox } from './PackedSets.js';
import { reachValues } from './reachValues.js';
import { TILE } from './TileWalk.js';
import { variantOf } from './tileVariant.js';

/** Workgroups that keep a large device busy; the tiles are shared out until there are about as many. */
const BUSY = 2048;

/** A dispatch of tiles from a workgroup on. */
interface TileDispatch {
  readonly record: ParamRecord;
  readonly groups: number;
}

/** What stays while box, frame, parameters and numbers of particles do. */
interface Binding {
  readonly wrapped: WrappedBox;
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
export class DeviceAllPairs extends AllPairsCall<Binding> {
  readonly kind = 'other';
  readonly #allPairs: AllPairs;
  /** What the kernels bind. */
  readonly #bindings: GPUBuffer[] = [];

  constructor(runner: CallRunner, work: AllPairsWork, plan: Plan<PairCall>) {
    super(runner, work, plan);
    this.#allPairs = plan.allPairs!;
  }

  record({ params }: CallArguments): PatternHandle<Totals> {
    const { grid } = this;
    const { central, neighbors, labels, starts } = this.#allPairs;
    if ((central?.length ?? grid.count) === 0 || (neighbors?.length ?? grid.count) === 0)
      return completed(this.zeros);
    const { gpu, residency } = this.runner;
    const sets = this.work.setsOf(grid);
    const binding = this.bind(params);
    const { program, groups, wrapped } = binding;
    const others = sets.pack(neighbors, labels, wrapped);
    const centrals = central === neighbors ? others : sets.pack(central, labels, wrapped);
    const { version } = residency.ensurePositions(grid);
    const { tables, sums } = program;
    const bound = this.#bindings;
    bound.length = 0;
    bound.push(...binding.read.buffers(), centrals.buffer, others.buffer);
    if (starts) bound.push(residency.ensure(starts.block, starts.length).buffer);
    bound.push(...tableBuffers(gpu, this.name, tables, params));
    if (program.stored > 0) bound.push(this.work.partial.reserve(binding.partialBytes));
    if (sums) bound.push(sums.reserve(groups), sets.fault);
    gpu.operation = this.name;
    for (const tile of binding.tiles) {
      tile.record.u32[binding.tileVersionAt] = version;
      gpu.stream.dispatchWritten(program.tileKernel, bound, tile.record, tile.groups);
    }
    if (program.stored > 0) this.#gather(binding, version, centrals.buffer, sets.fault);
    if (!sums) return completed(this.zeros);
    return sums.finish(this.zeros, this.plan.into);
  }

  /** Adds the parts of each sum to the particles. */
  #gather(binding: Binding, version: number, centrals: GPUBuffer, fault: GPUBuffer): void {
    const { program, stored, gather, gatherGroups } = binding;
    const bound = this.#bindings;
    bound.length = 0;
    bound.push(...stored.buffers(), centrals, this.work.partial.buffer, fault);
    gather.u32[binding.gatherVersionAt] = version;
    this.runner.gpu.stream.dispatchWritten(program.gatherKernel, bound, gather, gatherGroups);
    stored.written();
  }

  protected make(params: ParameterValues, wrapped: WrappedBox): Binding {
    const plan = this.plan;
    const { grid, rcut } = plan;
    const { central, neighbors, starts } = this.#allPairs;
    const { images, turns, box, frame } = wrapped;
    const { gpu, residency } = this.runner;
    const work = this.work;
    const variant = variantOf(images, rcut, box, frame, {
      listed: starts !== null,
      strain: strainOf(grid),
    });
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
    const { groups, [this.runner.gpu.reals.state]: most } = this.work.dispatchLimits;
    return Math.max(groups, Math.floor(most / pairs));
  }
}
