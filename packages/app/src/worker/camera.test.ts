import { Domain } from '@corpuscle/core';
import { cameraFor } from '@corpuscle/view';
import { expect, it } from 'vitest';
import { slicePlanes } from './slicePlanes.js';
import { withLens } from './withLens.js';

const domain = Domain.triclinic([4, 0, 0, -2, 6, 0, 0, 0, 8], { origin: [1, 0, -1] });

it('slices between parts of the length of all images, also of tilted boxes', () => {
  expect(slicePlanes(domain, { axis: 2, from: 0.25, to: 1 }, [1, 1, 2])).toEqual([
    { normal: [0, 0, 1], offset: -1 + 0.25 * 16 },
  ]);
  // x goes from 1 − 2 to 1 + 4.
  expect(slicePlanes(domain, { axis: 0, from: 0, to: 0.5 }, [1, 1, 1])).toEqual([
    { normal: [-1, 0, 0], offset: -2 },
  ]);
  expect(slicePlanes(domain, { axis: 1, from: 0, to: 1 }, [1, 1, 1])).toEqual([]);
});

it('goes to another lens and back, and keeps what is seen', () => {
  const [perspective, flat] = [30, 0].map((angle) => cameraFor(domain, { angle }));
  const there = withLens(perspective!, flat!);
  expect(there.lens.kind).toBe('orthographic');
  const back = withLens(there, perspective!);
  expect(back.lens).toEqual(perspective!.lens);
  back.from.forEach((one, k) => void expect(one).toBeCloseTo(perspective!.from[k]!, 9));
  expect(withLens(there, flat!)).toBe(there);
});
