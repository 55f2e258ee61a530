import { components } from '../box/strainBox.js';
import type { ForceTotals } from '../forces/ForceTerm.js';
import type { BoxChange, BoxSearch } from './BoxSearch.js';

/** Strains: the first, and the largest of one step. */
const FIRST = 1e-3;
const LARGEST = 0.02;
/** The box is relaxed when its strain is known to this. */
const EXACT = 1e-10;
/** So many boxes in turn that are no better than one before mean that the last digits are reached, where steps are as small as this. */
const PATIENCE = 6;
const SMALL = 1e-4;

type Vector = readonly number[];

/**
 * Finds lengths, and tilts, at which the stress is a pressure: a quasi-Newton search (BFGS) in the strains, whose gradient of the
 * enthalpy is −V (σ − P), with σ the virial over V. Each step goes downhill.
 */
export class StrainSearch implements BoxSearch {
  readonly #pressure: number;
  /** Strains that change: three along the axes, and three shears. */
  readonly #size: 3 | 6;
  /** Strain for excess stress, by rows; null before it is known. */
  #compliance: number[] | null = null;
  #last: { readonly step: Vector; readonly excess: Vector } | null = null;
  #best = Number.POSITIVE_INFINITY;
  #sinceBest = 0;

  constructor(pressure: number, coupling: 'aniso' | 'triclinic') {
    this.#pressure = pressure;
    this.#size = coupling === 'aniso' ? 3 : 6;
  }

  next(virial: ForceTotals['virial'], volume: number): BoxChange {
    const excess = virial
      .slice(0, this.#size)
      .map((w, k) => w / volume - (k < 3 ? this.#pressure : 0));
    if (this.#last) this.#learn(this.#last.step, minus(this.#last.excess, excess));
    const step = this.#step(excess);
    const far = largest(step);
    if (far < EXACT) return 'relaxed';
    this.#sinceBest = largest(excess) < this.#best ? 0 : this.#sinceBest + 1;
    this.#best = Math.min(this.#best, largest(excess));
    if (this.#sinceBest >= PATIENCE && far < SMALL) return 'stuck';
    this.#last = { step, excess };
    return Object.fromEntries(step.map((value, k) => [components[k]!, value]));
  }

  #step(excess: Vector): Vector {
    const wanted = this.#compliance
      ? times(this.#compliance, excess)
      : excess.map((x) => (FIRST * x) / Math.max(largest(excess), Number.MIN_VALUE));
    const far = largest(wanted);
    return far > LARGEST ? wanted.map((x) => (x * LARGEST) / far) : wanted;
  }

  /** B ← (1 − s yᵀ/sᵀy) B (1 − y sᵀ/sᵀy) + s sᵀ/sᵀy. Where the box is not stable along the step, nothing is learned. */
  #learn(step: Vector, fall: Vector): void {
    const n = this.#size;
    const sy = dot(step, fall);
    if (!(sy > 0)) return;
    const before = this.#compliance ?? diagonal(n, sy / dot(fall, fall));
    const by = times(before, fall);
    const all = (1 + dot(fall, by) / sy) / sy;
    this.#compliance = before.map((b, at) => {
      const [i, j] = [Math.floor(at / n), at % n];
      return b + all * step[i]! * step[j]! - (by[i]! * step[j]! + step[i]! * by[j]!) / sy;
    });
  }
}

const dot = (a: Vector, b: Vector): number => a.reduce((sum, x, k) => sum + x * b[k]!, 0);
const minus = (a: Vector, b: Vector): number[] => a.map((x, k) => x - b[k]!);
const largest = (a: Vector): number => Math.max(...a.map(Math.abs));
const diagonal = (n: number, value: number): number[] =>
  Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? value : 0));
const times = (matrix: Vector, v: Vector): number[] =>
  v.map((_, row) => dot(matrix.slice(row * v.length, (row + 1) * v.length), v));
