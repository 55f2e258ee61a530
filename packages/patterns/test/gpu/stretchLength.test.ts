import { describe, expect, it } from 'vitest';
import { LONG, lessonsOf, StretchLength } from '../../src/gpu/speculation/StretchLength.js';

const few = 1000;

/** Proves stretches of the length that is asked for. @returns updates they took. */
function prove(length: StretchLength, interval: number, stretches: number): number {
  let all = 0;
  for (let k = 0; k < stretches; k++) {
    const updates = length.of(interval, few);
    length.proved({ interval, updates });
    all += updates;
  }
  return all;
}

describe('the length of stretches', () => {
  it('is ten times as long after two thousand good updates', () => {
    const length = new StretchLength();
    expect(prove(length, 8, 32)).toBe(32 * LONG);
    expect(length.of(8, few)).toBe(10 * LONG);
  });

  it('is the usual one while a longer interval is tried, and goes on where a shorter one is used', () => {
    const length = new StretchLength();
    prove(length, 8, 40);
    expect(length.of(9, few)).toBe(LONG);
    expect(length.of(7, few)).toBe(10 * LONG);
    length.proved({ interval: 9, updates: LONG });
    expect(length.of(8, few)).toBe(LONG);
  });

  it('is the usual one for long after steps had to be made again', () => {
    const length = new StretchLength();
    prove(length, 8, 40);
    length.failed();
    expect(prove(length, 7, 31)).toBe(31 * LONG);
    expect(length.of(7, few)).toBe(LONG);
  });

  it('is the usual one for so many particles that the host would be seconds ahead', () => {
    const length = new StretchLength();
    prove(length, 8, 40);
    expect(length.of(8, 2 ** 24)).toBe(LONG);
  });
});

describe('what stretches teach', () => {
  const ages = (n: number) => Array.from({ length: n }, (_, age) => ({ age, distance: 0 }));

  it('comes in parts of the usual length, every update once', () => {
    for (const [updates, parts] of [
      [1, 1],
      [70, 1],
      [192, 3],
      [199, 3],
      [230, 4],
    ] as const) {
      const found = ages(updates - Math.floor(updates / 8));
      const lessons = lessonsOf(found, updates);
      expect(lessons).toHaveLength(parts);
      expect(lessons.flat()).toEqual(found);
    }
  });

  it('is one lesson where nothing was found', () => {
    expect(lessonsOf([], 3)).toEqual([[]]);
  });
});
