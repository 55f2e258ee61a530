// Block pattern: form × space × schedule × backend × precision, against plain loops.

import {
  type BlockFunctor,
  blockFunctor,
  blockParallelFor,
  createArray,
  newestOnHost,
  parallelFor,
} from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { expectNear, openTargets } from './support/targets.js';

const COLUMNS = 37;

interface Form {
  // biome-ignore lint/suspicious/noExplicitAny: functors of all shapes stand in one table
  readonly functor: BlockFunctor<any, any, any, any>;
  readonly elements?: boolean;
  /** Row `index` of the outcome, from that row of the input. */
  readonly oracle: (row: readonly number[], place: readonly number[]) => readonly number[];
  /** What the call returns, from the rows it works on. */
  readonly results?: (rows: readonly (readonly number[])[]) => Readonly<Record<string, number>>;
}

const common = {
  arrays: { to: 'real' },
  read: { from: 'real' },
  params: { columns: 'u32' },
} as const;

const forms: Readonly<Record<string, Form>> = {
  'two levels of loops': {
    functor: blockFunctor({ ...common, name: 'scale' }, (b, a, p, h) => {
      for (let k = b.lane; k < p.columns; k += b.size) {
        const at = b.index * p.columns + k;
        a.to[at] = a.from[at]! * h.real(b.x + 1) + h.real(b.y) - h.real(b.z);
      }
    }),
    oracle: (row, [x, y, z]) => row.map((v) => v * (x! + 1) + y! - z!),
  },
  'shared memory and barriers': {
    functor: blockFunctor(
      { ...common, name: 'turn', blockShared: { tile: 'real[64]' } },
      (b, a, p) => {
        for (let k = b.lane; k < p.columns; k += b.size)
          b.tile[k] = a.from[b.index * p.columns + k]!;
        b.barrier();
        for (let k = b.lane; k < p.columns; k += b.size)
          a.to[b.index * p.columns + k] = b.tile[p.columns - 1 - k]! + b.tile[63]!;
      },
    ),
    oracle: (row) => [...row].reverse(), // tile[63] is zero
  },
  'results returned': {
    functor: blockFunctor(
      { ...common, name: 'tell', result: { sum: 'sum', high: 'max', low: 'min' } },
      (b, a, p, _h, _c, acc) => {
        for (let k = b.lane; k < p.columns; k += b.size) {
          const v = a.from[b.index * p.columns + k]!;
          a.to[b.index * p.columns + k] = -v;
          acc.sum += v;
          acc.high = Math.max(acc.high, v);
          acc.low = Math.min(acc.low, v);
        }
      },
    ),
    oracle: (row) => row.map((v) => -v),
    results: (rows) => {
      const all = rows.flat();
      return {
        sum: all.reduce((s, v) => s + v, 0),
        high: Math.max(...all),
        low: Math.min(...all),
      };
    },
  },
  'uneven work': {
    functor: blockFunctor({ ...common, name: 'uneven' }, (b, a, p, h) => {
      for (let k = b.lane; k < p.columns; k += b.size) {
        let v = a.from[b.index * p.columns + k]!;
        for (let turn = h.u32(0); turn < (b.index % 7) * 9; turn++) v = 0.5 * v + 1;
        a.to[b.index * p.columns + k] = v;
      }
    }),
    oracle: (row, [, , , index]) =>
      row.map((first) => {
        let v = first;
        for (let turn = 0; turn < (index! % 7) * 9; turn++) v = 0.5 * v + 1;
        return v;
      }),
  },
  'a prolog and an epilog': {
    functor: blockFunctor(
      {
        ...common,
        name: 'hooks',
        arrays: { to: 'real', once: 'real' },
        prolog: (b, a) => {
          if (b.lane === 0) a.once[0] = 8;
        },
        epilog: (b, a) => {
          if (b.lane === 0) a.once[0] = 0;
        },
      },
      (b, a, p) => {
        for (let k = b.lane; k < p.columns; k += b.size)
          a.to[b.index * p.columns + k] = a.from[b.index * p.columns + k]! + a.once[0]!;
      },
    ),
    oracle: (row) => row.map((v) => v + 8),
  },
  'a lane for each element': {
    functor: blockFunctor({ ...common, name: 'each' }, (b, a, p) => {
      for (let k = b.lane; k < p.columns; k += b.size)
        a.to[b.index * p.columns + k] = a.from[b.index * p.columns + k]! * 3;
    }),
    elements: true,
    oracle: (row) => row.map((v) => v * 3),
  },
};

type Space = readonly [number, number, number];
const spaces: Readonly<Record<string, { space: Space; indices?: readonly number[] }>> = {
  'one dimension': { space: [23, 1, 1] },
  'two dimensions': { space: [5, 4, 1] },
  'three dimensions': { space: [3, 2, 4] },
  'a list of indices': { space: [3, 3, 3], indices: [26, 0, 13, 5, 4, 21] },
};
const schedules = ['dynamic', 'static', 'guided', 'stealing'] as const;
const targets = await openTargets('state');

for (const { name, ctx, tolerance } of targets) {
  describe(`blocks on ${name}`, () => {
    for (const [formName, { functor, elements, oracle, results }] of Object.entries(forms))
      for (const [spaceName, { space, indices }] of Object.entries(spaces))
        for (const schedule of schedules)
          it(`${formName} · ${spaceName} · ${schedule}`, async () => {
            const [nx, ny, nz] = space;
            const rows = nx * ny * nz;
            const from = createArray(ctx, 'real', rows * COLUMNS);
            const to = createArray(ctx, 'real', rows * COLUMNS);
            const once = createArray(ctx, 'real', 1);
            from.write(
              Float64Array.from({ length: rows * COLUMNS }, (_, k) => ((k * 37) % 64) / 4 - 5),
            );
            const input = [...from.values];
            const rowOf = (index: number) => input.slice(index * COLUMNS, (index + 1) * COLUMNS);
            const expected = new Float64Array(rows * COLUMNS);
            const chosen = indices ?? [...Array(rows).keys()];
            for (const index of chosen) {
              const place = [index % nx, Math.floor(index / nx) % ny, Math.floor(index / nx / ny)];
              expected.set(oracle(rowOf(index), [...place, index]), index * COLUMNS);
            }
            const all = 'once' in functor.outputs ? { from, to, once } : { from, to };
            const result = await (elements ? parallelFor : blockParallelFor)(space, functor, ctx, {
              arrays: all as never,
              params: { columns: COLUMNS },
              schedule,
              blockSize: 32,
              ...(indices ? { indices } : {}),
            });
            for (const array of [to, once]) await newestOnHost(array, ctx);
            expectNear(to.values, expected, tolerance);
            expect(once.values[0]).toBe(0);
            const told = results?.(chosen.map(rowOf));
            if (!told) expect(result).toBeUndefined();
            for (const [field, value] of Object.entries(told ?? {}))
              expectNear([(result as Record<string, number>)[field]!], [value], tolerance);
            for (const array of [from, to, once]) array.free();
          });
  });
}
