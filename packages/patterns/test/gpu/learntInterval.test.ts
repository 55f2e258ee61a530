import { expect, it } from 'vitest';
import { type Limits, nextInterval } from '../../src/gpu/speculation/intervalPolicy.js';
import { LearntInterval } from '../../src/gpu/speculation/LearntInterval.js';
import { sequence } from '../shared/oracle.js';

/** Half of the skin. */
const MOST = 0.15;
const half = () => MOST;
/** Fast particles are not looked at. */
const limits: Limits = { skin: 2 * MOST, tau: MOST, room: 0, count: 1000 };

it('the interval of rebuilds follows the fastest particle', () => {
  expect(nextInterval(0.016, half, 64)).toBe(10);
  expect(nextInterval(0.016, half, 8)).toBe(8);
  expect(nextInterval(0, half, Infinity)).toBe(64);
  expect(nextInterval(0.2, half, 8)).toBe(1);
  expect(nextInterval(0.016, (age) => 0.3 - 0.01 * age, 64)).toBe(12);
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

it('particles that have become slower give longer intervals soon, whatever failed before', () => {
  const interval = new LearntInterval();
  const next = sequence(3);
  run(interval, 0.0335, 20, next);
  run(interval, 0.028, 5, next);
  run(interval, 0.021, 16, next);
  expect(interval.value).toBe(7);
});

/** Thermal motion of a million particles: how many are faster than `v`, in units of what one coordinate has. */
const beyond = (v: number): number => 1e6 * Math.sqrt(2 / Math.PI) * v * Math.exp((-v * v) / 2);

it('lists serve longer where the pairs of fast particles are compared, which find room', () => {
  const next = sequence(8);
  const room = 4096;
  const learnt = [0, room].map((has) => {
    const interval = new LearntInterval();
    for (let stretch = 0; stretch < 200; stretch++) {
      const used = interval.value;
      const tau = interval.shareFor(used) * 0.3;
      const unit = 0.004 * (5.2 + 0.4 * next()); // the fastest of a list
      const ages = Array.from({ length: used - 1 }, (_, k) => {
        const fast = has > 0 ? Math.min(room + 1, Math.round(beyond(tau / (0.004 * (k + 1))))) : 0;
        return { age: k + 1, distance: unit * (k + 1), fast };
      });
      if (stretch > 50 && has > 0) expect(ages.at(-1)!.fast).toBeLessThanOrEqual(room);
      const most = has > 0 ? 0.3 - tau : 0.15;
      const tooOld = ages.filter(({ distance }) => distance > most).map(({ age }) => age);
      const limits = { skin: 0.3, tau, room: has, count: 1e6 };
      if (tooOld.length > 0) interval.tooLong(Math.min(...tooOld), ages, limits);
      else interval.proved(ages, limits, used);
    }
    return interval.value;
  });
  expect(learnt).toEqual([7, 8]);
});
