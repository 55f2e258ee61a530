import type { ForceTotals } from '../forces/ForceTerm.js';
import type { BoxChange, BoxSearch } from './BoxSearch.js';

/** Changes of ln V: the first, and the largest of one step. */
const FIRST = 2e-3;
const LARGEST = 0.06;
/** The box is relaxed when ln V is known to this. */
const EXACT = 1e-10;
/** So many boxes in turn that are no better than one before mean that the last digits are reached, where changes are as small as this. */
const PATIENCE = 6;
const SMALL = 1e-6;

/** A box: ln V, and how much its pressure exceeds the one that is wanted. */
interface Box {
  readonly x: number;
  readonly excess: number;
}

/** Finds a volume by the secant of pressure against ln V. Bounds close in where a cutoff makes the pressure jump. */
export class VolumeSearch implements BoxSearch {
  readonly #pressure: number;
  /** The last boxes that push outward and inward, and the last of all. */
  #low: Box | null = null;
  #high: Box | null = null;
  #last: Box | null = null;
  #best = Number.POSITIVE_INFINITY;
  #sinceBest = 0;

  constructor(pressure: number) {
    this.#pressure = pressure;
  }

  next(virial: ForceTotals['virial'], volume: number): BoxChange {
    const pressure = (virial[0] + virial[1] + virial[2]) / (3 * volume);
    const now: Box = { x: Math.log(volume), excess: pressure - this.#pressure };
    if (now.excess > 0) this.#low = now;
    else this.#high = now;
    const change = this.#better(now) - now.x;
    if (Math.abs(change) < EXACT) return 'relaxed';
    this.#sinceBest = Math.abs(now.excess) < this.#best ? 0 : this.#sinceBest + 1;
    this.#best = Math.min(this.#best, Math.abs(now.excess));
    if (this.#sinceBest >= PATIENCE && Math.abs(change) < SMALL) return 'stuck';
    this.#last = now;
    const growth = Math.expm1(change / 3);
    return { xx: growth, yy: growth, zz: growth };
  }

  #better(now: Box): number {
    if (now.excess === 0) return now.x;
    const [last, low, high] = [this.#last, this.#low, this.#high];
    const slope = last && last.x !== now.x ? (now.excess - last.excess) / (now.x - last.x) : 0;
    const isStable = slope < 0;
    const wanted = isStable ? -now.excess / slope : FIRST * Math.sign(now.excess);
    const x = now.x + Math.min(LARGEST, Math.max(-LARGEST, wanted));
    if (!low || !high || low.x >= high.x) return x;
    const isInside = x > low.x && x < high.x;
    return isInside ? x : (low.x + high.x) / 2;
  }
}
