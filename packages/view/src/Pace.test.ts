import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pace, type PaceOptions } from './Pace.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A device that does one thing after the other, of so many milliseconds each, and a run that is drawn by it. */
async function drawn(options: PaceOptions, ofStep: number, ofPicture: number, seconds: number) {
  const pace = new Pace(options);
  let [free, steps, pictures, ahead] = [0, 0, 0, 0];
  const ask = (time: number): Promise<void> => {
    free = Math.max(free, performance.now()) + time;
    const left = free - performance.now();
    return new Promise((resolve) => setTimeout(resolve, left));
  };
  const begin = performance.now();
  const run = async () => {
    while (performance.now() - begin < 1000 * seconds) {
      void ask(ofStep);
      steps++;
      await pace.atStep(async () => {
        pictures++;
        const before = ask(0);
        ahead = Math.max(ahead, free - performance.now());
        return { before, done: ask(ofPicture) };
      });
    }
  };
  const over = run();
  await vi.advanceTimersByTimeAsync(1100 * seconds);
  await over;
  return { rate: pictures / seconds, work: (steps * ofStep) / (1000 * seconds), ahead };
}

it('keeps the rate of pictures and gives steps the rest of the device', async () => {
  const { rate, work, ahead } = await drawn({ rate: 60 }, 0.25, 1, 4);
  expect(rate).toBeGreaterThanOrEqual(60);
  expect(rate).toBeLessThan(70);
  expect(work).toBeGreaterThan(0.9);
  expect(ahead).toBeLessThan(60); // milliseconds: not more than a few pictures
});

it('draws slow pictures less often, so that they take half of the device', async () => {
  const { rate, work } = await drawn({ rate: 60 }, 3, 100, 10);
  expect(rate).toBeLessThan(6);
  expect(work).toBeGreaterThan(0.4);
});

it('makes a step between pictures however long it takes', async () => {
  const { rate } = await drawn({ rate: 30, share: 1 }, 40, 20, 4);
  expect(rate).toBeCloseTo(1000 / 60, -1);
});

it('makes steps without pictures while the page is hidden', async () => {
  const pace = new Pace();
  for (let k = 0; k < 100; k++) await pace.atStep(async () => null);
  expect(pace.steps).toBe(1);
});
