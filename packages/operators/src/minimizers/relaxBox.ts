import type { ForceTotals } from '../forces/ForceTerm.js';
import type { MakeSearch, Search, SearchProgress, Tolerances } from './Search.js';
import type { SearchVectors } from './SearchVectors.js';

/** A box that grows and shrinks evenly along all axes, with its particles. */
export interface ScalableBox {
  readonly volume: number;
  /** Multiplies all lengths. */
  scale(lengths: number): void;
}

/** Changes of ln V: the first, and the largest of one step. */
const FIRST = 2e-3;
const LARGEST = 0.06;
/** The box is relaxed when ln V is known to this. */
const EXACT = 1e-10;
const MOST = 60;

/** A box: ln V, and how much its pressure exceeds the one that is wanted. */
interface Box {
  readonly x: number;
  readonly excess: number;
}

/**
 * Relaxes particles, then the volume by the secant of pressure against ln V, and so on: the enthalpy E + P V is least where the
 * pressure of the relaxed particles is P. Bounds close in where a cutoff makes the pressure jump.
 */
export async function* relaxBox(
  make: MakeSearch,
  vectors: SearchVectors,
  tolerances: Tolerances,
  progress: SearchProgress,
  { box, pressure }: { readonly box: ScalableBox; readonly pressure: number },
): Search {
  let totals = yield;
  let low: Box | null = null;
  let high: Box | null = null;
  let last: Box | null = null;
  for (let n = 0; ; n++) {
    const inner = make(vectors, tolerances, progress);
    await inner.next(totals);
    let found = await inner.next(totals);
    while (!found.done) {
      totals = yield;
      found = await inner.next(totals);
    }
    if (found.value === 'steps' || n === MOST) return 'steps';
    const now: Box = { x: Math.log(box.volume), excess: pressureOf(totals, box) - pressure };
    if (now.excess > 0) low = now;
    else high = now;
    const x: number = nextVolume(now, last, low, high);
    if (Math.abs(x - now.x) < EXACT) return found.value;
    last = now;
    box.scale(Math.exp((x - now.x) / 3));
    totals = yield;
  }
}

const pressureOf = ({ virial }: ForceTotals, { volume }: ScalableBox): number =>
  (virial[0] + virial[1] + virial[2]) / (3 * volume);

/** @param low,high the last boxes that push outwards and inwards */
function nextVolume(now: Box, last: Box | null, low: Box | null, high: Box | null): number {
  if (now.excess === 0) return now.x;
  const slope = last && last.x !== now.x ? (now.excess - last.excess) / (now.x - last.x) : 0;
  const isStable = slope < 0;
  const wanted = isStable ? -now.excess / slope : FIRST * Math.sign(now.excess);
  const x = now.x + Math.min(LARGEST, Math.max(-LARGEST, wanted));
  if (!low || !high || low.x >= high.x) return x;
  const isInside = x > low.x && x < high.x;
  return isInside ? x : (low.x + high.x) / 2;
}
