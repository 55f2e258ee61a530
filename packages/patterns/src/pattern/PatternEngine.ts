import type { FieldBlock, Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { Reduction, ResultRecord } from '@corpuscle/functor/ir';
import type { Lane } from '../context/Lanes.js';
import type { AllPairs } from './AllPairs.js';
import type { PairForm } from './chooseBackend.js';
import type { SharedArray } from './createArray.js';
import type { PatternHandle } from './PatternHandle.js';

/** Values of `p`: a number for a scalar, an array for a table. */
export type ParameterValue = number | ArrayLike<number>;
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** Where a pair output goes: accumulated per particle, summed over all particles, both, or not computed at all. */
export type OutputTarget = 'particles' | 'total' | 'both' | 'none';

/** What may differ from run to run of a prepared call. Engines keep it: nobody changes it. */
export interface CallArguments {
  readonly params: ParameterValues;
  /** Return before the work is done, where the engine can. */
  readonly asynchronous: boolean;
  /** Calls of other lanes may overtake this one. */
  readonly lane?: Lane | undefined;
  /** The rows to work on, in this order; all where there is no list. */
  readonly rows?: Uint32Array | undefined;
}

/** How indices are handed out; see `BlockOptions.schedule`. */
export type BlockSchedule = 'dynamic' | 'static' | 'guided' | 'stealing';

/** A call of a block functor: one block for each index of a space of up to three dimensions. */
export interface BlockCall extends CallArguments {
  readonly functor: Functor<'block'>;
  /** Number of blocks along x, y, z; `b.index = (z·ny + y)·nx + x`. */
  readonly space: readonly [number, number, number];
  readonly arrays: Readonly<Record<string, SharedArray>>;
  /** Lanes of a block on the GPU; the CPU runs one. */
  readonly blockSize: number;
  /** One lane for each index instead of a block. */
  readonly elements: boolean;
  readonly schedule: BlockSchedule;
  /** Indices handed out together on the CPU, at least. */
  readonly chunk?: number | undefined;
}

/** A call of a cell functor, for every particle or for some rows. */
export interface CellCall extends CallArguments {
  readonly functor: Functor<'cell'>;
  readonly grid: Grid;
}

/** A reduction whose results form a record, or that follows a list of rows. */
export interface RecordCall extends CallArguments {
  readonly functor: Functor<'reduce'>;
  readonly reduction: Reduction;
  readonly grid: Grid;
}

/** A reduction to sums, minima and maxima over all particles. */
export interface ReduceCall extends CallArguments {
  readonly functor: Functor<'reduce'>;
  readonly grid: Grid;
  /** Starting values, complete: one number for every result. Each counts exactly once. */
  readonly initial: Readonly<Record<string, number>>;
}

/** A call of a pair or neighborhood functor. */
export interface PairCall extends CallArguments {
  readonly functor: Functor<'pair' | 'neighbourhood'>;
  readonly grid: Grid;
  readonly rcut: number;
  /** One target for every field of `central`, complete. */
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  /** The form that was chosen; never 'auto'. */
  readonly form: PairForm;
  /** Which pairs, where they do not come from lists. */
  readonly allPairs?: AllPairs | null;
}

/** Asks for lists that serve `rcut`; lengths are in the units of the grid. */
export interface NeighbourCall extends CallArguments {
  readonly grid: Grid;
  readonly rcut: number;
  readonly skin: number;
  /** The skin is a first guess, which the engine may better. */
  readonly tuned?: boolean;
  /** Rebuild even when nothing has moved. */
  readonly force: boolean;
  /** Let a device rebuild at an interval it learns, and repeat calls whose lists prove stale, instead of waiting. */
  readonly ahead: boolean;
  /** Told of every update, in order, when it is known what it found; nobody else is told of those in steps. */
  readonly onUpdate?: ((update: NeighbourUpdate) => void) | undefined;
}

/** What an update of the lists did, and why. */
export interface NeighbourUpdate {
  readonly rebuilt: boolean;
  /** One clause: 'first build', 'a particle moved 0.16 (more than half the skin)', … */
  readonly reason: string;
  /** Largest displacement since the last build, in length units; Infinity when a position is no number. */
  readonly maxDisplacement: number;
  /** The skin in force, where the engine has tuned it. */
  readonly tunedSkin?: number;
}

/** Results by name: of a reduction, or totals of a pair call. */
export type Totals = Record<string, number>;

/** A call as it is prepared: all but what may differ from run to run. */
export type Plan<C extends CallArguments> = Omit<C, keyof CallArguments>;

/** A call that an engine has bound: its kernels, buffers and lists are found once. */
export interface EngineCall<R = unknown> {
  run(args: CallArguments): PatternHandle<R>;
}

/** Bound calls of a step and their arguments, fused once. */
export interface EngineStep {
  /** Makes the calls in their order once; a promise where they have to wait for the device to catch up. */
  run(): void | Promise<void>;
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
  blockParallelFor(call: BlockCall): PatternHandle<ResultRecord>;
  computeCellParticles(call: CellCall): PatternHandle<void>;
  reduceCellParticles(call: ReduceCall): PatternHandle<Totals>;
  reduceRecords(call: RecordCall): PatternHandle<ResultRecord>;
  computeCellParticlePairs(call: PairCall): PatternHandle<Totals>;
  updateNeighbours(call: NeighbourCall): PatternHandle<NeighbourUpdate>;
}
