import { expect, it } from 'vitest';
import type { CallRunner } from '../../../src/gpu/calls/CallRunner.js';
import { ASTRAY, BUILT } from '../../../src/gpu/neighbors/displacementText.js';
import { examine, foundBy } from '../../../src/gpu/speculation/examine.js';
import { RebuildInterval } from '../../../src/gpu/speculation/RebuildInterval.js';
import { whyRepeat } from '../../../src/gpu/speculation/repeatWindows.js';
import type { SpeculationWindow } from '../../../src/gpu/speculation/SpeculationWindow.js';
import type { WindowPool } from '../../../src/gpu/speculation/WindowPool.js';

const SKIN = 0.6;

/** An update: how far particles had moved, and what the last two words of its record say. */
interface Update {
  readonly moved: number;
  readonly rebuilds?: boolean;
  readonly neighbors?: number;
  readonly flags?: number;
  readonly isBroken?: boolean;
  /** Whether the device decides on a build. */
  readonly votes?: boolean;
}

/** A window with these updates, and the records that the device would have written. */
function windowOf(interval: number, updates: readonly Update[]) {
  const words = new Uint32Array(4 * updates.length);
  const distances = new Float32Array(words.buffer);
  let age = 0;
  const records = updates.map(
    ({ moved, rebuilds = false, neighbors = 0, flags = 0, isBroken, votes = false }, slot) => {
      age = rebuilds ? 0 : age + 1;
      distances[4 * slot] = moved ** 2;
      words.set([isBroken ? ~7 : 0, neighbors, flags], 4 * slot + 1);
      return { slot, age, rebuilds, listsFast: false, votes };
    },
  );
  const limits = { skin: SKIN, tau: SKIN / 2, mostFast: 0, count: 100 };
  const window = { number: 0, interval, failed: false, updates: updates.length };
  const rest = { skin: SKIN, fast: null, limits, entries: [{ updates: records }] };
  return { window: { ...window, ...rest } as unknown as SpeculationWindow, words };
}

/** Decides about a window, with lists that have room for 100 neighbors. */
async function decide(
  rebuilds: RebuildInterval,
  { window, words }: ReturnType<typeof windowOf>,
  mostVoted = 640,
) {
  const rooms: number[] = [];
  const lists = { capacity: 100 };
  const neighbors = {
    lists: () => lists,
    makeRoom: async (_grid: unknown, longest: number) => void rooms.push(longest),
  };
  const runner = { neighbors } as unknown as CallRunner;
  const grid = { count: 100 };
  Object.assign(window, { grid, mostVoted });
  const found = examine(window, words);
  const pool = { rebuilds, mayVote: true } as WindowPool;
  const repetition = await whyRepeat(runner, pool, window, found);
  return { found, rooms, repetition, mayVote: pool.mayVote };
}

it('lists that had no room are made longer, and teach nothing of how far particles go', async () => {
  for (const isBroken of [false, true]) {
    const rebuilds = new RebuildInterval();
    const { interval } = rebuilds.begin(0);
    const far = { moved: 20, isBroken };
    const window = windowOf(interval, [{ moved: 0, rebuilds: true, neighbors: 120 }, far, far]);
    const { rooms, repetition } = await decide(rebuilds, window);
    expect(rooms).toEqual([120]);
    expect(repetition!.limit).toBeGreaterThanOrEqual(interval);
    expect(window.window.failed).toBe(false);
    expect(rebuilds.begin(3).interval).toBe(interval);
  }
});

it('lists that were used too long are made again at the age when they still were good', async () => {
  const rebuilds = new RebuildInterval();
  const { interval } = rebuilds.begin(0);
  const moves = [0.1, 0.2, 0.4].map((moved) => ({ moved }));
  const window = windowOf(interval, [{ moved: 0, rebuilds: true }, ...moves]);
  const { rooms, repetition } = await decide(rebuilds, window);
  expect(rooms).toEqual([]);
  expect(repetition!.limit).toBe(3);
  expect(window.window.failed).toBe(true);
});

it('nothing is made again where positions are no numbers', async () => {
  const window = windowOf(4, [
    { moved: 0, rebuilds: true },
    { moved: 9, isBroken: true },
  ]);
  const { found, repetition } = await decide(new RebuildInterval(), window);
  expect(found.brokenAt).toBe(1);
  expect(repetition).toBeNull();
});

it('where each update rebuilds the lists, longer intervals come back when particles become slower', () => {
  const rebuilds = new RebuildInterval();
  rebuilds.begin(0);
  const fast = windowOf(4, [{ moved: 0, rebuilds: true }, { moved: 0.5 }]);
  rebuilds.repeat(fast.window, examine(fast.window, fast.words));
  let interval = 1;
  expect(rebuilds.begin(2).interval).toBe(interval);
  for (let k = 0; k < 100; k++) {
    const slow = Array.from({ length: 16 }, () => ({ moved: 0.01, rebuilds: true }));
    const { window, words } = windowOf(interval, slow);
    rebuilds.learn(window, examine(window, words).ages);
    ({ interval } = rebuilds.begin(16));
    if (interval > 1) break;
  }
  expect(interval).toBe(2);
});

/** A window in which the device builds lists: after three updates, and after two more. */
const voted = [0, 0.1, 0.2, 0.31, 0.15, 0.32, 0.1].map((moved, k) => ({
  moved,
  rebuilds: k === 0,
  votes: k > 0,
  flags: k === 3 || k === 5 ? BUILT : 0,
}));

it('lists that the device has built are good, and their ages count from there', async () => {
  const rebuilds = new RebuildInterval();
  const window = windowOf(4, voted);
  const { found, repetition } = await decide(rebuilds, window);
  expect(repetition).toBeNull();
  expect(found).toMatchObject({ interval: 4, hasStrayed: false, hasLostVote: false });
  expect(found.ages.map(({ age, distance }) => [age, Number(distance.toFixed(3))])).toEqual([
    ...[
      [1, 0.1],
      [2, 0.2],
      [3, 0.31],
    ],
    // Given up after two updates: it would have shown as much again half later.
    ...[
      [1, 0.15],
      [3, 0.48],
    ],
    [1, 0.1],
  ]);
  const said = window.window.entries[0]!.updates.map(
    foundBy(window.window, window.words, Infinity),
  );
  expect(said.map(({ rebuilt }) => rebuilt)).toEqual(voted.map((_, k) => [0, 3, 5].includes(k)));
  expect(said[3]!.reason).toBe('a particle moved half the skin');
});

it('the host plans builds again where a particle strays, or no vote told that one was due', async () => {
  const stray = voted.map((one, k) => (k === 3 ? { ...one, flags: BUILT + ASTRAY } : one));
  const silent = voted.map((one, k) => (k === 3 ? { ...one, flags: 0 } : one));
  for (const [updates, mayVote] of [
    [stray, true],
    [silent, false],
  ] as const) {
    const rebuilds = new RebuildInterval();
    const { interval } = rebuilds.begin(0);
    const first = await decide(rebuilds, windowOf(interval, updates));
    expect(first).toMatchObject({ repetition: { limit: Infinity, isPlanned: true }, mayVote });
    expect(rebuilds.begin(7).interval).toBe(interval);
  }
  const late = await decide(new RebuildInterval(), windowOf(4, silent), 0);
  expect(late.repetition!.limit).toBe(3);
});
