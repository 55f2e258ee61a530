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
  #total: number;
  #zeroForces: PreparedCall | null = null;
  #zeroEnergies: PreparedCall | null = null;
  /** By term, and what is asked of it. */
  #evaluations = new Map<ForceTerm, (PreparedForce | undefined)[]>();

  constructor(grid: Grid, ctx: ExecutionContext) {
    this.#grid = grid;
    this.#ctx = ctx;
    this.#total = grid.total;
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
    const key = keyOf(term, request);
    let prepared = known[key];
    if (!prepared?.isCurrent()) {
      prepared?.close();
      prepared = known[key] = this.#prepare(term, request);
    }
    return prepared;
  }

  #prepare(term: ForceTerm, request: ForceRequest): PreparedForce {
    if (!leavesEnergy(term, request)) return term.prepare!(this.#grid, this.#ctx, request);
    const whole = { ...request, withoutEnergy: false, isDiagonal: false };
    const complete = this.prepared(term, whole)!;
    const part = term.prepareWithoutEnergy!(this.#grid, this.#ctx, request, complete);
    const isSame = () => this.#evaluations.get(term)?.[keyOf(term, whole)] === complete;
    return { ...part, isCurrent: () => isSame() && complete.isCurrent() };
  }

  /** Whether the prepared evaluation of a request is still good. */
  isCurrent(term: ForceTerm, request: ForceRequest): boolean {
    const known = this.#evaluations.get(term)?.[keyOf(term, request)];
    return this.#isBound && (known?.isCurrent() ?? false);
  }

  /** Whether calls are bound to as many particles as the grid has; engines look at the box in every call. */
  get #isBound(): boolean {
    return this.#total === this.#grid.total;
  }

  /** Other particles: calls are bound to the old ones. */
  #renew(): void {
    if (this.#isBound) return;
    this.#total = this.#grid.total;
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

const leavesEnergy = (term: ForceTerm, { totals, withoutEnergy = false }: ForceRequest): boolean =>
  totals && withoutEnergy && term.prepareWithoutEnergy !== undefined;

function keyOf(term: ForceTerm, request: ForceRequest): number {
  const { forces, energies, totals, virials, isDiagonal } = request;
  const isPart = leavesEnergy(term, request);
  const parts = [forces, totals, energies, virials, isPart, isPart && isDiagonal];
  return parts.reduce((key, isOn, k) => key + (isOn ? 1 << k : 0), 0);
}
