import type {
  CorpuscleError,
  Domain,
  FieldBlock,
  Grid,
  NeighborList,
  NeighborListKind,
  Saved,
} from '@corpuscle/core';
import type { NeighborCall, NeighborUpdate, Plan } from '../plan/calls.js';
import type { Engine, EngineCall } from './Engine.js';
import type { TraceSlice } from './TraceSlice.js';

/** What a context offers to engines that work on the memory of the host. */
export interface HostServices {
  /**
   * The pairs of a grid within `rcut` and the skin: `half` lists name each pair once, `full` lists once from each side.
   * @param rcut in length units, at most what `updateNeighbors` was asked for.
   * @throws CorpuscleError NO_NEIGHBOR_LISTS where there is none for this cutoff, number of particles or box.
   * @example
   * host.neighborList(grid, 'full', 2.5).forEachPair((i, j, image) => { … });
   */
  neighborList(grid: Grid, kind: NeighborListKind, rcut: number): NeighborList;
  /** Completes what the CPU has put off, and its background jobs on these blocks, or all. */
  finish(blocks?: readonly FieldBlock[]): void;
}

/** Copies of particles that several processes have: the rows of each block, as the host has them. */
export interface SharedCopy {
  readonly count: number;
  readonly domain: Domain;
  readonly rows: readonly ArrayBuffer[];
}

/** The engine that every context has: it takes all functors, and keeps the lists of those that have none. */
export interface HostEngine extends Engine, HostServices {
  /** Rebuilds the lists where they no longer serve. */
  prepareLists(plan: Plan<NeighborCall>): EngineCall<NeighborUpdate>;
  /** The lists of a grid for a checkpoint; null where there are none for its present particles. @internal */
  saveLists(grid: Grid): Saved;
  /** Builds the lists of a checkpoint again, for its particles in their order. @returns whether the grid has lists now. @internal */
  restoreLists(grid: Grid, saved: Saved): boolean;
  /**
   * Copies of the particles of all processes that share a run, for the one that writes; the others get none. Null, or absent, where
   * this process has all particles. @internal
   */
  copyShared?(grid: Grid, blocks: readonly FieldBlock[]): SharedCopy | null;
  /** A copy with the particles of all processes that share a run, on each of them, in the order of ids. @internal */
  copyWhole?(grid: Grid): Grid;
  /** Sums over all processes that share a run, in the same bits for all; absent where there is one. @internal */
  sumShared?(numbers: Float64Array): Float64Array;
  /** Resolves when all threads serve; until then the main thread does their work. @internal */
  ready(): Promise<void>;
  /** Calls that follow are made by this operator of a simulation: what is told of work without end names it. @internal */
  enterOperator(name: string): void;
  /** Tells once when work has been ended that has no end: calls under way may never return. @internal */
  onEndless(told: (error: CorpuscleError) => void): void;
  /** Tells what threads do from now on. @internal */
  trace?(told: (slice: TraceSlice) => void): void;
  /** Tells of every kernel that is used for the first time from now on: its label, and the text that runs, with comments. @internal */
  onKernel(note: (label: string, text: string) => void): void;
}
