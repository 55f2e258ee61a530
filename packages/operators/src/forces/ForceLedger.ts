import type { Grid } from '@corpuscle/core';
import {
  combined,
  completed,
  type ExecutionContext,
  type PatternHandle,
  type PreparedCall,
} from '@corpuscle/patterns';
import { ForceCalls } from './ForceCalls.js';
import type { ForceRequest, ForceTerm, ForceTotals } from './ForceTerm.js';
import type { PreparedForce } from './PreparedForce.js';

/**
 * Keeps account of the force terms of the present step, so that energies and virials are computed only in the steps
 * that use them: `begin` says whether they probably will be, and `totals` computes what is missing. Calls are prepared once
 * for each term and what is asked of it.
 *
 *   begin → add(term) … add(term) → totals? → begin → …
 */
export class ForceLedger {
  readonly grid: Grid;
  readonly ctx: ExecutionContext;
  readonly #calls: ForceCalls;
  /** Terms added since `begin`, in the first `#count` places. */
  #terms: ForceTerm[] = [];
  /** Totals under way of each term, or null when this evaluation did not compute them. */
  #totals: (PatternHandle<Values> | null)[] = [];
  #count = 0;
  #request = FORCES;
  #sum: PatternHandle<ForceTotals> | null = null;

  constructor(grid: Grid, ctx: ExecutionContext) {
    this.grid = grid;
    this.ctx = ctx;
    this.#calls = new ForceCalls(grid, ctx);
  }

  /** Clears the forces. `totals` and `energies` say what will be asked for before the next `begin`. */
  begin(expect: { totals: boolean; energies?: boolean }): void {
    const energies = expect.energies ?? false;
    this.#count = 0;
    if (!expect.totals && !energies) this.#request = FORCES;
    else this.#request = { forces: true, energies, totals: expect.totals };
    this.#sum = null;
    this.#calls.zeroForces.run();
  }

  /** Adds the forces of a term. */
  add(term: ForceTerm): void {
    const handle = this.#calls.evaluate(term, this.#request);
    const at = this.#count++;
    this.#terms[at] = term;
    this.#totals[at] = this.#request.totals ? handle : null;
    this.#sum = null;
  }

  /** The call that `begin` makes. */
  get beginCalls(): readonly PreparedCall[] {
    return [this.#calls.zeroForces];
  }

  /** The calls that `add` makes where nothing but forces is asked for; null for a term that does more. */
  addCalls(term: ForceTerm): PreparedForce['calls'] | null {
    return this.#calls.prepared(term, FORCES)?.calls ?? null;
  }

  /** Whether the calls of these terms are still what `add` would make. */
  isCurrent(terms: readonly ForceTerm[]): boolean {
    for (const term of terms) if (!this.#calls.isCurrent(term, FORCES)) return false;
    return true;
  }

  /** The terms added last. */
  get terms(): readonly ForceTerm[] {
    return this.#terms.slice(0, this.#count);
  }

  /** The calls of these terms have been made, without `begin` and `add`. */
  noteReplay(terms: readonly ForceTerm[]): void {
    this.#request = FORCES;
    this.#count = terms.length;
    for (let n = 0; n < terms.length; n++) {
      this.#terms[n] = terms[n]!;
      this.#totals[n] = null;
    }
    this.#sum = null;
  }

  /** Energy and virial of all terms at the present positions; on a device they arrive later. */
  totals(): PatternHandle<ForceTotals> {
    this.#sum ??= this.#collect();
    return this.#sum;
  }

  /** What has been computed beside the forces, for a checkpoint; waits for it. */
  async save(): Promise<SavedForces> {
    const { totals = false, energies } = this.#request;
    return { totals: totals ? { ...(await this.totals()) } : null, energies };
  }

  /** Takes back what `save` gave: the forces of the terms there are have been put back. */
  restore({ totals, energies }: SavedForces): void {
    this.#request = { forces: true, energies, totals: false };
    this.#totals.fill(null);
    this.#sum = totals && completed<ForceTotals>(totals);
  }

  /** Makes sure that `ep` holds the energy of every particle. */
  async energies(): Promise<void> {
    if (this.#request.energies) return;
    this.#calls.zeroEnergies.run();
    for (const term of this.#terms.slice(0, this.#count))
      await this.#calls.evaluate(term, ONLY_ENERGIES);
    this.#request = { ...this.#request, energies: true };
  }

  #collect(): PatternHandle<ForceTotals> {
    // Copies: totals arrive when other terms have been added.
    const terms = this.#terms.slice(0, this.#count);
    const handles: PatternHandle<Values>[] = [];
    for (let n = 0; n < terms.length; n++)
      handles.push(this.#totals[n] ?? this.#calls.evaluate(terms[n]!, ONLY_TOTALS));
    return combined(handles, (values) => sumOf(terms, values));
  }
}

/** What has been computed beside forces: energy and virial, and whether particles have their energies. */
export type SavedForces = {
  readonly totals: { readonly energy: number; readonly virial: ForceTotals['virial'] } | null;
  readonly energies: boolean;
};

type Values = Readonly<Record<string, number>>;

const FORCES: ForceRequest = { forces: true, energies: false, totals: false };
const ONLY_ENERGIES: ForceRequest = { forces: false, energies: true, totals: false };
const ONLY_TOTALS: ForceRequest = { forces: false, energies: false, totals: true };

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
