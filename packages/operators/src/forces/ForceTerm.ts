import type { Grid } from '@corpuscle/core';
import type { ExecutionContext, PatternHandle } from '@corpuscle/patterns';
import type { Tensor } from '../run/thermo/thermoRow.js';
import type { PreparedForce } from './PreparedForce.js';

/** What a force term knows of the whole system: its energy, and Σ over pairs of d_a F_b. */
export interface ForceTotals {
  readonly energy: number;
  readonly virial: Tensor;
}

/** What one evaluation of a term shall give; what is not asked for is not computed. */
export interface ForceRequest {
  /** Add to fx, fy, fz of every particle. */
  readonly forces: boolean;
  /** Add to ep of every particle. */
  readonly energies: boolean;
  /** Return energy and virial of the system. */
  readonly totals: boolean;
  /** Of these the virial alone, where terms can leave the energy out; default no. */
  readonly withoutEnergy?: boolean;
  /** Of the virial without energy xx, yy and zz alone; default no. */
  readonly isDiagonal?: boolean;
  /** Add the share of each particle in the virial to its fields vxx, vyy, vzz, vxy, vxz, vyz; default no. */
  readonly virials?: boolean;
}

/**
 * One contribution to the forces, such as a pair potential. Lists must be current and reach `rcut`.
 * The handle's value is null unless totals were asked for.
 */
export interface ForceTerm {
  readonly name: string;
  /** Largest distance at which two particles interact. `before` may change it the first time. */
  readonly rcut: number;
  /** Whether it gives particles their shares of the virial when it is asked for them; `'none'` where it adds nothing to the virial. */
  readonly sharesVirial?: true | 'none';
  /**
   * Awaited before `compute` at new positions, by terms that must know something of the whole system first, such as a
   * collective variable. It may sort particles, and must move none. `lists`: those in use, to be shared. A term that has found
   * all it needs for good has it no longer: it is looked up again each time.
   */
  before?(
    grid: Grid,
    ctx: ExecutionContext,
    lists: { readonly rcut: number; readonly skin: number | 'auto' },
  ): Promise<void>;
  /** Adds the forces of the term to the grid; the handle gives the energy and virial that the request asks for. */
  compute(
    grid: Grid,
    ctx: ExecutionContext,
    request: ForceRequest,
  ): PatternHandle<Readonly<Record<string, number>>>;
  /**
   * Prepares such evaluations, for loops. A term that does nothing but make the same calls has it; these are part of one fused
   * step, and leave totals in values of the context.
   */
  prepare?(grid: Grid, ctx: ExecutionContext, request: ForceRequest): PreparedForce;
  /** The same without the energy of the system. All other totals go into the values of the `complete` evaluation. */
  prepareWithoutEnergy?(
    grid: Grid,
    ctx: ExecutionContext,
    request: ForceRequest,
    complete: PreparedForce,
  ): PreparedForce;
  /** Reads the totals out of what `compute` gave. */
  totals(values: Readonly<Record<string, number>>): ForceTotals;
}
