import { Domain, nearestImages } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { MOST_SHRUNK } from '../../../src/gpu/box/DeviceStrain.js';
import { MOST_GROWN } from '../../../src/gpu/box/strainText.js';
import { sequence } from '../../shared/oracle.js';

const next = sequence(11);
const oneOf = (...values: readonly number[]) => values[Math.floor(values.length * next())]!;
const SHIFTS = [-3, -2, -1, 0, 1, 2, 3];

/** A box at the edge of what is reduced: leans of a half, as often as others. */
function corner(): Domain {
  const lean = () => oneOf(0.5, -0.5, 0.5 - 1e-9, next() - 0.5, 0);
  const [y, z] = [oneOf(1, 1 + 3 * next()), oneOf(1, 1 + 3 * next())];
  const [up, high] = [oneOf(1, Math.sqrt(0.75)), oneOf(1, Math.sqrt(0.5) + 0.3 * next())];
  return Domain.triclinic([1, 0, 0, lean(), y * up, 0, lean(), y * lean(), z * high]);
}

/** The largest strain that records let pass: shears take what shrinking leaves. */
function strain(): number[] {
  const [x, y, z] = [0, 1, 2].map(() => oneOf(MOST_SHRUNK, 1 + MOST_GROWN, 0.9 + 0.3 * next()));
  const room = Math.min(x!, y!, z!) - MOST_SHRUNK;
  const shears = [next() - 0.5, next() - 0.5, next() - 0.5];
  const all = shears.reduce((sum, shear) => sum + Math.abs(shear), 0);
  const [yx, zx, zy] = shears.map((shear) => (room * shear) / all);
  return [x!, 0, 0, yx!, y!, 0, zx!, zy!, z!];
}

it('the nearest image in a strained box is within one shift of what rounding finds in the reference', () => {
  let largest = 0;
  for (let round = 0; round < 400; round++) {
    const { basis } = nearestImages(corner());
    const by = strain();
    const strained = basis.map((_, at) => {
      const row = 3 * Math.floor(at / 3);
      return [0, 1, 2].reduce((sum, k) => sum + basis[row + k]! * by[3 * k + (at % 3)]!, 0);
    });
    const rest = [0, 1, 2].map(() => oneOf(0.5, -0.5, next() - 0.5));
    let nearest = Infinity;
    let of: number[] = [];
    for (const a of SHIFTS)
      for (const b of SHIFTS)
        for (const c of SHIFTS) {
          const s = [rest[0]! + a, rest[1]! + b, rest[2]! + c];
          const along = (k: number) =>
            [0, 1, 2].reduce((x, v) => x + s[v]! * strained[3 * v + k]!, 0);
          const far = Math.hypot(along(0), along(1), along(2));
          if (far < nearest * (1 - 1e-12)) [nearest, of] = [far, s];
        }
    largest = Math.max(largest, ...of.map(Math.abs));
  }
  // From 1.5 on it would be two shifts away.
  expect(largest).toBeLessThan(1.2);
});
