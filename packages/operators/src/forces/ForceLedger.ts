import type { Grid } from '@corpuscle/core';
import {
  combined,
  computeCellParticles,
  type ExecutionContext,
  type PatternHandle,
} from '@corpuscle/patterns';
import { zeroForces } from '../integrate/velocityVerlet.js';
import type { Tensor } from '../thermo/thermoRow.js';
import type { ForceRequest, ForceTerm, ForceTotals } from './ForceTerm.js';
import { zeroEnergies } from './zeroEnergies.js';

interface Entry {
  readonly term: ForceTerm;
  /** Totals under way, or null when this evaluation did not compute them. */
  readonly totals: PatternHandle<Readonly<Record<string, number>>> | null;
}

/**
 * Keeps account of the force terms of the present step, so that energies and virials are computed only in the steps
 * that use them: `begin` says whether they probably will be, and `totals` computes what is missing.
 *
 *   begin → add(term) … add(term) → totals? → begin → …
 */
export class ForceLedger {
  readonly grid: Grid;
  readonly ctx: ExecutionContext;
  #entries: Entry[] = [];
  /** Whether entries are still looked at after the next `begin`. */
  #isSummed = false;
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
    this.#clear();
    this.#wanted = expect.totals;
    this.#energies = expect.energies ?? false;
    const { totals, energies } = this.#request;
    if (totals !== this.#wanted || energies !== this.#energies)
      this.#request = { forces: true, energies: this.#energies, totals: this.#wanted };
    this.#sum = null;
    computeCellParticles(this.grid, zeroForces, this.ctx, {});
  }

  #clear(): void {
    if (this.#isSummed) this.#entries = [];
    this.#isSummed = false;
    while (this.#entries.length > 0) this.#entries.pop();
  }

  /** Adds the forces of a term. */
  add(term: ForceTerm): void {
    const handle = term.compute(this.grid, this.ctx, this.#request);
    this.#entries.push({ term, totals: this.#wanted ? handle : null });
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
    this.#isSummed = true;
    computeCellParticles(this.grid, zeroEnergies, this.ctx, {});
    for (const { term } of this.#entries)
      await term.compute(this.grid, this.ctx, { forces: false, energies: true, totals: false });
    this.#energies = true;
  }

  #collect(): PatternHandle<ForceTotals> {
    this.#isSummed = true;
    const entries = this.#entries;
    const request = { forces: false, energies: false, totals: true };
    const handles = entries.map(
      ({ term, totals }) => totals ?? term.compute(this.grid, this.ctx, request),
    );
    return combined(handles, (values) => {
      let energy = 0;
      const virial: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
      values.forEach((value, n) => {
        const part = entries[n]!.term.totals(value);
        energy += part.energy;
        for (let k = 0; k < 6; k++) virial[k] = virial[k]! + part.virial[k]!;
      });
      return { energy, virial: virial as Tensor };
    });
  }
}
