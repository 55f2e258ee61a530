import { expect, it } from 'vitest';
import { SkinTuner } from '../../../src/cpu/neighbors/SkinTuner.js';

const rcut = 2.5;

/** A machine and a system: milliseconds of pairs a step and of a build, displacement a step and its power of time. */
interface Case {
  readonly pairs: number;
  readonly build: number;
  readonly speed: number;
  readonly power: number;
}

const volume = (skin: number) => ((rcut + skin) / rcut) ** 3;
const steps = ({ speed, power }: Case, skin: number) =>
  Math.floor((skin / 2 / speed) ** (1 / power)) + 1;
/** Milliseconds a step. */
const cost = (of: Case, skin: number) =>
  of.pairs * (0.5 + 0.5 * volume(skin)) + (of.build * (0.2 + 0.8 * volume(skin))) / steps(of, skin);

function tune(of: Case, lists: number, noise = () => 1): number {
  const tuner = new SkinTuner(rcut);
  let moved = false;
  for (let k = 0; k < lists; k++) {
    const skin = tuner.next(moved);
    moved = true;
    tuner.built(of.build * (0.2 + 0.8 * volume(skin)) * noise());
    for (let age = 1; ; age++) {
      tuner.computed(of.pairs * (0.5 + 0.5 * volume(skin)) * noise());
      const displacement = of.speed * age ** of.power;
      if (tuner.step(displacement) || displacement > skin / 2) break;
    }
  }
  return tuner.skin;
}

const cases = [0.5, 2, 8, 30].flatMap((build) =>
  [0.002, 0.01, 0.03].flatMap((speed) =>
    [0.6, 0.9].map((power): Case => ({ pairs: 1, build, speed, power })),
  ),
);

it.each(cases)('comes near the best skin (%o)', (of) => {
  let state = 7;
  const noise = () => {
    state = (state * 16807) % 2147483647;
    return 1 + (0.3 * state) / 2147483647;
  };
  let least = Infinity;
  for (let k = 1; k <= 60; k++) least = Math.min(least, cost(of, 0.01 * k * rcut));
  expect(cost(of, tune(of, 30))).toBeLessThan(1.08 * least);
  expect(cost(of, tune(of, 30, noise))).toBeLessThan(1.12 * least);
});

it('shrinks the skin of particles that hardly move before the list ends', () => {
  const cold = { pairs: 1, build: 2, speed: 1e-4, power: 0.3 };
  expect(tune(cold, 8)).toBeLessThan(0.06 * rcut);
});

it('keeps its first skin until something has been measured', () => {
  const tuner = new SkinTuner(rcut);
  for (let k = 0; k < 5; k++) expect(tuner.next(false)).toBe(0.3);
});

it.each([
  { build: 1, speed: 0.03 },
  { build: 1.5, speed: 0.02 },
  { build: 2, speed: 0.03 },
  { build: 4, speed: 0.02 },
])('keeps a skin beside which no other saves a hundredth (%o)', ({ build, speed }) => {
  const of: Case = { pairs: 1, build, speed, power: 0.9 };
  // As steps on average: a list lasts whole ones.
  const smooth = (skin: number) =>
    of.pairs * (0.5 + 0.5 * volume(skin)) +
    (build * (0.2 + 0.8 * volume(skin))) / ((skin / 2 / speed) ** (1 / of.power) + 0.5);
  let least = Infinity;
  for (let k = 1; k <= 60; k++) least = Math.min(least, smooth(0.01 * k * rcut));
  expect(least).toBeLessThan(smooth(0.3));
  expect(least).toBeGreaterThan(0.985 * smooth(0.3));
  expect(tune(of, 12)).toBe(0.3);
});
