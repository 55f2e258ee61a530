import { pending } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { PendingRows } from './PendingRows.js';

/** A row that arrives in the next turn of the event loop. */
const row = (value: number | Error) =>
  pending(
    new Promise<number>((resolve, reject) => {
      setImmediate(() => (value instanceof Error ? reject(value) : resolve(value)));
    }),
  );
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('delivers rows in order, and none after one that failed', async () => {
  const delivered: number[] = [];
  const rows = new PendingRows<number>((value) => delivered.push(value));
  for (const value of [1, 2, new Error('blew up'), 4]) rows.add(row(value));
  await expect(rows.flush()).rejects.toThrow('blew up');
  expect(delivered).toEqual([1, 2]);
});

it('tells of one failure once: rows that fail later do not end the process', async () => {
  const rows = new PendingRows<number>(() => {});
  rows.add(row(new Error('first')));
  await turn();
  await turn();
  expect(() => rows.add(row(new Error('second')))).toThrow('first');
  await turn();
  await turn();
  expect(() => process.emit('beforeExit', 0)).not.toThrow(); // where unseen errors are thrown
});
