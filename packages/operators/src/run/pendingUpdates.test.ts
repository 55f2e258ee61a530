import { completed, type NeighbourUpdate, type PatternHandle } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { PendingUpdates } from './PendingUpdates.js';

/** Handles of updates that are done when we say so. */
function later() {
  const value = { rebuilt: true, maxDisplacement: 0 } as NeighbourUpdate;
  const state = { done: false };
  const { wait, then } = completed(value);
  const handle = Object.defineProperties(
    { value, wait, then },
    { done: { get: () => state.done } },
  );
  return { handle: handle as unknown as PatternHandle<NeighbourUpdate>, state };
}

it('takes updates out in their order, however many are under way', () => {
  const updates = new PendingUpdates(1);
  const all = Array.from({ length: 1500 }, later);
  const taken: number[] = [];
  let added = 0;
  const take = () => {
    while (updates.takeDone()) taken.push(updates.takenStep);
  };
  // More are added than taken for a long time, so that the room for them grows while it is in use.
  for (const [k, { handle }] of all.entries()) {
    updates.add(k, handle);
    added++;
    if (k % 3 === 0) all[k / 3]!.state.done = true;
    take();
  }
  expect(taken).toEqual(all.slice(0, added / 3).map((_, k) => k));
  for (const { state } of all) state.done = true;
  take();
  expect(taken).toEqual(all.map((_, k) => k));
  expect(updates.rebuilds).toBe(1 + all.length);
  expect(updates.takeDone()).toBeNull();
});

it('does not take out one that is done before the oldest', () => {
  const updates = new PendingUpdates(0);
  const [first, second] = [later(), later()];
  updates.add(7, first.handle);
  updates.add(8, second.handle);
  second.state.done = true;
  expect(updates.takeDone()).toBeNull();
  first.state.done = true;
  expect(updates.takeDone()).toBe(first.handle.value);
  expect(updates.takenStep).toBe(7);
});

it('waits for the latest, and for nothing where there is none', async () => {
  const updates = new PendingUpdates(0);
  await updates.settled();
  const value = { rebuilt: false, tunedSkin: 0.4 } as NeighbourUpdate;
  let isAwaited = false;
  const handle = {
    value,
    done: true,
    then: (fulfilled: (value: NeighbourUpdate) => void) => {
      isAwaited = true;
      fulfilled(value);
    },
  };
  updates.add(1, handle as unknown as PatternHandle<NeighbourUpdate>);
  await updates.settled();
  expect(isAwaited).toBe(true);
  updates.takeDone();
  expect(updates.tunedSkin).toBe(0.4);
});
