import { Domain, type Grid } from '@corpuscle/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { OpenExtents } from '../../../src/gpu/speculation/OpenExtents.js';

const box = Domain.orthorhombic([1, 1, 1], { periodic: [true, true, false] });
const position = { hostVersion: 1 };
const grid = { count: 3, block: () => position } as unknown as Grid;

describe('the extent of particles along open axes', () => {
  /** Extents asked for so far, and which of them are awaited at once. */
  let asked: boolean[];
  let extents: OpenExtents;
  /** Which of those asked for the next window has. */
  const next = async (mayBeOlder = true, of = box): Promise<number> =>
    (await extents.next(grid, of, mayBeOlder)).lower[2];

  beforeEach(() => {
    asked = [];
    position.hostVersion = 1;
    const extent = (_: Grid, waits: boolean) => {
      const number = asked.push(waits) - 1;
      return Promise.resolve({ lower: [0, 0, number], upper: [1, 1, 1] } as const);
    };
    extents = new OpenExtents({ extent: extent as never });
  });

  it('is awaited in the first two windows, and then that of two windows before', async () => {
    expect([await next(), await next(), await next(), await next(), await next()]).toEqual([
      0, 1, 0, 1, 2,
    ]);
    expect(asked).toEqual([true, true, false, false, false]);
  });

  it('is awaited in all windows of many particles', async () => {
    expect([await next(false), await next(false), await next(false)]).toEqual([0, 1, 2]);
    expect(asked).toEqual([true, true, true]);
  });

  it('is awaited again where the host has written positions, or the box is another', async () => {
    for (let k = 0; k < 4; k++) await next();
    position.hostVersion = 2;
    expect(await next()).toBe(4);
    for (let k = 0; k < 2; k++) await next();
    expect(asked.at(-1)).toBe(false);
    const other = Domain.orthorhombic([1, 1, 2], { periodic: [true, true, false] });
    expect(await next(true, other)).toBe(7);
    expect(asked.at(-1)).toBe(true);
  });
});
