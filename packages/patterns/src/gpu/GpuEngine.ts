import type { BlockSpec, FieldBlock, Grid } from '@corpuscle/core';
import { host } from '@corpuscle/core/platform';
import type { ResultRecord } from '@corpuscle/functor/ir';
import type { MemoryOfBlock } from '../engine/blockCopy.js';
import type { DeviceHalo, HaloDevice } from '../engine/DeviceHalo.js';
import type { DeviceMemory, DeviceNeeds } from '../engine/DeviceMemory.js';
import type { DeviceParticles } from '../engine/DeviceParticles.js';
import type { DeviceCounters, DeviceProfile } from '../engine/DeviceStatus.js';
import type { Device, EngineCall, EngineStep, StepCall } from '../engine/Engine.js';
import type { EngineStrain, StrainEngine } from '../engine/StrainEngine.js';
import type { TraceSlice } from '../engine/TraceSlice.js';
import { completed } from '../handles/handles.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type {
  BlockCall,
  CallArguments,
  CellCall,
  NeighborCall,
  NeighborUpdate,
  PairCall,
  Plan,
  RecordCall,
  ReduceCall,
  Totals,
  ValueCall,
} from '../plan/calls.js';
import type { Precision } from '../plan/chooseBackend.js';
import type { EngineValues } from '../value/EngineValues.js';
import { AllPairsWork } from './allPairs/AllPairsWork.js';
import { DeviceAllPairs } from './allPairs/DeviceAllPairs.js';
import { DeviceSweep, isSweep } from './allPairs/DeviceSweep.js';
import { prepareStrain } from './box/prepareStrain.js';
import { CallRunner } from './calls/CallRunner.js';
import { DeviceCells } from './calls/DeviceCells.js';
import { DevicePairs } from './calls/DevicePairs.js';
import { DeviceReduction } from './calls/DeviceReduction.js';
import type { GpuStepCall } from './calls/GpuCall.js';
import type { PairPrograms } from './calls/PairPrograms.js';
import { Accounts } from './device/Accounts.js';
import type { GpuInfo } from './device/findAdapter.js';
import { newCounters } from './device/GpuCounters.js';
import type { GpuDevice } from './device/GpuDevice.js';
import type { DevicePrecisions } from './double/preparePrecision.js';
import { GridHalo } from './halo/GridHalo.js';
import { NeighborhoodPairs, NeighborhoodWork } from './neighborhood/NeighborhoodPairs.js';
import { ListUpdates } from './neighbors/ListUpdates.js';
import type { Neighbors } from './neighbors/Neighbors.js';
import { BlockPattern } from './pattern/BlockPattern.js';
import { RecordPattern } from './pattern/RecordPattern.js';
import { deviceNeeds } from './residency/deviceNeeds.js';
import { devicePlaces } from './residency/devicePlaces.js';
import type { Residency } from './residency/Residency.js';
import type { Speculation } from './speculation/Speculation.js';
import { FusedStep } from './step/FusedStep.js';
import { DeviceValues } from './values/DeviceValues.js';
import { ValueKernel } from './values/ValueKernel.js';

const SINGLE: DevicePrecisions = { precisions: ['f32'], reason: '' };

/**
 * The GPU backend. Calls are recorded in program order and submitted in batches; handles of calls that return nothing are
 * done once the call is recorded, those with results when the results have been read back. What `real` is has been
 * settled on the device (`preparePrecision`).
 *
 * Updates of neighbor lists wait for the device (is a rebuild due?), and calls made meanwhile start after it; with `ahead`
 * nothing waits: see `Speculation`.
 */
export class GpuEngine implements StrainEngine, Device, HaloDevice, DeviceMemory {
  readonly name = 'webgpu';
  readonly precisions: readonly Precision[];
  /** Why the device has no other precisions; empty when it has all. */
  readonly precisionReason: string;
  readonly gpu: GpuDevice;
  readonly residency: Residency;
  readonly neighbors: Neighbors;
  readonly pairs: PairPrograms;
  /** Makes calls in their turn. */
  readonly runner: CallRunner;
  #profiledFrom: DeviceCounters = newCounters();
  #repeatsFrom = 0;
  readonly #blocks: BlockPattern;
  readonly #records: RecordPattern;
  #allPairs: AllPairsWork | null = null;
  #neighborhoods: NeighborhoodWork | null = null;

