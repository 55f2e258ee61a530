import { expect, it } from 'vitest';
import { type Limits, nextInterval } from '../../src/gpu/ahead/intervalPolicy.js';
import { LearntInterval } from '../../src/gpu/ahead/LearntInterval.js';
import { sequence } from '../shared/oracle.js';

/** Half of the skin. */
const MOST = 0.15;
const half = () => MOST;
/** Fast particles are not looked at. */
const limits: Limits = { skin: 2 * MOST, tau: MOST, room: 0, count: 1000 };

it('the interval of rebuilds follows the fastest particle', () => {
  const ages = [1, 2, 3, 4].map((age) => ({ age, distance: 0.015 * age }));
  expect(nextInterval(ages, half, 5, 64)).toBe(10);
  expect(nextInterval(ages, half, 5, 8)).toBe(8);
  expect(nextInterval(ages, half, 2, 64)).toBe(4);
  expect(nextInterval([], half, 1, 64)).toBe(2);
  expect(nextInterval([{ age: 1, distance: 0 }], half, 60, Infinity)).toBe(64);
  expect(nextInterval([{ age: 1, distance: 0.2 }], half, 8, 64)).toBe(1);
});

/**
 * Stretches of some 64 updates with the fastest particle of each list at about `speed`, now and then a tenth above; how many were
 * made again.
 */
function run(interval: LearntInterval, speed: number, stretches: number, next: () => number) {
  let repeats = 0;
  let sum = 0;
  for (let stretch = 0; stretch < stretches; stretch++) {
    const lists = Math.ceil(64 / interval.value);
    const speeds = Array.from(
      { length: lists },
      () => speed * (0.94 + 0.06 * Math.min(2, -Math.log(1 - next()))),
    );
    for (;;) {
      const used = interval.value;
      const ages = speeds.flatMap((v) =>
        Array.from({ length: used - 1 }, (_, k) => ({ age: k + 1, distance: v * (k + 1) })),
      );
      const tooOld = ages.filter(({ distance }) => distance > MOST).map(({ age }) => age);
      if (tooOld.length > 0) {
        repeats++;
        interval.tooLong(Math.min(...tooOld), ages, limits);
        continue;
      }
      interval.proved(ages, limits, used);
      sum += used;
      break;
    }
  }
  return { repeats, mean: sum / stretches };
}

it('an interval is learnt soon, and seldom tried in vain', () => {
  for (const speed of [0.0005, 0.011, 0.0206, 0.0233, 0.0247, 0.0297, 0.05, 0.16]) {
    const interval = new LearntInterval();
    const next = sequence(Math.round(1e4 * speed));
    run(interval, speed, 30, next);
    const { repeats, mean } = run(interval, speed, 1000, next);
    const best = Math.min(64, Math.floor(MOST / (1.06 * speed)) + 1);
    expect(mean).toBeGreaterThan(0.84 * best);
    expect(repeats).toBeLessThanOrEqual(10);
  }
});

it('particles that have become slower give longer intervals at once, whatever failed before', () => {
  const interval = new LearntInterval();
  const next = sequence(3);
  run(interval, 0.0335, 20, next);
  run(interval, 0.028, 5, next);
  run(interval, 0.021, 8, next);
  expect(interval.value).toBe(7);
});
