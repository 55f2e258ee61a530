import { expect, it } from 'vitest';
import { decodeTexts, encodeTexts } from './sharedTexts.js';

it('brings texts back from the end of an address, which needs no escape', async () => {
  const texts = { simulation: 'units: lj # 300 K, 1 Å\n'.repeat(200), potential: 'u(r) = r²\n' };
  const end = await encodeTexts(texts);
  expect(end).toMatch(/^[\w-]+$/);
  expect(end.length).toBeLessThan(400);
  expect(await decodeTexts(end)).toEqual(texts);
});

it.each(['', 'no text', 'AAAA', btoa('{}')])('finds no texts in %j', async (end) => {
  expect(await decodeTexts(end)).toBeNull();
});
