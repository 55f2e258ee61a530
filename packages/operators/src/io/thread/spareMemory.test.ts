import { expect, it } from 'vitest';
import { buffersOf } from './buffersOf.js';
import { memoryOf, useAgain } from './spareMemory.js';

it('gives memory that an earlier frame has kept or returned, each piece once', () => {
  useAgain([]);
  const [stays, leaves] = [memoryOf(1 << 16), memoryOf(1 << 17)];
  const sent = structuredClone(leaves, { transfer: [leaves] });
  useAgain([sent]);
  const again = [memoryOf(1 << 17), memoryOf(1 << 16), memoryOf(1 << 16)];
  expect(again[0]).toBe(sent);
  expect(again[1]).toBe(stays);
  expect(again[2]).not.toBe(stays);
  useAgain([]);
  useAgain([]);
  expect(again).not.toContain(memoryOf(1 << 16)); // forgotten by a frame that did not use it
});

it('finds memory that a view has for itself', () => {
  const large = new Uint8Array(new ArrayBuffer(1 << 16), 0, 5);
  const small = new Uint8Array(new ArrayBuffer(100), 0, 5);
  const whole = new Float64Array(3);
  const found = buffersOf({ a: [large, small], b: new Map([['c', whole]]) });
  expect(found).toEqual([large.buffer, whole.buffer]);
});
