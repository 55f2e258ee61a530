import { expect, it } from 'vitest';
import { stepsBetween } from './stepsBetween.js';

/** From 10 µs to 20 ms. */
const times = Array.from({ length: 120 }, (_, k) => 0.01 * 2000 ** (k / 119));
const rateOf = (steps: number, step: number, picture: number) => 1000 / (steps * step + picture);

it.each([30, 60])('gives %d pictures a second wherever steps and pictures allow it', (rate) => {
  const missed: [number, number][] = [];
  let count = 0;
  for (const step of times)
    for (const picture of times) {
      if (rateOf(1, step, picture) < rate) continue;
      const steps = stepsBetween({ step, picture, rate, share: 1 });
      // Also where they take 7 % longer than was measured, unless there is but one step.
      const longer = steps > 1 ? 1.07 : 1;
      if (rateOf(steps, longer * step, longer * picture) < rate) missed.push([step, picture]);
      count++;
    }
  expect(missed).toEqual([]);
  expect(count).toBeGreaterThan(10_000);
});

it('leaves no time unused: a tenth more steps would miss the rate of pictures', () => {
  for (const step of times.filter((one) => one < 0.5)) {
    const steps = stepsBetween({ step, picture: 2, rate: 60, share: 1 });
    expect(rateOf(1.1 * steps + 1, step, 2)).toBeLessThan(60);
  }
});

it('keeps slow pictures to their share, whatever the rate', () => {
  for (const picture of [10, 40, 100]) {
    const steps = stepsBetween({ step: 0.25, picture, rate: 60, share: 0.5 });
    expect(picture / (picture + 0.25 * steps)).toBeLessThan(0.52);
  }
});

it('makes a step between pictures however long it takes', () => {
  expect(stepsBetween({ step: 40, picture: 20, rate: 60, share: 1 })).toBe(1);
});
