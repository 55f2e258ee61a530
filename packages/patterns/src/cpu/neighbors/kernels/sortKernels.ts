import { f32, f64, i32, v128 } from '@corpuscle/functor/wasm';
import { at4 as at, shl } from './integers.js';
import { kernelOf } from './kernelOf.js';

/**
 * Stable counting sort of `count` keys below `cells`, by one thread: fills `start` (cells + 1) and `order`, where
 * order[k] is the old row that becomes row k.
 *
 *   count:  start[c + 1]++      sum: start[c] = first row of c      place: order[next[c]++] = row
 */
export const countingSortKernel = kernelOf(
  'neighbors.countingSort',
  `Stable counting sort of keys by cell, by one thread.
  count     particles of each cell
  sum       first row of each cell
  place     order[k] is the old row that becomes row k`,
  (f, slots) => {
    const keys = slots.address('keys');
    const order = slots.address('order');
    const start = slots.address('start');
    const next = slots.address('next');
    const count = slots.i32('count');
    const cells = slots.i32('cells');
    f.comment('count');
    f.range(i32.const(0), i32.add(cells, i32.const(1)), (c) =>
      f.emit(i32.store(at(start, c), i32.const(0))),
    );
    f.range(i32.const(0), count, (row) => {
      const slot = f.named('startOfCell', at(start, i32.load(at(keys, row))));
      f.emit(i32.store(slot, i32.add(i32.load(slot, 4), i32.const(1)), 4));
    });
    f.comment('sum');
    const sum = f.called(f.local('i32'), 'firstRow');
    f.range(i32.const(0), cells, (c) => {
      f.emit(i32.store(at(next, c), f.get(sum)));
      f.set(sum, i32.add(f.get(sum), i32.load(at(start, c), 4)));
      f.emit(i32.store(at(start, c), f.get(sum), 4));
    });
    f.comment('place');
    f.range(i32.const(0), count, (row) => {
      const slot = f.named('nextOfCell', at(next, i32.load(at(keys, row))));
      const k = f.named('newRow', i32.load(slot));
      f.emit(i32.store(at(order, k), row));
      f.emit(i32.store(slot, i32.add(k, i32.const(1))));
    });
  },
);

/** Copies row order[k] of `source` to row k of `target` for k = begin … end−1; rows of 32, 16, 8 or 4 bytes. */
export const permuteKernel = kernelOf(
  'neighbors.permute',
  `Copies row order[k] of a block to row k; rows of 32, 16, 8 or 4 bytes.`,
  (f, slots) => {
    const [begin, end] = [f.param(1), f.param(2)];
    const source = slots.address('source');
    const target = slots.address('target');
    const order = slots.address('order');
    const bytes = slots.i32('bytes');
    for (const [size, shift] of [
      [32, 5],
      [16, 4],
      [8, 3],
      [4, 2],
    ] as const) {
      f.if(i32.eq(bytes, i32.const(size)), () => {
        f.range(begin, end, (k) => {
          const row = i32.load(i32.add(order, shl(k, 2)));
          const from = f.named('from', i32.add(source, shl(row, shift)));
          const to = f.named('to', i32.add(target, shl(k, shift)));
          if (size === 8) f.emit(f64.store(to, f64.load(from)));
          else if (size === 4) f.emit(i32.store(to, i32.load(from)));
          else
            for (let byte = 0; byte < size; byte += 16) {
              f.emit(v128.store(to, v128.load(from, byte), byte));
            }
        });
      });
    }
  },
);

/** Writes single-precision coordinates relative to a reference point, and the backup of the rows they come from. */
export const coordinatesKernel = kernelOf(
  'neighbors.coordinates',
  `Coordinates in single precision, relative to a reference point, for the search; and a backup of the rows.`,
  (f, slots) => {
    const [begin, end] = [f.param(1), f.param(2)];
    const position = slots.address('position');
    const backup = slots.address('backup');
    const axes = ['x', 'y', 'z'].map((name) => slots.address(name));
    const reference = [0, 1, 2].map((k) => slots.f64(`reference${k}`));
    f.range(begin, end, (row) => {
      const from = f.keep(i32.add(position, shl(row, 5)));
      const to = f.keep(i32.add(backup, shl(row, 5)));
      f.emit(v128.store(to, v128.load(from)), v128.store(to, v128.load(from, 16), 16));
      axes.forEach((axis, k) => {
        const value = f32.demote_f64(f64.sub(f64.load(from, 8 * k), reference[k]!));
        f.emit(f32.store(at(axis, row), value));
      });
    });
  },
);
