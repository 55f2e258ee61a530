import type { Search, SearchProgress, Tolerances } from './Search.js';
import type { SearchSums, SearchVectors } from './SearchVectors.js';
import { Stagnation } from './Stagnation.js';

/** Steps downhill before the time step grows, and its factors; share of the forces in velocities, and its factor. */
const FIRE = { delay: 20, grow: 1.1, shrink: 0.5, share: 0.25, less: 0.99 } as const;

/** How far the first look goes, of the largest displacement. */
const TRIAL = 0.01;

/**
 * The fast inertial relaxation engine, version 2.0 (Bitzek et al. 2006; Guénolé et al. 2020): particles of mass 1 move with velocities
 * that are turned toward the forces. Uphill they go back half a step and stop. No step moves a particle beyond `maxDisplacement`.
 */
export async function* fire(
  vectors: SearchVectors,
  { energy: energyTolerance, force, maxSteps, maxDisplacement }: Tolerances,
  progress: SearchProgress,
): Search {
  let { energy } = yield;
  vectors.turn(0, 0);
  let sums = await vectors.sums();
  Object.assign(progress, { energy, largestForce: sums.largestForce });
  let dt = Math.sqrt((0.1 * maxDisplacement) / Math.max(sums.largestForce, Number.MIN_VALUE));
  if (sums.largestForce > force) {
    dt = Math.min(dt, yield* stableTimeStep(vectors, sums, TRIAL * maxDisplacement));
    sums = await vectors.sums();
  }
  let share: number = FIRE.share;
  let downhill = 0;
  const stagnation = new Stagnation();
  while (sums.largestForce > force) {
    if (stagnation.look(energy, sums.ff, 1)) return 'line';
    if (progress.steps >= maxSteps) return 'steps';
    if (sums.fs > 0) {
      downhill++;
      if (downhill > FIRE.delay) {
        dt *= FIRE.grow;
        share *= FIRE.less;
      }
    } else {
      downhill = 0;
      if (sums.ss > 0) {
        vectors.move(-0.5 * dt);
        dt *= FIRE.shrink;
      }
      share = FIRE.share;
      vectors.turn(0, 0);
      sums = { ...sums, fs: 0, ss: 0, largestStep: 0 };
    }
    dt = step(vectors, sums, dt, share, maxDisplacement);
    const before = energy;
    ({ energy } = yield);
    sums = await vectors.sums();
    progress.steps++;
    Object.assign(progress, { energy, largestForce: sums.largestForce });
    const change = Math.abs(energy - before);
    if (downhill > FIRE.delay && change < energyTolerance * Math.abs(energy)) return 'energy';
  }
  return 'force';
}

/**
 * Looks a little along the forces, and goes back: √|δf / δr| is how fast particles swing there. Near a minimum, where forces are small,
 * a time step that takes particles as far as elsewhere would throw them out of it.
 */
async function* stableTimeStep(
  vectors: SearchVectors,
  { ff, largestForce }: SearchSums,
  distance: number,
): AsyncGenerator<void, number, { readonly energy: number }> {
  const along = distance / largestForce;
  vectors.turn(0, along);
  vectors.move(1);
  yield;
  const there = await vectors.sums();
  vectors.move(-1);
  vectors.turn(0, 0);
  yield;
  const change = Math.sqrt(Math.max(0, there.ff - 2 * there.fe + ff));
  return 0.5 / Math.sqrt(change / (along * Math.sqrt(ff)));
}

/** v ← (1 − share) (v + dt f) + share |v + dt f| f/|f|, r ← r + dt v. @returns the time step that was taken */
function step(
  vectors: SearchVectors,
  { ff, fs, ss, largestForce, largestStep }: SearchSums,
  wanted: number,
  share: number,
  most: number,
): number {
  const mixed = (dt: number) => {
    const speed = Math.sqrt(ss + 2 * dt * fs + dt * dt * ff); // |v + dt f|
    return (1 - share) * dt + (share * speed) / Math.sqrt(ff);
  };
  let dt = wanted;
  while (dt * ((1 - share) * largestStep + mixed(dt) * largestForce) > most) dt *= 0.7;
  vectors.turn(1 - share, mixed(dt));
  vectors.move(dt);
  return dt;
}
