import type { Grid } from '@corpuscle/core';
import {
  combined,
  computeCellParticles,
  type ExecutionContext,
  type PatternHandle,
} from '@corpuscle/patterns';
import type { ForceRequest, ForceTerm, ForceTotals } from './ForceTerm.js';
import { zeroEnergies } from './zeroEnergies.js';
import { zeroForces } from './zeroForces.js';

/**
 * Keeps account of the force terms of the present step, so that energies and virials are computed only in the steps
 * that use them: `begin` says whether they probably will be, and `totals` computes what is missing.
 *
 *   begin → add(term) … add(term) → totals? → begin → …
 */
export class ForceLedger {
  readonly grid: Grid;
  readonly ctx: ExecutionContext;
  /** Terms added since `begin`, in the first `#count` places. */
  #terms: ForceTerm[] = [];
  /** Totals under way of each term, or null when this evaluation did not compute them. */
  #totals: (PatternHandle<Values> | null)[] = [];
  #count = 0;
  #wanted = true;
  #energies = false;
  /** What terms are asked for; the same object while they are asked for the same. */
  #request: ForceRequest = { forces: true, energies: false, totals: true };
  #sum: PatternHandle<ForceTotals> | null = null;

  constructor(grid: Grid, ctx: ExecutionContext) {
    this.grid = grid;
    this.ctx = ctx;
  }

  /** Clears the forces. `totals` and `energies` say what will be asked for before the next `begin`. */
  begin(expect: { totals: boolean; energies?: boolean }): void {
    this.#count = 0;
    this.#wanted = expect.totals;
    this.#energies = expect.energies ?? false;
    const { totals, energies } = this.#request;
    if (totals !== this.#wanted || energies !== this.#energies)
      this.#request = { forces: true, energies: this.#energies, totals: this.#wanted };
    this.#sum = null;
    computeCellParticles(this.grid, zeroForces, this.ctx);
  }

  /** Adds the forces of a term. */
  add(term: ForceTerm): void {
    const handle = term.compute(this.grid, this.ctx, this.#request);
    const at = this.#count++;
    this.#terms[at] = term;
    this.#totals[at] = this.#wanted ? handle : null;
    this.#sum = null;
  }

  /** Energy and virial of all terms at the present positions; on a device they arrive later. */
  totals(): PatternHandle<ForceTotals> {
    this.#sum ??= this.#collect();
    return this.#sum;
  }

  /** Makes sure that `ep` holds the energy of every particle. */
  async energies(): Promise<void> {
    if (this.#energies) return;
    computeCellParticles(this.grid, zeroEnergies, this.ctx, {});
    for (const term of this.#terms.slice(0, this.#count))
      await term.compute(this.grid, this.ctx, { forces: false, energies: true, totals: false });
    this.#energies = true;
  }

  #collect(): PatternHandle<ForceTotals> {
    // Copies: totals arrive when other terms have been added.
    const terms = this.#terms.slice(0, this.#count);
    const handles: PatternHandle<Values>[] = [];
    for (let n = 0; n < terms.length; n++)
      handles.push(this.#totals[n] ?? terms[n]!.compute(this.grid, this.ctx, ONLY_TOTALS));
    return combined(handles, (values) => sumOf(terms, values));
  }
}

type Values = Readonly<Record<string, number>>;

const ONLY_TOTALS: ForceRequest = Object.freeze({ forces: false, energies: false, totals: true });

function sumOf(terms: readonly ForceTerm[], values: readonly Values[]): ForceTotals {
  let energy = 0;
  const virial: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
  for (let n = 0; n < terms.length; n++) {
    const part = terms[n]!.totals(values[n]!);
    energy += part.energy;
    for (let k = 0; k < 6; k++) virial[k] = virial[k]! + part.virial[k]!;
  }
  return { energy, virial };
}
