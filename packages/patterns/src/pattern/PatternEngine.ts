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

interface CommonCall {
  readonly params: ParameterValues;
  /** Nobody changes its parameters, and the same object is given when the same call is made again. */
  readonly lasting?: boolean;
  /** Return before the work is done, where the engine can. */
  readonly asynchronous: boolean;
  /** Calls of other lanes may overtake this one. */
  readonly lane?: Lane | undefined;
}

/** How indices are handed out; see `BlockOptions.schedule`. */
export type BlockSchedule = 'dynamic' | 'static' | 'guided' | 'stealing';

/** A call of a block functor: one block for each index of a space of up to three dimensions. */
export interface BlockCall extends CommonCall {
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
export interface CellCall extends CommonCall {
  readonly functor: Functor<'cell'>;
  readonly grid: Grid;
  /** The rows to work on, in this order; all where there is no list. */
  readonly rows?: Uint32Array | undefined;
}

/** A reduction whose results form a record, or that follows a list of rows. */
export interface RecordCall extends CommonCall {
  readonly functor: Functor<'reduce'>;
  readonly reduction: Reduction;
  readonly grid: Grid;
  readonly rows?: Uint32Array | undefined;
}

/** A reduction to sums, minima and maxima over all particles. */
export interface ReduceCall extends CommonCall {
  readonly functor: Functor<'reduce'>;
  readonly grid: Grid;
  /** Starting values, complete: one number for every result. Each counts exactly once. */
  readonly initial: Readonly<Record<string, number>>;
}

/** A call of a pair or neighborhood functor. */
export interface PairCall extends CommonCall {
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
export interface NeighbourCall {
  readonly grid: Grid;
  readonly rcut: number;
  readonly skin: number;
  /** The skin is a first guess, which the engine may better. */
  readonly tuned?: boolean;
  /** Rebuild even when nothing has moved. */
  readonly force: boolean;
  /** Let a device rebuild at an interval it learns, and repeat calls whose lists prove stale, instead of waiting. */
  readonly ahead: boolean;
  readonly asynchronous: boolean;
  readonly lane?: Lane | undefined;
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

/**
 * The calls a backend implements. Pattern functions check arguments, choose the backend and fill in what was left
 * out; engines trust the call. Before an engine runs, the pattern layer has made host copies current if it is the CPU
 * engine; the GPU engine uploads what is newer on the host by itself. Engines mark what they wrote.
 */
export interface PatternEngine {
  readonly name: 'cpu' | 'webgpu' | 'webgl';
  /** The results are a record, empty where the functor has none; initial values are not counted. */
  blockParallelFor(call: BlockCall): PatternHandle<ResultRecord>;
  /** Calls a cell functor for each particle; its writes are in the grid when the handle resolves. */
  computeCellParticles(call: CellCall): PatternHandle<void>;
  /** Sums, minima and maxima over particles, with the initial values counted once. */
  reduceCellParticles(call: ReduceCall): PatternHandle<Totals>;
  /** What the particles give, initial values not counted. */
  reduceRecords(call: RecordCall): PatternHandle<ResultRecord>;
  /** Calls a pair functor for each pair within the cutoff; the handle gives what goes to totals. */
  computeCellParticlePairs(call: PairCall): PatternHandle<Totals>;
  /** Builds the lists anew where they no longer serve. @throws CorpuscleError BOX_TOO_THIN. */
  updateNeighbours(call: NeighbourCall): PatternHandle<NeighbourUpdate>;
  /**
   * Makes the host copies of these blocks current (a download on the GPU, nothing on the CPU) and calls `synchronised`
   * on each. Positions are absolute on the host whatever the engine keeps; `grid` is given where the blocks are a grid's.
   */
  newestOnHost(blocks: readonly FieldBlock[], grid?: Grid): Promise<void>;
  /** Gives back threads, buffers and the device, where the engine owns them. */
  close(): Promise<void>;
}
