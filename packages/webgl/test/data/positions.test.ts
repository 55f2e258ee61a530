import { Domain, Grid, SharedHeap } from '@corpuscle/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitPositions } from '../../src/data/positions.js';

const edges = fc.array(fc.double({ min: 0.1, max: 1e6, noNaN: true }), {
  minLength: 3,
  maxLength: 3,
});
const fraction = fc.double({ min: -0.5, max: 1.5, noNaN: true });
const place = fc.tuple(fraction, fraction, fraction);
const f32 = Math.fround;

it('separations through any image are exact but for the rests, so that near pairs keep single precision', () => {
  fc.assert(
    fc.property(edges, place, place, fc.nat(26), ([a, b, c], s, t, image) => {
      const lengths = [a!, b!, c!] as const;
      const grid = new Grid(new SharedHeap(1), Domain.orthorhombic(lengths));
      grid.resize(2);
      const { array } = grid.block('position');
      [s, t].forEach((fractions, row) => {
        fractions.forEach((x, axis) => {
          array[4 * row + axis] = x * lengths[axis]!;
        });
      });
      const { positions: p, shifts } = splitPositions(grid, 27);
      const shift = grid.domain.image(image);
      // Every |x|, every shift and a rest of rounding: the numbers are at most 1.5 edges.
      const unit = 1.5 * Math.max(...lengths) * 2 ** -20;
      for (let axis = 0; axis < 3; axis++) {
        const [high, other, wide] = [p[axis]!, p[6 + axis]!, shifts[6 * image + axis]!];
        expect(f32(f32(high - other) + wide)).toBe(high - other + wide);
        const rest = p[axis + 3]! - p[9 + axis]! + shifts[6 * image + axis + 3]!;
        const exact = Number(array[axis]) - Number(array[4 + axis]) + shift[axis]!;
        expect(Math.abs(rest)).toBeLessThan(unit);
        expect(Math.abs(high - other + wide + rest - exact)).toBeLessThan(unit * 2 ** -22);
      }
    }),
  );
});