  /** @param deterministic runs to the same bits, whatever results they are asked for on the way. */
  constructor(
    gpu: GpuDevice,
    { precisions, reason }: DevicePrecisions = SINGLE,
    deterministic = false,
  ) {
    this.gpu = gpu;
    this.precisions = precisions;
    this.precisionReason = reason;
    this.runner = new CallRunner(gpu, deterministic);
    const { residency, neighbors, pairs } = this.runner;
    this.residency = residency;
    this.neighbors = neighbors;
    this.pairs = pairs;
    this.#blocks = new BlockPattern(gpu, residency);
    this.#records = new RecordPattern(this.runner);
  }

  /** The operator of a simulation that prepares the next calls, for errors and profiles. */
  get operator(): string {
    return this.runner.operator;
  }
  set operator(name: string) {
    this.runner.operator = name;
  }
  /** Steps that wait for no answer of the device. */
  get speculation(): Speculation {
    return this.runner.speculation;
  }

  /** Results stay on the device until the host asks for them. */
  get device(): Device {
    return this;
  }
  /** Adapter and driver, for people. */
  get description(): string {
    return this.gpu.info.adapter;
  }
  /** Features and limits of the adapter. */
  get info(): GpuInfo {
    return this.gpu.info;
  }
  /** Transfers, dispatches and submits so far. */
  get counters(): Readonly<DeviceCounters> {
    return this.gpu.counters;
  }

  prepareBlocks(plan: Plan<BlockCall>): EngineCall<ResultRecord> {
    return this.#apart(plan.functor.name, null, (args) => this.#blocks.run({ ...plan, ...args }));
  }

  prepareCells(plan: Plan<CellCall>): EngineCall<void> {
    return new DeviceCells(this.runner, plan);
  }

  prepareReduction(plan: Plan<ReduceCall>): EngineCall<Totals> {
    return new DeviceReduction(this.runner, plan);
  }

  prepareRecords(plan: Plan<RecordCall>): EngineCall<ResultRecord> {
    const { functor, grid } = plan;
    return this.#apart(functor.name, grid, (args) => this.#records.run({ ...plan, ...args }));
  }

