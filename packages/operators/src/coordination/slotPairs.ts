import type { Grid } from '@corpuscle/core';
import {
  blockFunctor,
  blockParallelFor,
  createArray,
  type ExecutionContext,
  newestOnHost,
} from '@corpuscle/patterns';
import type { CoordinationSums } from './CoordinationSums.js';
import type { Members } from './Members.js';
import { functorsByShape, smoothHelpers, smoothParameters, smoothSchema } from './smooth.js';
import type { Switching } from './switching/Switching.js';

/** Slots of a block. */
const EACH = 64;

/** Value and slope for every difference {x, y, z, r²}; the weight of a slot is 1, or 0 where both are one particle. */
const slotPairs = functorsByShape((s) =>
  blockFunctor(
    {
      name: `coordination_slots_${s.shape.name}`,
      arrays: { results: 'real' },
      read: { squares: 'real' },
      params: { ...smoothSchema, each: 'u32', count: 'u32' },
      helpers: smoothHelpers(s),
    },
    (b, a, p, h) => {
      for (let k = b.lane; k < p.each; k += b.size) {
        const slot = b.index * p.each + k;
        if (slot < p.count) {
          const r2 = a.squares[slot]!;
          let value = 0;
          let slope = 0;
          if (r2 >= 0 && r2 <= p.range2) {
            const [v, g] = h.smooth(
              r2,
              p.d0,
              p.inverse,
              p.stretch,
              p.shift,
              p.a,
              p.b,
              p.c,
              p.n,
              p.m,
              h,
            );
            value = v;
            slope = g;
          }
          a.results[2 * slot] = value;
          a.results[2 * slot + 1] = slope;
        }
      }
    },
  ),
);

/**
 * Coordination of slot k of one group with slot k of the other. There are only as many pairs as slots: their nearest images
 * are found on the host, whose positions must be current, and shares are written there.
 */
export async function coordinationBySlots(
  grid: Grid,
  ctx: ExecutionContext,
  s: Switching,
  { slotsA, slotsB }: Members,
  pbc: boolean,
): Promise<CoordinationSums> {
  const count = slotsA.length;
  const squares = createArray(ctx, 'real', count);
  const results = createArray(ctx, 'real', 2 * count);
  try {
    const d = differences(grid, slotsA, slotsB, pbc);
    squares.write(
      Float64Array.from({ length: count }, (_, k) =>
        slotsA[k] === slotsB[k] ? -1 : d[3 * k]! ** 2 + d[3 * k + 1]! ** 2 + d[3 * k + 2]! ** 2,
      ),
    );
    await blockParallelFor(Math.ceil(count / EACH), slotPairs(s, ''), ctx, {
      arrays: { results, squares },
      params: { ...smoothParameters(s), each: EACH, count },
      blockSize: EACH,
    });
    await newestOnHost(results, ctx);
    return share(grid, slotsA, slotsB, d, results.values);
  } finally {
    squares.free();
    results.free();
  }
}

function differences(
  grid: Grid,
  slotsA: Uint32Array,
  slotsB: Uint32Array,
  pbc: boolean,
): Float64Array {
  const r = grid.block('position').array as Float64Array;
  const all = new Float64Array(3 * slotsA.length);
  const d: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < slotsA.length; k++) {
    const [a, b] = [4 * slotsA[k]!, 4 * slotsB[k]!];
    for (let axis = 0; axis < 3; axis++) d[axis] = r[a + axis]! - r[b + axis]!;
    if (pbc) grid.domain.minimumImage(d[0], d[1], d[2], d);
    all.set(d, 3 * k);
  }
  return all;
}

function share(
  grid: Grid,
  slotsA: Uint32Array,
  slotsB: Uint32Array,
  d: Float64Array,
  results: ArrayLike<number>,
): CoordinationSums {
  const shares = grid.block('coordination').array as Float64Array;
  shares.fill(0);
  const box = [0, 0, 0, 0, 0, 0];
  let value = 0;
  for (let k = 0; k < slotsA.length; k++) {
    const [s, g] = [results[2 * k]!, results[2 * k + 1]!];
    const [a, b] = [4 * slotsA[k]!, 4 * slotsB[k]!];
    const [x, y, z] = [d[3 * k]!, d[3 * k + 1]!, d[3 * k + 2]!];
    value += s;
    shares[a + 3]! += s;
    shares[b + 3]! += s;
    [x, y, z].forEach((component, axis) => {
      shares[a + axis]! += g * component;
      shares[b + axis]! -= g * component;
    });
    [x * x, y * y, z * z, x * y, x * z, y * z].forEach((product, q) => {
      box[q]! -= g * product;
    });
  }
  grid.block('coordination').hostWritten();
  return { value, box };
}
