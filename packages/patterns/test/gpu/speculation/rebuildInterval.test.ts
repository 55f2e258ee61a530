import { describe, expect, it } from 'vitest';
import { type Limits, type ListAge, nextInterval } from '../../../src/gpu/speculation/listAge.js';
import { partsOf, RebuildInterval } from '../../../src/gpu/speculation/RebuildInterval.js';
import { sequence } from '../../shared/oracle.js';

/** Half of the skin. */
const MOST = 0.15;
const half = () => MOST;
/** Fast particles are not looked at. */
const limits: Limits = { skin: 2 * MOST, tau: MOST, mostFast: 0, count: 1000 };

it('the interval of rebuilds follows the fastest particle', () => {
  expect(nextInterval(0.016, half, 64)).toBe(10);
  expect(nextInterval(0.016, half, 8)).toBe(8);
  expect(nextInterval(0, half, Infinity)).toBe(64);
  expect(nextInterval(0.2, half, 8)).toBe(1);
  expect(nextInterval(0.016, (age) => 0.3 - 0.01 * age, 64)).toBe(12);
});

/** Shows a window to the rebuild interval, which it may have to repeat. @returns the interval of the next attempt. */
function show(
  rebuilds: RebuildInterval,
  ages: ListAge[],
  interval: number,
  { skin, tau, ...rest }: Limits,
  updates = 64,
) {
  const most = rest.mostFast > 0 ? skin - tau : skin / 2;
  const tooOld = ages.filter(({ distance }) => distance > most).map(({ age }) => age);
  const window = {
    number: 0,
    interval,
    failed: false,
    updates,
    limits: { skin, tau, ...rest },
  };
  if (tooOld.length > 0) return rebuilds.repeat(window, { interval: Math.min(...tooOld), ages });
  rebuilds.learn(window, ages);
  return null;
}

/**
 * Windows of some 64 updates with the fastest particle of each list at about `speed`, now and then a tenth above.
 *
 * @param rare part of the lists in which it is a third faster. @returns how many were repeated.
 */
function run(
  rebuilds: RebuildInterval,
  speed: number,
  windows: number,
  next: () => number,
  rare = 0,
) {
  let repeats = 0;
  let sum = 0;
  for (let window = 0; window < windows; window++) {
    let { interval } = rebuilds.begin(64);
    const speeds = Array.from(
      { length: Math.ceil(64 / interval) },
      () => speed * (next() < rare ? 1.33 : 0.94 + 0.06 * Math.min(2, -Math.log(1 - next()))),
    );
    for (;;) {
      const ages = speeds.flatMap((v) =>
        Array.from({ length: interval - 1 }, (_, k) => ({ age: k + 1, distance: v * (k + 1) })),
      );
      const shorter = show(rebuilds, ages, interval, limits);
      if (shorter === null) break;
      interval = shorter;
      repeats++;
    }
    sum += interval;
  }
  return { repeats, mean: sum / windows };
}

it('an interval is learned soon, and seldom tried without success', () => {
  for (const speed of [0.0005, 0.011, 0.0206, 0.0233, 0.0247, 0.0297, 0.05, 0.16]) {
    const rebuilds = new RebuildInterval();
    const next = sequence(Math.round(1e4 * speed));
    run(rebuilds, speed, 30, next);
    const { repeats, mean } = run(rebuilds, speed, 1000, next);
    // Of a thousand particles the fastest goes a quarter farther in one of two hundred long windows.
    const best = Math.min(64, Math.floor(MOST / (1.06 * 1.24 * speed)) + 1);
    expect(mean).toBeGreaterThan(0.95 * best);
    expect(repeats).toBeLessThanOrEqual(3);
  }
});

it('few windows are repeated even if one of few particles is very fast at times', () => {
  for (const speed of [0.0206, 0.0233, 0.0247, 0.0297]) {
    const rebuilds = new RebuildInterval();
    const next = sequence(Math.round(1e4 * speed));
    run(rebuilds, speed, 100, next, 0.005);
    expect(run(rebuilds, speed, 1000, next, 0.005).repeats).toBeLessThanOrEqual(15);
  }
});

it('a long window seldom fails, where short ones may', () => {
  // The fastest of a window is at 0.92 of what lists are good for at an interval of 7, and at times beyond.
  for (const count of [1e4, 1e6]) {
    const rebuilds = new RebuildInterval();
    const next = sequence(11);
    const spread = 1 / (2 * Math.log(64 * count));
    const gone = { long: 0, failed: 0 };
    for (let k = 0; k < 4000; k++) {
      let { interval } = rebuilds.begin(640);
      const updates = rebuilds.length.most({ interval, count });
      const speed = 0.0229 * (1 - spread * Math.log(-Math.log(1 - next())));
      for (;;) {
        const lists = Math.ceil(updates / interval);
        const ages = Array.from({ length: lists * (interval - 1) }, (_, n) => {
          const age = (n % (interval - 1)) + 1;
          return { age, distance: speed * age };
        });
        const shorter = show(rebuilds, ages, interval, { ...limits, count }, updates);
        if (shorter === null) break;
        if (updates > 64) gone.failed++;
        interval = shorter;
      }
      if (updates > 64) gone.long++;
    }
    expect(gone.long).toBeGreaterThan(2000);
    expect(gone.failed / gone.long).toBeLessThan(0.002);
  }
});

it('slower particles soon give longer intervals, even after failures', () => {
  const rebuilds = new RebuildInterval();
  const next = sequence(3);
  run(rebuilds, 0.0335, 20, next);
  run(rebuilds, 0.028, 5, next);
  run(rebuilds, 0.021, 16, next);
  expect(rebuilds.begin(64).interval).toBe(7);
});

/** Thermal motion of a million particles: how many are faster than `v`, in units of what one coordinate has. */
const beyond = (v: number): number => 1e6 * Math.sqrt(2 / Math.PI) * v * Math.exp((-v * v) / 2);

it('lists serve longer where the pairs of fast particles are compared, which find room', () => {
  const next = sequence(8);
  const learned = [0, 4096].map((mostFast) => {
    const rebuilds = new RebuildInterval();
    for (let window = 0; window < 200; window++) {
      const { interval, tauRatio } = rebuilds.begin(64);
      const tau = tauRatio * 0.3;
      const unit = 0.004 * (5.2 + 0.4 * next()); // the fastest of a list
      const ages = Array.from({ length: interval - 1 }, (_, k) => {
        const fast =
          mostFast > 0 ? Math.min(mostFast + 1, Math.round(beyond(tau / (0.004 * (k + 1))))) : 0;
        return { age: k + 1, distance: unit * (k + 1), fast };
      });
      if (window > 50 && mostFast > 0) expect(ages.at(-1)!.fast).toBeLessThanOrEqual(mostFast);
      show(rebuilds, ages, interval, { skin: 0.3, tau, mostFast, count: 1e6 });
    }
    return rebuilds.begin(64).interval;
  });
  expect(learned).toEqual([6, 8]);
});

describe('what a window shows', () => {
  const ages = (n: number) => Array.from({ length: n }, (_, age) => ({ age, distance: 0 }));

  it('comes in parts of the usual length, every update once', () => {
    for (const [updates, count] of [
      [1, 1],
      [70, 1],
      [192, 3],
      [199, 3],
      [230, 4],
    ] as const) {
      const found = ages(updates - Math.floor(updates / 8));
      const parts = partsOf(found, updates);
      expect(parts).toHaveLength(count);
      expect(parts.flat()).toEqual(found);
    }
  });

  it('is one part where nothing was found', () => {
    expect(partsOf([], 3)).toEqual([[]]);
  });
});
