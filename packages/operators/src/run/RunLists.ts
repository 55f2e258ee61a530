import type { CorpuscleError, Grid } from '@corpuscle/core';
import {
  type ExecutionContext,
  type NeighborUpdate,
  type PreparedCall,
  prepareNeighborLists,
} from '@corpuscle/patterns';
import { reportBlowUp } from '../system/reportBlowUp.js';
import { RunUpdates } from './RunUpdates.js';

/** How far lists reach: the cutoff, and the skin beyond it. */
export interface ListReach {
  readonly rcut: number;
  readonly skin: number | 'auto';
  /** Default: where the context runs its functors. */
  readonly backend?: string | undefined;
}

/**
 * The neighbor lists of a run. Operators that look farther than its cutoff in every step ask for it by `serve`; those that do so
 * now and then use `neighborsWithin`, which costs the other steps nothing.
 */
export class RunLists implements ListReach {
  /** What updates found. */
  readonly updates: RunUpdates;
  readonly skin: number | 'auto';
  readonly #grid: Grid;
  readonly #ctx: ExecutionContext;
  readonly backend: string | undefined;
  #rcut: number;
  #call: PreparedCall<object, NeighborUpdate> | null = null;
  /** The number of particles that the call is bound to, with those of processes that share the run. */
  #total: number;

  /** @param reach `rcut` is the largest cutoff that is known before the run, 0 where nothing looks at neighbors */
  constructor(grid: Grid, ctx: ExecutionContext, reach: ListReach) {
    this.#grid = grid;
    this.#ctx = ctx;
    this.#rcut = reach.rcut;
    this.skin = reach.skin;
    this.backend = reach.backend;
    this.#total = grid.total;
    this.updates = new RunUpdates(grid, ctx, reach.rcut > 0 ? 1 : 0);
  }

  get rcut(): number {
    return this.#rcut;
  }

  /** The call that updates them; `update` makes it, or a step that knows of `updates`. */
  get call(): PreparedCall<object, NeighborUpdate> {
    const { total } = this.#grid;
    if (total !== this.#total) this.#drop();
    this.#total = total;
    this.#call ??= prepareNeighborLists(this.#grid, this.#ctx, {
      rcut: this.rcut,
      skin: this.skin,
      ahead: true,
      backend: this.backend,
      onUpdate: this.updates.found,
    });
    return this.#call;
  }

  /** From the next update on the lists reach at least this far. @returns whether they did not before. */
  serve(rcut: number): boolean {
    if (rcut <= this.#rcut) return false;
    this.#rcut = rcut;
    this.#drop();
    return true;
  }

  /** Gives back what updates are bound to: another run has begun. */
  close(): void {
    this.#drop();
  }

  #drop(): void {
    this.#call?.close();
    this.#call = null;
  }

  /**
   * Makes the lists fit for the positions of a step. The GPU is not made to wait: a blow-up there is told some steps later.
   * @throws CorpuscleError NOT_FINITE naming the step and a particle.
   */
  update(step: number): void | Promise<void> {
    this.updates.asked(step);
    try {
      this.call.run();
    } catch (error) {
      if ((error as CorpuscleError).code === 'NOT_FINITE')
        reportBlowUp(this.#grid, step, 'update_neighbors');
      throw error;
    }
    return this.updates.check();
  }
}
