// Reduce pattern: kind of result × selection × initial values × option × backend × precision, against plain loops.

import {
  cellTable,
  type Extreme,
  type ReduceFunctor,
  reduceCellParticles,
  reduceFunctor,
} from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { boxes, type Fields, fieldsOf, sorted, system } from './support/system.js';
import { expectNear, openTargets } from './support/targets.js';

type Value = number | Extreme | ArrayLike<number>;

interface Kind {
  // biome-ignore lint/suspicious/noExplicitAny: functors of all shapes stand in one table
  readonly functor: ReduceFunctor<any, any>;
  readonly params?: object;
  readonly initial: Readonly<Record<string, Value>>;
  readonly oracle: (f: Fields, rows: readonly number[]) => Readonly<Record<string, Value>>;
  /** Adds an initial value to what the particles give. */
  readonly join: (name: string, found: Value, initial: Value) => Value;
}

const add = (_name: string, found: Value, initial: Value): Value => {
  if (typeof found === 'number') return found + (initial as number);
  return Array.from(found as ArrayLike<number>).map((x, k) => x + (initial as number[])[k]!);
};

const kinds: Readonly<Record<string, Kind>> = {
  sums: {
    functor: reduceFunctor(
      {
        name: 'sums',
        result: { energy: 'sum', count: 'sum' },
        read: { mass: 'real', vx: 'real', type: 'u32' },
        params: { half: 'real' },
      },
      (acc, i, p) => {
        acc.energy += p.half * i.mass * i.vx * i.vx;
        if (i.type === 1) acc.count += 1;
      },
    ),
    params: { half: 0.5 },
    initial: { energy: 1000, count: 7 },
    oracle: (f, rows) => ({
      energy: rows.reduce((s, k) => s + 0.5 * f.mass[k]! * f.vx[k]! ** 2, 0),
      count: rows.filter((k) => f.type[k] === 1).length,
    }),
    join: add,
  },
  extremes: {
    functor: reduceFunctor(
      { name: 'extent', result: { low: 'min', high: 'max' }, read: { fx: 'real', fy: 'real' } },
      (acc, i) => {
        acc.low = Math.min(acc.low, i.fx - i.fy);
        acc.high = Math.max(acc.high, i.fx);
      },
    ),
    initial: { low: -100, high: 3 },
    oracle: (f, rows) => ({
      low: Math.min(...rows.map((k) => f.fx[k]! - f.fy[k]!)),
      high: Math.max(...rows.map((k) => f.fx[k]!)),
    }),
    join: (name, a, b) => Math[name === 'low' ? 'min' : 'max'](a as number, b as number),
  },
  'extremes with ids': {
    functor: reduceFunctor(
      { name: 'who', result: { lowest: 'argmin', highest: 'argmax' }, read: { n: 'i32' } },
      (acc, i, _p, h) => {
        acc.lowest = Math.min(acc.lowest, h.real(i.n));
        acc.highest = Math.max(acc.highest, h.real(i.n));
      },
    ),
    initial: { lowest: { value: -50, id: 9 }, highest: { value: -50, id: 9 } },
    oracle: (f, rows) => {
      const best = (sign: number): Extreme => {
        let [value, id] = [Number.NEGATIVE_INFINITY, -1];
        for (const k of rows) {
          const here = sign * f.n[k]!;
          if (here > value || (here === value && f.id[k]! < id)) [value, id] = [here, f.id[k]!];
        }
        return { value: sign * value, id };
      };
      return { lowest: best(-1), highest: best(1) };
    },
    join: (name, a, b) => (name === 'lowest' ? b : a),
  },
  histograms: {
    functor: reduceFunctor(
      {
        name: 'speeds',
        result: { bins: 'sum[8]', momentum: 'sum' },
        read: { vy: 'real', mass: 'real' },
      },
      (acc, i, _p, h) => {
        acc.bins[h.i32(Math.floor(i.vy + 4))] += i.mass; // beyond ±4: nowhere
        acc.momentum += i.mass * i.vy;
      },
    ),
    initial: { bins: [1, 2, 3, 4, 5, 6, 7, 8], momentum: -1 },
    oracle: (f, rows) => {
      const bins = new Float64Array(8);
      for (const k of rows) {
        const bin = Math.floor(f.vy[k]! + 4);
        if (bin >= 0 && bin < 8) bins[bin] = bins[bin]! + f.mass[k]!;
      }
      return { bins, momentum: rows.reduce((s, k) => s + f.mass[k]! * f.vy[k]!, 0) };
    },
    join: add,
  },
  'a combine function': {
    functor: reduceFunctor(
      {
        name: 'moments',
        result: { n: 'real', mean: 'real', m2: 'real' },
        read: { q: 'real' },
        combine: (a, b) => {
          const n = a.n + b.n;
          if (n === 0) return;
          const d = b.mean - a.mean;
          a.mean += (d * b.n) / n;
          a.m2 += b.m2 + (d * d * a.n * b.n) / n;
          a.n = n;
        },
      },
      (acc, i) => {
        acc.n += 1;
        const d = i.q - acc.mean;
        acc.mean += d / acc.n;
        acc.m2 += d * (i.q - acc.mean);
      },
    ),
    initial: { n: 0, mean: 0, m2: 0 },
    oracle: (f, rows) => {
      const mean = rows.reduce((s, k) => s + f.q[k]!, 0) / rows.length;
      return { n: rows.length, mean, m2: rows.reduce((s, k) => s + (f.q[k]! - mean) ** 2, 0) };
    },
    join: (_name, found) => found,
  },
};

const selections: Readonly<Record<string, { cells: boolean; order?: 'ids' }>> = {
  'all particles': { cells: false },
  'chosen cells': { cells: true },
  'in the order of ids': { cells: false, order: 'ids' },
};
const targets = await openTargets('state');
const numbers = (value: Value): number[] => {
  if (typeof value === 'number') return [value];
  if ('value' in value) return [value.value, value.id];
  return Array.from(value);
};

for (const { name, ctx, tolerance } of targets) {
  describe(`reductions on ${name}`, () => {
    for (const [kindName, kind] of Object.entries(kinds))
      for (const [selection, { cells: chosen, order }] of Object.entries(selections))
        for (const initial of ['none', 'given'])
          for (const asynchronous of [false, true])
            it(`${kindName} · ${selection} · initial ${initial} · ${asynchronous ? 'asynchronous' : 'synchronous'}`, async () => {
              const grid = system(ctx.heap, boxes.slab!(), 331, 5);
              await sorted(grid, ctx);
              const { start } = await cellTable(grid, ctx);
              const cells = [...start.keys()].filter((c) => !chosen || c % 4 === 2);
              const rows: number[] = [];
              for (const c of cells)
                for (let row = start[c]!; row < (start[c + 1] ?? 0); row++) rows.push(row);
              const found = kind.oracle(fieldsOf(grid), rows);
              const result: Record<string, Value> = await reduceCellParticles(
                grid,
                kind.functor,
                (initial === 'given' ? kind.initial : {}) as never,
                ctx,
                {
                  asynchronous,
                  ...(kind.params ? { params: kind.params } : {}),
                  ...(chosen ? { cells: cells.filter((c) => c + 1 < start.length) } : {}),
                  ...(order ? { order } : {}),
                } as never,
              );
              expect(Object.keys(result)).toEqual(Object.keys(found));
              for (const [field, value] of Object.entries(found)) {
                const expected =
                  initial === 'given' ? kind.join(field, value, kind.initial[field]!) : value;
                expectNear(numbers(result[field]!), numbers(expected), tolerance);
              }
              grid.free();
            });
  });
}
