import { Domain } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { listsForbidden } from './choosePath.js';
import { switchingFunction } from './switching/Switching.js';

const reaching = (dMax: number) => switchingFunction({ type: 'rational', r0: 1, dMax });
const box = Domain.orthorhombic([10, 12, 14]);

it('forbids lists for a switch that reaches half the box, where pairs have two nearest images', () => {
  for (const range of [4, 5 * (1 - 1e-8)])
    expect(listsForbidden(reaching(range), 'self', box, true)).toBeNull();
  // Lists find pairs slightly beyond the range, so that rounding must not bring both images in.
  for (const range of [5 * (1 - 1e-10), 5, 5 * (1 + 1e-10), 6])
    expect(listsForbidden(reaching(range), 'self', box, true)).toMatch(/half the box/);
});
