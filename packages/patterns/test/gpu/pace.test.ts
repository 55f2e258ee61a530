import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/gpu/ahead/Pace.js';
import type { Stretch } from '../../src/gpu/ahead/Stretch.js';
import { LONG, SHORT } from '../../src/gpu/ahead/StretchLength.js';

/** A stretch of a pace that has begun some. */
function stretchOf(pace: Pace, earlier: number, rest: Partial<Stretch> = {}): Stretch {
  const stretch = {
    grid: { count: 1000 },
    updates: 0,
    results: 0,
    isFull: false,
    rebuildsNext: true,
    ...rest,
  } as unknown as Stretch;
  for (let k = 0; k <= earlier; k++) pace.set(stretch);
  return stretch;
}

const endsAt = (pace: Pace, stretch: Stretch): number => {
  let updates = 0;
  while (!pace.isOver(Object.assign(stretch, { updates }))) updates++;
  return updates;
};

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

  it('ends a stretch soon behind a result, but not where there are many', () => {
    expect(endsAt(pace, stretchOf(pace, 8, { results: 1 }))).toBe(SHORT);
    expect(endsAt(pace, stretchOf(pace, 8, { results: 60 }))).toBe(LONG);
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
