import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { Reduction } from '@corpuscle/functor/ir';
import type { Lane } from '../handles/Lanes.js';
import type { EngineValues } from '../value/EngineValues.js';
import type { AllPairs } from './AllPairs.js';
import type { PairForm } from './chooseBackend.js';
import type { SharedArray } from './createArray.js';
import { totalsOf } from './totalsOf.js';

/** Values of `p`: a number for a scalar, an array for a table. */
export type ParameterValue = number | ArrayLike<number>;
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** Where a pair output goes: accumulated per particle, summed over all particles, both, or not computed at all. */
export type OutputTarget = 'particles' | 'total' | 'both' | 'none';

/** What may differ from run to run of a prepared call. Engines keep it: it does not change. */
export interface CallArguments {
  readonly params: ParameterValues;
  /** Return before the work is done, where the engine can. */
  readonly asynchronous: boolean;
  /** Calls of other lanes may overtake this one. */
  readonly lane?: Lane | undefined;
  /** The rows to work on, in this order; all where there is no list. */
  readonly rows?: Uint32Array | undefined;
}

/** Where all results of a call go instead of to the host: one after the other from a place in a value. */
export interface ResultPlaces {
  readonly values: EngineValues;
  readonly at: number;
}

/** A computation with values. */
export interface ValueCall extends CallArguments {
  /** Its fields are the values. */
  readonly functor: Functor<'cell'>;
  /** One for each field. */
  readonly places: readonly { readonly values: EngineValues; readonly at: number }[];
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
  readonly into?: ResultPlaces | undefined;
}

/** A call of a pair or neighborhood functor. */
export interface PairCall extends CallArguments {
  readonly functor: Functor<'pair' | 'neighborhood'>;
  readonly grid: Grid;
  readonly rcut: number;
  /** One target for every field of `central`, complete. */
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  /** The form that was chosen; never 'auto'. */
  readonly form: PairForm;
  /** Which pairs, where they do not come from lists. */
  readonly allPairs?: AllPairs | null;
  /** For the totals, in the order of the outputs. */
  readonly into?: ResultPlaces | undefined;
}

/** Asks for lists that serve `rcut`; lengths are in the units of the grid. */
export interface NeighborCall extends CallArguments {
  readonly grid: Grid;
  readonly rcut: number;
  readonly skin: number;
  /** The skin is a first guess, which the engine may better. */
  readonly tuned?: boolean;
  /** Rebuild even when nothing has moved; 'never': say how far particles have moved, and serve in the box as it is. */
  readonly force: boolean | 'never';
  /** Let a device rebuild at an interval it learns, and repeat calls whose lists prove stale, instead of waiting. */
  readonly ahead: boolean;
  /** Told of every update, in order, when it is known what it found; updates in steps are told here alone. */
  readonly onUpdate?: ((update: NeighborUpdate) => void) | undefined;
}

/** What an update of the lists did, and why. */
export interface NeighborUpdate {
  readonly rebuilt: boolean;
  /** One clause: 'first build', 'a particle moved 0.16 (more than half the skin)', … */
  readonly reason: string;
  /** Largest displacement since the last build, in length units; Infinity when a position is no number. */
  readonly maxDisplacement: number;
  /** The skin in force, where the engine has tuned it. */
  readonly tunedSkin?: number;
  /** Where it tells of several updates in a row: how many, and how many of them rebuilt lists. */
  readonly updates?: number;
  readonly rebuilds?: number;
}

/** Results by name: of a reduction, or totals of a pair call. */
export type Totals = Record<string, number>;

/** A call as it is prepared: all but what may differ from run to run. */
export type Plan<C extends CallArguments> = Omit<C, keyof CallArguments>;

/** Totals of a pair call without pairs, in their order. */
export const zeroTotals = (call: Pick<PairCall, 'outputs'>): Totals =>
  Object.fromEntries(totalsOf(call).map((name) => [name, 0]));
