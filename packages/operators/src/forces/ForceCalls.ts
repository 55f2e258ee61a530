import type { Grid } from '@corpuscle/core';
import {
  type ExecutionContext,
  type PreparedCall,
  prepareCellParticles,
} from '@corpuscle/patterns';
import type { ForceRequest, ForceTerm } from './ForceTerm.js';
import type { PreparedForce } from './PreparedForce.js';
import { zeroEnergies } from './zeroEnergies.js';
import { zeroForces } from './zeroForces.js';

/** The calls of force terms on one grid, prepared when they are first made, and again when the grid has other particles. */
export class ForceCalls {
  readonly #grid: Grid;
  readonly #ctx: ExecutionContext;
  #count: number;
  #zeroForces: PreparedCall | null = null;
  #zeroEnergies: PreparedCall | null = null;
  /** By term, and what is asked of it. */
  #evaluations = new Map<ForceTerm, (PreparedForce | undefined)[]>();

  constructor(grid: Grid, ctx: ExecutionContext) {
    this.#grid = grid;
    this.#ctx = ctx;
    this.#count = grid.count;
  }

  /** Clears forces and energies of all particles. */
  get zeroForces(): PreparedCall {
    this.#renew();
    this.#zeroForces ??= prepareCellParticles(this.#grid, zeroForces, this.#ctx);
    return this.#zeroForces;
  }

  /** Clears the energies of all particles. */
  get zeroEnergies(): PreparedCall {
    this.#renew();
    this.#zeroEnergies ??= prepareCellParticles(this.#grid, zeroEnergies, this.#ctx);
    return this.#zeroEnergies;
  }

  /** A prepared evaluation of a term; null where it cannot be prepared. */
  prepared(term: ForceTerm, request: ForceRequest): PreparedForce | null {
    if (!term.prepare) return null;
    this.#renew();
    let known = this.#evaluations.get(term);
    if (!known) {
      known = [];
      this.#evaluations.set(term, known);
    }
    const key = keyOf(request);
    let prepared = known[key];
    if (!prepared?.isCurrent()) {
      prepared?.close();
      prepared = known[key] = term.prepare(this.#grid, this.#ctx, request);
    }
    return prepared;
  }

  /** Whether an evaluation has been prepared that would be made again as it is. */
  isCurrent(term: ForceTerm, request: ForceRequest): boolean {
    return this.#isBound && (this.#evaluations.get(term)?.[keyOf(request)]?.isCurrent() ?? false);
  }

  /** Whether calls are bound to as many particles as the grid has; engines look at the box in every call. */
  get #isBound(): boolean {
    return this.#count === this.#grid.count;
  }

  /** Other particles: calls are bound to the old ones. */
  #renew(): void {
    if (this.#isBound) return;
    this.#count = this.#grid.count;
    this.close();
  }

  /** Gives back what is prepared. */
  close(): void {
    for (const known of this.#evaluations.values()) for (const prepared of known) prepared?.close();
    this.#evaluations.clear();
    this.#zeroForces?.close();
    this.#zeroEnergies?.close();
    this.#zeroForces = this.#zeroEnergies = null;
  }
}

const keyOf = ({ forces, energies, totals, virials }: ForceRequest): number =>
  (forces ? 1 : 0) + (totals ? 2 : 0) + (energies ? 4 : 0) + (virials ? 8 : 0);
