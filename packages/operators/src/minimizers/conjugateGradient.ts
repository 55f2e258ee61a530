import type { MakeSearch, Search, SearchEnd, SearchProgress, Tolerances } from './Search.js';
import type { SearchVectors } from './SearchVectors.js';
import { Stagnation } from './Stagnation.js';

/** A line search ends when the slope is this part of what it was, or after so many evaluations. */
const FLAT = 0.1;
const MOST_EVALUATIONS = 30;
/** Relative noise of energies: smaller changes say nothing. */
const NOISE = 1e-13;

/** A point on a line: how far, the energy, and the force along the line. */
interface Point {
  readonly at: number;
  readonly energy: number;
  readonly force: number;
}

/** Conjugate gradients of Polak and Ribière, begun anew where they would go uphill, with a search along each line. */
export const conjugateGradient: MakeSearch = (vectors, tolerances, progress) =>
  descend(vectors, tolerances, progress, true);

/** Steepest descent, with a search along each line. */
export const steepestDescent: MakeSearch = (vectors, tolerances, progress) =>
  descend(vectors, tolerances, progress, false);

async function* descend(
  vectors: SearchVectors,
  { energy: energyTolerance, force, maxSteps, maxDisplacement }: Tolerances,
  progress: SearchProgress,
  isConjugate: boolean,
): Search {
  let { energy } = yield;
  vectors.turn(0, 1);
  let sums = await vectors.sums();
  Object.assign(progress, { energy, largestForce: sums.largestForce });
  let isFresh = true;
  /** Step of the last line times the force along it. */
  let scale = 0;
  let evaluations = 0;
  const stagnation = new Stagnation();
  while (sums.largestForce > force) {
    if (stagnation.look(energy, sums.ff, evaluations)) return 'line';
    if (progress.steps >= maxSteps) return 'steps';
    const most = maxDisplacement / sums.largestStep;
    const first = scale > 0 ? Math.min(most, scale / sums.fs) : 0.1 * most;
    const start: Point = { at: 0, energy, force: sums.fs };
    const found = yield* searchLine(vectors, start, first, most);
    const { end } = found;
    evaluations = found.evaluations;
    if (!end) {
      if (isFresh) return 'line';
      // Along the forces themselves there may be a way.
      vectors.turn(0, 1);
      sums = await vectors.sums();
      isFresh = true;
      scale = 0;
      continue;
    }
    scale = end.at * start.force;
    const before = { energy, ff: sums.ff };
    energy = end.energy;
    progress.steps++;
    sums = await vectors.sums();
    Object.assign(progress, { energy, largestForce: sums.largestForce });
    const change = Math.abs(energy - before.energy);
    if (change < energyTolerance * Math.abs(energy)) return endOf(sums.largestForce, force);
    const beta = isConjugate ? Math.max(0, (sums.ff - sums.fe) / before.ff) : 0;
    // f · (β s + f) must be downhill.
    isFresh = beta === 0 || beta * sums.fs + sums.ff <= 0;
    vectors.turn(isFresh ? 0 : beta, 1);
    sums = await vectors.sums();
  }
  return 'force';
}

const endOf = (largest: number, tolerance: number): SearchEnd =>
  largest > tolerance ? 'energy' : 'force';

/**
 * Looks along the direction for a point where the force along it is small and the energy is not higher: by the secant of the forces,
 * within bounds that close in. Leaves the particles there, or back at the start.
 *
 * @returns the point, null where all are higher than the start; and how many were looked at
 */
async function* searchLine(
  vectors: SearchVectors,
  start: Point,
  first: number,
  most: number,
): AsyncGenerator<
  void,
  { readonly end: Point | null; readonly evaluations: number },
  { readonly energy: number }
> {
  const isLower = (point: Point): boolean =>
    point.energy <= start.energy + NOISE * Math.abs(start.energy);
  let low = start;
  let high: Point | null = null;
  let best: Point | null = null;
  let at = first;
  let now = 0;
  let evaluations = 0;
  while (evaluations < MOST_EVALUATIONS) {
    evaluations++;
    vectors.move(at - now);
    now = at;
    const { energy } = yield;
    const { fs } = await vectors.sums();
    const point: Point = { at, energy, force: fs };
    if (isLower(point)) {
      if (!best || energy <= best.energy || Math.abs(fs) < Math.abs(best.force)) best = point;
      if (Math.abs(fs) <= FLAT * start.force) return { end: point, evaluations };
      if (fs > 0 && at >= most) return { end: point, evaluations }; // as far as it may go, and still downhill
    }
    if (fs > 0 && isLower(point)) low = point;
    else high = point;
    at = next(low, high, most);
    if (high && high.at - low.at < 1e-12 * high.at) break;
  }
  const end = best ?? start;
  vectors.move(end.at - now);
  if (end.at !== now) yield;
  return { end: best, evaluations };
}

/** Where to look next: farther while it is downhill, then between the bounds. */
function next(low: Point, high: Point | null, most: number): number {
  if (!high) return Math.min(most, low.at * 3);
  const width = high.at - low.at;
  if (high.force >= 0) return low.at + width / 2; // beyond a barrier: forces say nothing
  const secant = low.at + (width * low.force) / (low.force - high.force);
  return Math.min(high.at - 0.05 * width, Math.max(low.at + 0.05 * width, secant));
}
