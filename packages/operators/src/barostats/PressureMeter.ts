import type { SimulationState } from '@corpuscle/core';
import {
  type ContextValue,
  type PreparedCall,
  prepareReduction,
  prepareValues,
  reduceFunctor,
  type ValueReference,
  valueFunctor,
} from '@corpuscle/patterns';
import type { BarostatCoupling } from '../box/coupling.js';
import { expectedIn } from '../forces/currentLedger.js';
import type { ForceTotals } from '../forces/ForceTerm.js';
import { referencesOf } from '../run/contextValues.js';
import { contextOf, gridKey, ledgerKey } from '../run/stateKeys.js';
import { kineticTensor } from '../run/thermo/kineticTensor.js';

/** The diagonal of `kineticTensor`, for boxes that keep their angles. */
export const kineticDiagonal = reduceFunctor(
  {
    name: 'kinetic_diagonal',
    result: { xx: 'sum', yy: 'sum', zz: 'sum' },
    read: { vx: 'real', vy: 'real', vz: 'real', mass: 'real' },
    traits: { gpu: true },
  },
  (acc, i) => {
    acc.xx += i.mass * i.vx * i.vx;
    acc.yy += i.mass * i.vy * i.vy;
    acc.zz += i.mass * i.vz * i.vz;
  },
);

/** The trace of `kineticTensor`, as its xx: for boxes that only scale. */
const kineticTrace = reduceFunctor(
  {
    name: 'kinetic_trace',
    result: { xx: 'sum' },
    read: { vx: 'real', vy: 'real', vz: 'real', mass: 'real' },
    traits: { gpu: true },
  },
  (acc, i) => {
    acc.xx += i.mass * (i.vx * i.vx + i.vy * i.vy + i.vz * i.vz);
  },
);

/** What of the kinetic tensor is measured; the trace goes to xx, and yy and zz stay 0. */
export type MeterParts = 'trace' | 'diagonal' | 'all';
/** The functors that measure them. */
export const kineticParts = {
  trace: kineticTrace,
  diagonal: kineticDiagonal,
  all: kineticTensor,
} as const;

/** What a coupling needs of the kinetic tensor. */
export function partsOf(coupling: BarostatCoupling): MeterParts {
  if (coupling === 'iso') return 'trace';
  return coupling === 'triclinic' ? 'all' : 'diagonal';
}

const WXX = ['wxx', 'wyy', 'wzz', 'wxy', 'wxz', 'wyz'] as const;

const NOTHING = {
  xx: 0,
  yy: 0,
  zz: 0,
  xy: 0,
  xz: 0,
  yz: 0,
  fastest2: 0,
  wxx: 0,
  wyy: 0,
  wzz: 0,
  wxy: 0,
  wxz: 0,
  wyz: 0,
} as const;

const six = { xx: 'real', yy: 'real', zz: 'real', xy: 'real', xz: 'real', yz: 'real' } as const;
const sum = {
  wxx: 'real',
  wyy: 'real',
  wzz: 'real',
  wxy: 'real',
  wxz: 'real',
  wyz: 'real',
} as const;

/** Adds the virial of a term; `kept` is 0 for the first. */
const addVirial = valueFunctor(
  { name: 'add_virial', values: { ...six, ...sum }, params: { kept: 'real' } },
  (v, p) => {
    v.wxx = v.xx + p.kept * v.wxx;
    v.wyy = v.yy + p.kept * v.wyy;
    v.wzz = v.zz + p.kept * v.wzz;
    v.wxy = v.xy + p.kept * v.wxy;
    v.wxz = v.xz + p.kept * v.wxz;
    v.wyz = v.yz + p.kept * v.wyz;
  },
);

/** Names of what a pressure is made of, besides the kinetic part. */
export type Virial = readonly ValueReference[];

/** Calls of one evaluation. */
interface Bound {
  readonly kinetic: PreparedCall<object, unknown>;
  readonly sums: readonly PreparedCall[];
  /** Where the virial is after them; null where the host has to fetch it. */
  readonly virial: Virial | null;
}

