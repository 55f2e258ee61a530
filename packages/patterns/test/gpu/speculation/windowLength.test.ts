import { describe, expect, it } from 'vitest';
import {
  LONG,
  type OpenWindow,
  SHORT,
  WindowLength,
  type WindowOptions,
} from '../../../src/gpu/speculation/WindowLength.js';

const first: OpenWindow = {
  interval: 0,
  count: 32_768,
  updates: 0,
  results: 0,
  isFull: false,
  rebuildsNext: true,
};

/** A window length after some windows without updates. */
function after(windows: number, options: WindowOptions = {}): WindowLength {
  const length = new WindowLength(options);
  for (let k = 0; k < windows; k++) length.begin(0);
  return length;
}

/** Updates of the open window. */
function endsAt(length: WindowLength, window: Partial<OpenWindow> = {}): number {
  let updates = 0;
  while (!length.isOver({ ...first, ...window, updates })) updates++;
  return updates;
}

/** Proves windows of the length that is asked for. @returns updates they took. */
function prove(length: WindowLength, interval: number, windows: number): number {
  let all = 0;
  for (let k = 0; k < windows; k++) {
    const updates = endsAt(length, { interval });
    length.proved(interval, updates);
    all += updates;
  }
  return all;
}

/** A window length after many good windows. */
function calm(options: WindowOptions = {}): WindowLength {
  const length = after(40, options);
  prove(length, 0, 40);
  return length;
}

/** Updates of 24 windows with lists of 4 updates, in a run with a result every so many updates. */
function lengths(length: WindowLength, every: number): number[] {
  const ends: number[] = [];
  length.begin(0);
  let updates = 0;
  let results = 0;
  for (let update = 0; ends.length < 24; update++) {
    if (length.isOver({ ...first, updates, results, rebuildsNext: updates % 4 === 0 })) {
      ends.push(updates);
      length.begin(updates);
      updates = results = 0;
    }
    updates++;
    if (update % every !== 0) continue;
    results++;
    length.asked(updates);
  }
  return ends;
}

describe.each([
  ['learned', false],
  ['deterministic', true],
])('a %s window length', (_, deterministic) => {
  it('is short first', () => {
    expect(endsAt(after(1, { deterministic }))).toBe(SHORT);
    expect(endsAt(after(3, { deterministic }))).toBe(SHORT);
  });

  it('is longer after three windows', () => {
    expect(endsAt(after(4, { deterministic }))).toBe(LONG);
  });
});

describe('a learned window length', () => {
  it.each([
    [500, 256],
    [8192, 128],
    [16_384, LONG],
    [1_000_000, LONG],
  ])('is longer where it is cheap to repeat: %i particles', (count, updates) => {
    expect(endsAt(after(4), { count })).toBe(updates);
    expect(endsAt(after(4, { deterministic: true }), { count })).toBe(LONG);
    expect(endsAt(calm(), { count })).toBe(10 * LONG);
  });

  it('ends windows at a rebuild only', () => {
    const window = { ...first, rebuildsNext: false, updates: 1000 };
    expect(after(9).isOver(window)).toBe(false);
  });

  it('ends a window soon after a result, if the next is far', () => {
    expect(lengths(after(0), 100).slice(4, 12)).toEqual([64, 36, 64, 36, 64, 36, 64, 36]);
  });

  it('ends a long window after the last result that it has room for', () => {
    expect(lengths(calm(), 100).slice(-2)).toEqual([600, 600]);
    expect(lengths(calm(), 1000).slice(-3)).toEqual([640, 360, 640]);
  });

  it('ends windows as usual where there are results in every step', () => {
    const ends = lengths(calm(), 1).slice(-3);
    for (const updates of ends) expect(updates).toBeGreaterThan(10 * LONG - 2 * SHORT);
  });

  it('makes no long windows on a slow device', () => {
    expect(lengths(calm({ isSlow: true }), 1e6).slice(-2)).toEqual([64, 64]);
  });

  it('ends a window where another list might find no room for its fast particles', () => {
    expect(endsAt(after(9), { isFull: true })).toBe(0);
  });

  it('is ten times as long after two thousand good updates', () => {
    const length = after(9);
    expect(prove(length, 8, 32)).toBe(32 * LONG);
    expect(endsAt(length, { interval: 8 })).toBe(10 * LONG);
  });

  it('is the usual one while a longer interval is tried, and stays long at a shorter one', () => {
    const length = after(9);
    prove(length, 8, 40);
    expect(endsAt(length, { interval: 9 })).toBe(LONG);
    expect(endsAt(length, { interval: 7 })).toBe(10 * LONG);
    length.proved(9, LONG);
    expect(endsAt(length, { interval: 8 })).toBe(LONG);
  });

  it('is the usual one for a long time after steps were repeated', () => {
    const length = after(9);
    prove(length, 8, 40);
    length.failed();
    expect(prove(length, 7, 31)).toBe(31 * LONG);
    expect(endsAt(length, { interval: 7 })).toBe(LONG);
  });

  it('is the usual one if the host would otherwise be seconds ahead', () => {
    const length = after(9);
    prove(length, 8, 40);
    expect(endsAt(length, { interval: 8, count: 2 ** 24 })).toBe(LONG);
  });
});

it('a deterministic window ends after a fixed number of updates, whatever it has shown', () => {
  const window = { rebuildsNext: false, results: 1, isFull: true };
  expect(endsAt(after(9, { deterministic: true }), window)).toBe(LONG);
});

it('windows end sooner after one in which a particle strayed, but are not short', () => {
  const length = new WindowLength({});
  for (let k = 0; k < 8; k++) length.begin(640);
  length.proved(9, 10_000);
  const most = () => length.most({ interval: 9, count: 500 });
  const found = [most()];
  for (let k = 0; k < 5; k++) {
    length.strayed(most() + 10);
    found.push(most());
  }
  expect(found).toEqual([640, 325, 162, 81, 64, 64]);
});
