import { expect, it } from 'vitest';
import { parseWallTime } from './parseWallTime.js';

it('reads wall times, and numbers as seconds', () => {
  expect(['10 min', '30 s', '1.5h', '2 hours', '1 day', '5 ms', '.5 s'].map(parseWallTime)).toEqual(
    [600_000, 30_000, 5_400_000, 7_200_000, 86_400_000, 5, 500],
  );
  expect([20, 0.25].map(parseWallTime)).toEqual([20_000, 250]);
});

it('reads nothing else', () => {
  for (const text of ['', 'min', '10 parsec', '-1 s', '0', '1e3 s', '10 min 5 s', 'constructor'])
    expect(parseWallTime(text), text).toBeNull();
  expect(parseWallTime('1 constructor')).toBeNull();
});