/** Measures what a pressure is made of: the kinetic tensor and the virial of the present forces, as values. */
export class PressureMeter {
  /** Σ m v_a v_b in xx …; the virial where the host has fetched it, or there are several terms, in wxx …. */
  readonly value: ContextValue<keyof typeof NOTHING>;
  readonly #state: SimulationState;
  readonly #parts: MeterParts;
  /** By what the calls were prepared for: other steps, in which energies of particles are computed say, have other virials. */
  readonly #bounds: { readonly terms: readonly Virial[] | null; readonly bound: Bound }[] = [];
  #version = -1;
  #kinetic: { readonly version: number; readonly call: Bound['kinetic'] } | null = null;

  constructor(state: SimulationState, parts: MeterParts) {
    this.#state = state;
    this.#parts = parts;
    this.value = contextOf(state).value(NOTHING);
  }

  /** The calls for what forces compute in this step. The same as long as they do. */
  get bound(): Bound {
    const state = this.#state;
    const terms = state.find(ledgerKey)?.virialValues(expectedIn(state)) ?? null;
    if (this.#version !== state.callsVersion) this.#close();
    this.#version = state.callsVersion;
    const known = this.#bounds.find((one) => areSame(terms, one.terms));
    if (known) return known.bound;
    const bound = this.#prepare(terms);
    this.#bounds.push({ terms, bound });
    return bound;
  }

  /** Measures the kinetic tensor: the same call whatever forces compute in a step. */
  get kinetic(): Bound['kinetic'] {
    const { callsVersion: version } = this.#state;
    if (this.#kinetic?.version === version) return this.#kinetic.call;
    this.#kinetic?.call.close();
    const functor = kineticParts[this.#parts] as typeof kineticTensor;
    const [grid, ctx] = [this.#state.get(gridKey), contextOf(this.#state)];
    const call: Bound['kinetic'] = prepareReduction(grid, functor, {}, ctx, { into: this.value });
    this.#kinetic = { version, call };
    return call;
  }

  /** Measures both; a promise where the host has to fetch a virial. */
  run(): Promise<void> | null {
    const { kinetic, sums, virial } = this.bound;
    kinetic.run();
    for (const call of sums) call.run();
    return virial ? null : this.fetchVirial();
  }

  /** Where the virial is that the host fetches. */
  get fetched(): Virial {
    return WXX.map((name) => this.value.of(name));
  }

  /** The totals of the forces made last, on the host. */
  latestVirial(): PromiseLike<Pick<ForceTotals, 'virial'>> {
    return this.#state.get(ledgerKey).latestVirial();
  }

  /** Fetches the virial of the forces made last. */
  async fetchVirial(): Promise<void> {
    const { virial } = await this.latestVirial();
    this.value.engineValues.write(virial, this.value.placeOf('wxx'));
  }

  #prepare(terms: readonly Virial[] | null): Bound {
    const ctx = contextOf(this.#state);
    const { kinetic } = this;
    if (!terms) return { kinetic, sums: [], virial: null };
    if (terms.length === 0) return { kinetic, sums: [], virial: this.fetched };
    if (terms.length === 1) return { kinetic, sums: [], virial: terms[0]! };
    const own = referencesOf(this.value, WXX);
    const sums = terms.map((term, k) => {
      const values = Object.fromEntries(Object.keys(six).map((name, n) => [name, term[n]!]));
      return prepareValues(addVirial, ctx, {
        values: { ...values, ...own } as never,
        params: { kept: k === 0 ? 0 : 1 },
      });
    });
    return { kinetic, sums: sums as readonly PreparedCall[], virial: this.fetched };
  }

  #close(): void {
    for (const { bound } of this.#bounds.splice(0)) for (const call of bound.sums) call.close();
  }

  /** Gives back what it holds. */
  close(): void {
    this.#close();
    this.#kinetic?.call.close();
    this.#kinetic = null;
    this.value.close();
  }
}

function areSame(a: readonly Virial[] | null, b: readonly Virial[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((term, k) => term.every((one, n) => one === b[k]![n]));
}
