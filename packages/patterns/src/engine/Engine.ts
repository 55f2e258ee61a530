import type { FieldBlock, Grid } from '@corpuscle/core';
import type { ResultRecord } from '@corpuscle/functor/ir';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type {
  BlockCall,
  CallArguments,
  CellCall,
  NeighbourCall,
  NeighbourUpdate,
  PairCall,
  Plan,
  RecordCall,
  ReduceCall,
  Totals,
  ValueCall,
} from '../plan/calls.js';
import type { EngineValues } from '../value/EngineValues.js';

/** A call that an engine has bound: its kernels, buffers and lists are found once. */
export interface EngineCall<R = unknown> {
  /** Makes the call with these arguments. */
  run(args: CallArguments): PatternHandle<R>;
}

/** Bound calls of a step and their arguments, fused once. */
export interface EngineStep {
  /** Makes the calls in their order once; a promise where they have to wait for the device to catch up. */
  run(): void | Promise<void>;
  /** Gives back what the step has bound. */
  close(): void;
}

/** A bound call of a step. */
export interface StepCall {
  readonly call: EngineCall;
  readonly args: CallArguments;
}

/**
 * The calls a backend binds. The plan of a call has been checked and completed before; engines trust it. Before a bound call
 * runs, the pattern layer has made host copies current if it is the CPU engine; the GPU engine uploads what is newer on the
 * host by itself. Engines mark what they wrote.
 */
export interface PatternEngine {
  readonly name: 'cpu' | 'webgpu' | 'webgl';
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
  /** Builds the lists anew where they no longer serve. */
  prepareLists(plan: Plan<NeighbourCall>): EngineCall<NeighbourUpdate>;
  /** Computes with values of this engine. */
  prepareValues(plan: Plan<ValueCall>): EngineCall<void>;
  /** Keeps numbers where this engine computes. */
  createValues(initial: readonly number[]): EngineValues;
  /** Fuses the calls of a step; engines that gain nothing leave it out. */
  prepareStep?(calls: readonly StepCall[]): EngineStep;
  /**
   * Makes the host copies of these blocks current (a download on the GPU, nothing on the CPU) and calls `synchronised`
   * on each. Positions are absolute on the host whatever the engine keeps; `grid` is given where the blocks are a grid's.
   */
  newestOnHost(blocks: readonly FieldBlock[], grid?: Grid): Promise<void>;
  /** Gives back threads, buffers and the device, where the engine owns them. */
  close(): Promise<void>;
}

/** The work of an engine that looks at everything when a call is made. */
export interface CallByCall {
  /** Calls a block functor for each index; results are a record, empty where it has none. */
  blockParallelFor(call: BlockCall): PatternHandle<ResultRecord>;
  /** Calls a cell functor for each particle. */
  computeCellParticles(call: CellCall): PatternHandle<void>;
  /** Sums, minima and maxima over particles, with the initial values counted once. */
  reduceCellParticles(call: ReduceCall): PatternHandle<Totals>;
  /** A reduction whose results form a record; initial values are not counted. */
  reduceRecords(call: RecordCall): PatternHandle<ResultRecord>;
  /** Calls a pair functor for each pair within the cutoff; the handle gives what goes to totals. */
  computeCellParticlePairs(call: PairCall): PatternHandle<Totals>;
  /** Builds the lists anew where they no longer serve. */
  updateNeighbours(call: NeighbourCall): PatternHandle<NeighbourUpdate>;
}