  /** A call that no window can contain. */
  #apart<R>(
    name: string,
    grid: Grid | null,
    record: (args: CallArguments) => PatternHandle<R>,
  ): EngineCall<R> {
    const call = { name, operator: this.operator, grid, record };
    return { run: (args) => this.runner.runSettled(call, args) };
  }

  preparePairs(plan: Plan<PairCall>): EngineCall<Totals> {
    const { functor, allPairs } = plan;
    if (allPairs) {
      this.#allPairs ??= new AllPairsWork(this.gpu, this.residency);
      if (isSweep(this.gpu, plan)) return new DeviceSweep(this.runner, this.#allPairs, plan);
      const call = new DeviceAllPairs(this.runner, this.#allPairs, plan);
      // Rows are others when steps are made again with lists, and so an order, of another step; labels are not.
      if (allPairs.labels || (!allPairs.central && !allPairs.neighbors)) return call;
      return { run: (args) => this.runner.runSettled(call, args) };
    }
    if (functor.kind === 'pair' && !functor.ir?.start) return new DevicePairs(this.runner, plan);
    this.#neighborhoods ??= new NeighborhoodWork(this.gpu);
    return new NeighborhoodPairs(this.runner, this.#neighborhoods, plan);
  }

  prepareLists(plan: Plan<NeighborCall>): EngineCall<NeighborUpdate> {
    return new ListUpdates(this.runner, plan);
  }

  prepareValues(plan: Plan<ValueCall>): EngineCall<void> {
    return new ValueKernel(this.runner, plan);
  }

  createValues(initial: readonly number[]): EngineValues {
    return new DeviceValues(this.runner, initial);
  }

  prepareStrain(grid: Grid): EngineStrain {
    return prepareStrain(this.runner, grid);
  }

  prepareStep(calls: readonly StepCall[]): EngineStep {
    const own = calls.filter((one): one is GpuStepCall => 'kind' in one.call);
    const grids = new Set(own.map(({ call }) => call.grid).filter((grid) => grid !== null));
    const [grid] = grids;
    const isWhole = own.length === calls.length && grids.size === 1;
    if (isWhole) return new FusedStep(this.runner, grid!, own);
    return { run: () => this.runner.runOneByOne(calls), close() {} };
  }

  /** Makes the host's table of cells that of the last sort, if it was made here. */
  fetchCells(grid: Grid): Promise<void> {
    return this.runner.fetchCells(grid);
  }
  newestOnHost(blocks: readonly FieldBlock[], grid?: Grid): Promise<void> {
    return this.runner.newestOnHost(blocks, grid);
  }
  copyBlocks(blocks: readonly FieldBlock[], rows: number, memoryOf: MemoryOfBlock) {
    return this.runner.runOther('copy to host', () => this.residency.copy(blocks, rows, memoryOf));
  }
  readBlocks(
    grid: Grid,
    blocks: readonly FieldBlock[],
    read: (particles: DeviceParticles) => void,
  ): PatternHandle<void> {
    let isDone = false;
    const record = (): PatternHandle<void> => {
      // Once, also where the window that it is part of is repeated.
      if (!isDone) read(devicePlaces(this.gpu, this.residency, grid, blocks));
      isDone = true;
      return completed();
    };
    return this.runner.runOther('read on the device', record, grid);
  }
  openHalo(own: Grid, seen: Grid, whole?: BlockSpec): DeviceHalo {
    return new GridHalo(this.runner, own, seen, whole);
  }
  startAnew(grid: Grid): Promise<void> {
    return this.runner.startAnew(grid);
  }
  /** False while calls wait to be started. */
  get idle(): boolean {
    return this.runner.idle;
  }
  /** Resolves when every call made so far has been started. */
  started(): Promise<void> {
    return this.runner.started();
  }
  /** Waits until the device has done all that was asked of it. */
  finished(): Promise<void> {
    return this.runner.finished();
  }

  needs(specs: readonly BlockSpec[], count: number, neighbors: number): DeviceNeeds {
    return deviceNeeds(this.gpu, specs, count, neighbors);
  }
  room(wanted: number): number {
    const { gpu } = this;
    // The machine's memory is that of a software adapter, which promises more.
    return gpu.info.software ? Math.min(wanted, host.machineBytes()) : gpu.room(wanted);
  }

  startProfile(by: 'operators' | 'kernels' = 'operators'): void {
    if (by === 'operators') this.gpu.accounts = new Accounts();
    this.gpu.stream.startTimes();
    this.#profiledFrom = { ...this.gpu.counters };
    this.#repeatsFrom = this.runner.speculation.repeats;
  }

  trace(told: (slice: TraceSlice) => void): void {
    this.gpu.stream.startTimes(told);
  }

  async profile(): Promise<DeviceProfile> {
    await this.finished();
    const { times } = this.gpu.stream;
    await times?.arrived();
    const from = this.#profiledFrom;
    const { counters } = this.gpu;
    return {
      operators: this.gpu.accounts?.all ?? [],
      kernels: [...(times?.times.values() ?? [])].sort((a, b) => b.milliseconds - a.milliseconds),
      uploadedBytes: counters.uploadedBytes - from.uploadedBytes,
      downloadedBytes: counters.downloadedBytes - from.downloadedBytes,
      dispatches: counters.dispatches - from.dispatches,
      submits: counters.submits - from.submits,
      repeats: this.runner.speculation.repeats - this.#repeatsFrom,
    };
  }

  async close(): Promise<void> {
    this.runner.replica?.leave();
    await this.started();
    this.runner.replica?.close();
    await this.gpu.close();
  }
}
