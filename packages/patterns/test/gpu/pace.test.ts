import { describe, expect, it } from 'vitest';
import type { Findings } from '../../src/gpu/speculation/examine.js';
import { Pace } from '../../src/gpu/speculation/Pace.js';
import type { SpeculationWindow } from '../../src/gpu/speculation/SpeculationWindow.js';
import { LONG, SHORT } from '../../src/gpu/speculation/StretchLength.js';

/** A stretch of a pace that has begun some. */
function stretchOf(
  pace: Pace,
  earlier: number,
  rest: Partial<SpeculationWindow> = {},
): SpeculationWindow {
  const stretch = {
    grid: { count: 1000 },
    updates: 0,
    results: 0,
    isFull: false,
    rebuildsNext: true,
    ...rest,
  } as unknown as SpeculationWindow;
  for (let k = 0; k <= earlier; k++) pace.set(stretch);
  return stretch;
}

const endsAt = (pace: Pace, stretch: SpeculationWindow): number => {
  let updates = 0;
  while (!pace.isOver(Object.assign(stretch, { updates }))) updates++;
  return updates;
};

/** A pace whose stretches have been good for long. */
function calmPace(isSlow = false): Pace {
  const pace = new Pace(false, isSlow);
  const stretch = stretchOf(pace, 40, { updates: LONG });
  for (let k = 0; k < 40; k++) pace.learn(stretch, { ages: [] } as unknown as Findings);
  return pace;
}

/** Updates of some stretches with lists of 4 updates, in a run with a result every so many updates. */
function stretches(pace: Pace, every: number): number[] {
  const lengths: number[] = [];
  let stretch = stretchOf(pace, 0);
  for (let update = 0; lengths.length < 24; update++) {
    Object.assign(stretch, { rebuildsNext: stretch.updates % 4 === 0 });
    if (pace.isOver(stretch)) {
      lengths.push(stretch.updates);
      stretch = stretchOf(pace, 0);
    }
    stretch.updates++;
    if (update % every !== 0) continue;
    stretch.results++;
    pace.asked(stretch);
  }
  return lengths;
}

describe.each([
  ['that learns', false],
  ['that is the same whoever looks', true],
])('a pace %s', (_, deterministic) => {
  it('has short stretches first', () => {
    const pace = new Pace(deterministic);
    expect(endsAt(pace, stretchOf(pace, 0))).toBe(SHORT);
  });

  it('has longer ones then', () => {
    const pace = new Pace(deterministic);
    expect(endsAt(pace, stretchOf(pace, 8))).toBe(LONG);
  });
});

describe('a pace that learns', () => {
  const pace = new Pace(false);

  it('ends stretches at a rebuild only', () => {
    const stretch = stretchOf(pace, 8, { rebuildsNext: false, updates: 1000 });
    expect(pace.isOver(stretch)).toBe(false);
  });

  it('ends a stretch soon behind a result, if the next is far', () => {
    expect(stretches(new Pace(false), 100).slice(4, 12)).toEqual([64, 36, 64, 36, 64, 36, 64, 36]);
  });

  it('ends a long stretch behind the last result that it has room for', () => {
    expect(stretches(calmPace(), 100).slice(-2)).toEqual([600, 600]);
    expect(stretches(calmPace(), 1000).slice(-3)).toEqual([640, 360, 640]);
  });

  it('ends stretches as usual where there are results in every step', () => {
    const ends = stretches(calmPace(), 1).slice(-3);
    for (const updates of ends) expect(updates).toBeGreaterThan(10 * LONG - 2 * SHORT);
  });

  it('has no long stretches on a device on which every step takes long', () => {
    expect(stretches(calmPace(true), 1e6).slice(-2)).toEqual([64, 64]);
  });

  it('ends a stretch where another list might find no room for its fast particles', () => {
    expect(endsAt(pace, stretchOf(pace, 8, { isFull: true }))).toBe(0);
  });
});

describe('a pace that is the same whoever looks', () => {
  it('ends stretches whatever they have shown', () => {
    const pace = new Pace(true);
    expect(
      endsAt(pace, stretchOf(pace, 8, { rebuildsNext: false, results: 1, isFull: true })),
    ).toBe(LONG);
  });
});
