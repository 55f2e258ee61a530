import { CorpuscleError, type Grid } from '@corpuscle/core';
import {
  combined,
  completed,
  computeCellParticles,
  type ExecutionContext,
  type PatternHandle,
  type PreparedCall,
  type ValueReference,
} from '@corpuscle/patterns';
import { ForceCalls } from './ForceCalls.js';
import type { ForceRequest, ForceTerm, ForceTotals } from './ForceTerm.js';
import { makeCalls, type PreparedForce, readTotals } from './PreparedForce.js';
import { virialBlocks, zeroVirials } from './particleVirials.js';

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
  /** Where the totals of each term are; null when this evaluation did not compute them. */
  #totals: (Totals | null)[] = [];
  #count = 0;
  #request = FORCES;
  #sum: PatternHandle<ForceTotals> | null = null;
  /** Whether particles have their shares of the virial at the present positions. */
  #hasVirials = false;

  constructor(grid: Grid, ctx: ExecutionContext) {
    this.grid = grid;
    this.ctx = ctx;
    this.#calls = new ForceCalls(grid, ctx);
  }

  /** Clears the forces. `totals` and `energies` say what will be asked for before the next `begin`. */
  begin(expect: ExpectedResults): void {
    this.#count = 0;
    this.#request = requestFor(expect);
    this.#sum = null;
    this.#hasVirials = false;
    this.#calls.zeroForces.run();
  }

  /** Adds the forces of a term. */
  add(term: ForceTerm): void {
    const totals = this.#evaluate(term, this.#request);
    const at = this.#count++;
    this.#terms[at] = term;
    this.#totals[at] = totals;
    this.#sum = null;
    this.#hasVirials = false;
  }

  /** The call that `begin` makes. */
  get beginCalls(): readonly PreparedCall[] {
    return [this.#calls.zeroForces];
  }

  /** The calls that `add` makes after such a `begin`; null for a term that does more. */
  addCalls(term: ForceTerm, expect: ExpectedResults): PreparedForce['calls'] | null {
    return this.#calls.prepared(term, requestFor(expect))?.calls ?? null;
  }

  /** Whether such a term has been added since `begin`. */
  hasTerm(isSought: (term: ForceTerm) => boolean): boolean {
    for (let n = 0; n < this.#count; n++) if (isSought(this.#terms[n]!)) return true;
    return false;
  }

  /** The terms added last, and what was asked of them. */
  get evaluation(): Evaluation {
    return { terms: this.#terms.slice(0, this.#count), request: this.#request };
  }

  /** Whether the calls of an evaluation are still what `begin` and `add` would make. */
  isCurrent({ terms, request }: Evaluation): boolean {
    for (const term of terms) if (!this.#calls.isCurrent(term, request)) return false;
    return true;
  }

  /** The calls of an evaluation have been made, without `begin` and `add`. */
  noteReplay({ terms, request }: Evaluation): void {
    this.#request = request;
    this.#count = terms.length;
    for (let n = 0; n < terms.length; n++) {
      const term = terms[n]!;
      this.#terms[n] = term;
      this.#totals[n] = request.totals ? this.#totalsOf(term, request, null) : null;
    }
    this.#sum = null;
    this.#hasVirials = false;
  }

  /** Energy and virial of all terms at the present positions; on a device they arrive later. */
  totals(): PatternHandle<ForceTotals> {
    this.#sum ??= this.#collect(!this.#request.withoutEnergy);
    return this.#sum;
  }

  /** The virial among them: that of an evaluation that left the energy out, too, which may know xx, yy and zz alone. */
  latestVirial(): PatternHandle<Pick<ForceTotals, 'virial'>> {
    return this.#sum ?? this.#collect(true);
  }

  /**
   * Where the virials of the terms added last are, once an evaluation has computed what is expected: xx, yy, zz, xy, xz, yz each.
   * Null where the host alone knows one.
   */
  virialValues(expect: ExpectedResults): readonly (readonly ValueReference[])[] | null {
    if (!this.#request.totals) return null;
    const terms = this.#terms.slice(0, this.#count);
    const found = terms.flatMap((term) => {
      if (term.sharesVirial === 'none') return [];
      const prepared = this.#calls.prepared(term, requestFor(expect));
      return [prepared && virialOf(prepared)];
    });
    return found.includes(null) ? null : (found as (readonly ValueReference[])[]);
  }

  /**
   * What has been computed beside the forces, for a checkpoint; waits for it.
   * @param areCurrent whether they are those of the present positions and box; otherwise nothing is computed anew
   */
  async save(areCurrent: boolean): Promise<SavedForces> {
    const { totals = false, energies, withoutEnergy } = this.#request;
    const isKnown = totals && (areCurrent || !withoutEnergy);
    const sums = isKnown ? await this.#withLatestVirial(await this.totals()) : null;
    return { totals: sums, energies, areCurrent };
  }

  /** Takes back what `save` gave: the forces of the terms there are have been put back. */
  restore({ totals, energies }: SavedForces): void {
    this.#request = { forces: true, energies, totals: false };
    this.#hasVirials = false;
    this.#totals.fill(null);
    this.#sum = totals && completed<ForceTotals>(totals);
  }

  /** Whether `ep` holds the energy of every particle. */
  get hasEnergies(): boolean {
    return this.#request.energies;
  }

  /** Makes sure that `ep` holds the energy of every particle. */
  async energies(): Promise<void> {
    if (this.hasEnergies) return;
    this.#calls.zeroEnergies.run();
    for (const term of this.#terms.slice(0, this.#count)) await this.#make(term, ONLY_ENERGIES);
    this.#request = { ...this.#request, energies: true };
  }

  /**
   * Makes sure that vxx, vyy, vzz, vxy, vxz and vyz hold the share of every particle in the virial; they add up to it.
   *
   * @throws CorpuscleError INVALID_VALUE naming a term that cannot tell them.
   */
  async virials(): Promise<void> {
    if (this.#hasVirials) return;
    const terms = this.#terms.slice(0, this.#count);
    const mute = terms.find((term) => !term.sharesVirial);
    if (mute)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${mute.name} does not tell the share of each particle in the virial: leave out stresses and heat fluxes, or this force`,
      );
    for (const block of virialBlocks) this.grid.addBlock(block);
    computeCellParticles(this.grid, zeroVirials, this.ctx);
    for (const term of terms) {
      const made = this.#make(term, ONLY_VIRIALS);
      if (!term.prepare) await made; // what prepared calls compute is used by later calls alone
    }
    this.#hasVirials = true;
  }

  /** Gives back what is prepared, and the totals with it. */
  close(): void {
    this.#calls.close();
  }

  /** Computes what is asked of a term. @returns where its totals are, if they are asked for. */
  #evaluate(term: ForceTerm, request: ForceRequest): Totals | null {
    const made = this.#make(term, request);
    return request.totals ? this.#totalsOf(term, request, made) : null;
  }

  #make(term: ForceTerm, request: ForceRequest): PatternHandle<unknown> | null {
    const prepared = this.#calls.prepared(term, request);
    return prepared ? makeCalls(prepared) : term.compute(this.grid, this.ctx, request);
  }

  /** @param made what computed them, where they are not in values. */
  #totalsOf(term: ForceTerm, request: ForceRequest, made: PatternHandle<unknown> | null): Totals {
    const prepared = this.#calls.prepared(term, request);
    return prepared ? () => readTotals(prepared) : () => made as PatternHandle<Values>;
  }

  /** Totals that were computed by themselves, with what the evaluation found of the virial where it left the energy out. */
  async #withLatestVirial({ energy, virial }: ForceTotals): Promise<ForceTotals> {
    const { withoutEnergy, isDiagonal } = this.#request;
    if (!withoutEnergy) return { energy, virial };
    const { virial: latest } = await this.#collect(true);
    const [xx, yy, zz] = latest;
    const [, , , xy, xz, yz] = virial;
    return { energy, virial: isDiagonal ? [xx, yy, zz, xy, xz, yz] : latest };
  }

  /** @param reads whether what evaluations have computed is read */
  #collect(reads: boolean): PatternHandle<ForceTotals> {
    // Copies: totals arrive when other terms have been added.
    const terms = this.#terms.slice(0, this.#count);
    const handles = terms.map((term, n) =>
      ((reads ? this.#totals[n] : null) ?? this.#evaluate(term, ONLY_TOTALS)!)(),
    );
    return combined(handles, (values) => sumOf(terms, values));
  }
}

/** What has been computed beside forces: energy and virial, and whether particles have their energies. */
export type SavedForces = {
  readonly totals: { readonly energy: number; readonly virial: ForceTotals['virial'] } | null;
  readonly energies: boolean;
  /** Absent in checkpoints of earlier versions: then they are. */
  readonly areCurrent?: boolean;
};
/** What will be asked for of an evaluation besides forces: totals of energy and virial, energies of particles. */
export interface ExpectedResults {
  readonly totals: boolean;
  /** The virial alone will be asked for. */
  readonly withoutEnergy?: boolean;
  /** Of that xx, yy and zz alone. */
  readonly isDiagonal?: boolean;
  readonly energies?: boolean;
}

/** Terms, and what is asked of each. */
export interface Evaluation {
  readonly terms: readonly ForceTerm[];
  readonly request: ForceRequest;
}

/** Asks for the totals of a term. */
type Totals = () => PatternHandle<Values>;

type Values = Readonly<Record<string, number>>;

/** Names of a virial among the totals of a term. */
const VIRIALS = [
  ['vxx', 'vyy', 'vzz', 'vxy', 'vxz', 'vyz'],
  ['w0', 'w1', 'w2', 'w3', 'w4', 'w5'],
] as const;

function virialOf({ totals }: PreparedForce): readonly ValueReference[] | null {
  for (const names of VIRIALS) {
    const value = totals.find((one) => one.names.includes(names[0]));
    if (value) return names.map((name) => value.of(name));
  }
  return null;
}

const FORCES: ForceRequest = { forces: true, energies: false, totals: false };
/** What is asked of each term. */
export const requestFor = ({
  totals,
  energies = false,
  withoutEnergy = false,
  isDiagonal = false,
}: ExpectedResults): ForceRequest =>
  totals || energies ? { forces: true, energies, totals, withoutEnergy, isDiagonal } : FORCES;
const ONLY_ENERGIES: ForceRequest = { forces: false, energies: true, totals: false };
const ONLY_TOTALS: ForceRequest = { forces: false, energies: false, totals: true };
const ONLY_VIRIALS: ForceRequest = { ...ONLY_TOTALS, totals: false, virials: true };

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
