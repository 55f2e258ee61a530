import { pending } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { PendingRows } from './PendingRows.js';

it('lets the run wait for the oldest row when more than 256 are under way', async () => {
  const delivered: number[] = [];
  const rows = new PendingRows<number>((value) => delivered.push(value));
  const arrive: (() => void)[] = [];
  const add = (value: number) =>
    rows.add(pending(new Promise<number>((resolve) => arrive.push(() => resolve(value)))));
  for (let k = 0; k < 256; k++) expect(add(k)).toBeUndefined();
  const waiting = add(256);
  expect(waiting).toBeInstanceOf(Promise);
  let waits = true;
  const over = Promise.resolve(waiting).then(() => {
    waits = false;
  });
  arrive[1]!();
  await new Promise((resolve) => setImmediate(resolve));
  expect(waits).toBe(true);
  arrive[0]!();
  await over;
  expect(delivered).toEqual([0, 1]);
});
