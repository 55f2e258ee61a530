import { expect, it } from 'vitest';
import type { BackgroundJob } from '../../src/cpu/BackgroundJob.js';
import { LaneQueue } from '../../src/cpu/LaneQueue.js';

const job = (lane: string | null, name: string) => ({ lane, name }) as unknown as BackgroundJob;
const nameOf = (taken: BackgroundJob | null) => (taken as unknown as { name: string } | null)?.name;

it('a job that is taken up again comes before the later ones of its lane, and after the other lanes', () => {
  const queue = new LaneQueue();
  for (const [lane, name] of [
    ['a', 'a1'],
    ['a', 'a2'],
    ['b', 'b1'],
    ['c', 'c1'],
  ] as const)
    queue.push(job(lane, name));
  const first = queue.shift()!;
  expect(nameOf(first)).toBe('a1');
  queue.resume(first);
  expect(queue.hasOthers('a')).toBe(true);
  expect([1, 2, 3, 4].map(() => nameOf(queue.shift()))).toEqual(['b1', 'c1', 'a1', 'a2']);
  expect(queue.shift()).toBeNull();
});

it('lanes that came while a job ran come before the rest of it', () => {
  const queue = new LaneQueue();
  queue.push(job(null, 'a1'));
  queue.push(job(null, 'a2'));
  const first = queue.shift()!;
  queue.push(job('b', 'b1'));
  queue.push(job(null, 'a3'));
  queue.resume(first);
  expect([1, 2, 3, 4].map(() => nameOf(queue.shift()))).toEqual(['b1', 'a1', 'a2', 'a3']);
  expect(queue.hasOthers(null)).toBe(false);
});
