import type { FieldBlock, Grid } from '@corpuscle/core';
import type { ResultRecord } from '@corpuscle/functor/ir';
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
import type { EngineFacts } from '../plan/chooseBackend.js';
import type { EngineValues } from '../value/EngineValues.js';
import type { BlockCopy, MemoryOfBlock } from './blockCopy.js';
import type { DeviceParticles } from './DeviceParticles.js';
import type { DeviceStatus } from './DeviceStatus.js';

/** A call that an engine has bound: its kernels, buffers and lists are found once. */
export interface EngineCall<R = unknown> {
  /** Makes the call with these arguments. */
  run(args: CallArguments): PatternHandle<R>;
}

/** Bound calls of a step and their arguments, fused once. */
export interface EngineStep {
  /** Makes the calls in their order, up to `times` times. @returns how often, at least once; a promise where they wait for the device. */
  run(times: number): number | Promise<number>;
  /** Whether it is the same whenever it is made: no call looks at the moment, as one that prescribes a box does. Absent: false. */
  readonly isSame?: boolean;
  /** Whether it is made together with those of other contexts. Absent: false. */
  readonly isShared?: boolean;
  /** How many steps a dispatch takes, and why; absent where there are no dispatches. */
  explain?(): string;
  /** Gives back what the step has bound. */
  close(): void;
}

/** A bound call of a step. */
export interface StepCall {
  readonly call: EngineCall;
  readonly args: CallArguments;
}

/**
 * A backend. It binds calls whose plans have been checked and completed, and marks the blocks it writes (`hostWritten`,
 * `deviceWritten`). What it lacks it refuses, and the CPU takes it.
 */
export interface Engine extends EngineFacts {
  /** What it runs on, for people: adapter, driver, mode. */
  readonly description: string;
  /** Why it has no other precisions, as one clause. */
  readonly precisionReason?: string;
  /** The results are a record, empty where the functor has none; initial values are not counted. */
  prepareBlocks(plan: Plan<BlockCall>): EngineCall<ResultRecord>;
  /** Calls a cell functor for each particle; its writes are in the grid when the handle resolves. */
  prepareCells(plan: Plan<CellCall>): EngineCall<void>;
  /** Sums, minima and maxima over particles, with the initial values counted once. */
  prepareReduction(plan: Plan<ReduceCall>): EngineCall<Totals>;
  /** What the particles give, initial values not counted. */
  prepareRecords(plan: Plan<RecordCall>): EngineCall<ResultRecord>;
  /** Calls a pair functor for each pair within the cutoff; the handle gives what goes to totals. */
  preparePairs(plan: Plan<PairCall>): EngineCall<Totals>;
  /** Computes with values of this engine. */
  prepareValues(plan: Plan<ValueCall>): EngineCall<void>;
  /** Keeps numbers where this engine computes. */
  createValues(initial: readonly number[]): EngineValues;
  /** Rebuilds the lists where they no longer serve; engines that leave it out find the host's (`HostServices`). */
  prepareLists?(plan: Plan<NeighborCall>): EngineCall<NeighborUpdate>;
  /** Fuses the calls of a step; engines that gain nothing leave it out. */
  prepareStep?(calls: readonly StepCall[]): EngineStep;
  /** Engines with memory of their own. Those without it find the newest data on the host, and leave their results there. */
  readonly device?: Device;
  /** Gives back threads, buffers and the device, where the engine owns them. */
  close(): Promise<void>;
}

/** Memory of its own: results stay there until the host asks for them, and calls may be queued. */
export interface Device extends DeviceStatus {
  /** The operator of a simulation that prepares the next calls, for errors and profiles. */
  operator: string;
  /** Makes host copies current, and calls `synchronized` on each. Positions are absolute there; `grid`: whose blocks they are. */
  newestOnHost(blocks: readonly FieldBlock[], grid?: Grid): Promise<void>;
  /**
   * Copies the first `rows` rows of these blocks as they are after the calls so far, without waiting; without it, they become current on the host.
   * @param memoryOf what the parts of a block may be copied to, where it has the size. @internal
   */
  copyBlocks?(
    blocks: readonly FieldBlock[],
    rows: number,
    memoryOf: MemoryOfBlock,
  ): PatternHandle<readonly BlockCopy[]>;
  /** Calls back once with where these blocks are, after all calls before have been submitted. @internal */
  readBlocks?(
    grid: Grid,
    blocks: readonly FieldBlock[],
    read: (particles: DeviceParticles) => void,
  ): PatternHandle<void>;
  /** Makes the host's table of cells that of the last sort, if the device made it. */
  fetchCells(grid: Grid): Promise<void>;
  /** Finishes all calls on a grid, forgets what was learned from it, and takes it from the host as if it was new. */
  startAnew?(grid: Grid): Promise<void>;
}
