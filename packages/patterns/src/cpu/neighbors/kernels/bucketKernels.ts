import { i32, type WasmNode } from '@corpuscle/functor/wasm';
import { at4 as at, smaller } from './integers.js';
import { kernelOf, type RecordSlots } from './kernelOf.js';

/** Address of the number that part `f.param(3)` keeps of the bucket of a row. */
function ownOfBucket(slots: RecordSlots, part: WasmNode): (row: WasmNode) => WasmNode {
  const keys = slots.address('keys');
  const numbers = slots.address('numbers');
  const shift = slots.i32('shift');
  const own = i32.mul(part, slots.i32('buckets'));
  return (row) => at(numbers, i32.add(own, i32.shr_u(i32.load(at(keys, row)), shift)));
}

/** Counts rows begin … end−1 by bucket, a run of 2^shift cells, for each part by itself. */
export const countBucketsKernel = kernelOf(
  'neighbors.countBuckets',
  'Counts rows by bucket, a run of cells, for each part by itself.',
  (f, slots) => {
    const numberOf = ownOfBucket(slots, f.param(3));
    f.range(f.param(1), f.param(2), (row) => {
      const place = f.keep(numberOf(row));
      f.emit(i32.store(place, i32.add(i32.load(place), i32.const(1))));
    });
  },
);

/** Lists rows begin … end−1 by bucket, from where their part begins there. */
export const fillBucketsKernel = kernelOf(
  'neighbors.fillBuckets',
  'Lists rows by bucket, from where their part begins there.',
  (f, slots) => {
    const numberOf = ownOfBucket(slots, f.param(3));
    const rows = slots.address('rows');
    f.range(f.param(1), f.param(2), (row) => {
      const place = f.keep(numberOf(row));
      const k = f.keep(i32.load(place));
      f.emit(i32.store(at(rows, k), row), i32.store(place, i32.add(k, i32.const(1))));
    });
  },
);

/**
 * Stable counting sort of the rows of buckets begin … end−1: fills `start` of their cells, and `order`. Rows of bucket b are
 * rows[firsts[b]] … rows[firsts[b + 1] − 1].
 */
export const sortBucketsKernel = kernelOf(
  'neighbors.sortBuckets',
  `Stable counting sort of the rows of buckets by cell.
  count     particles of each cell
  sum       first row of each cell
  place     order[k] is the old row that becomes row k`,
  (f, slots) => {
    const keys = slots.address('keys');
    const rows = slots.address('rows');
    const firsts = slots.address('firsts');
    const order = slots.address('order');
    const start = slots.address('start');
    const next = slots.address('next');
    const shift = slots.i32('shift');
    const cells = slots.i32('cells');
    const cellOf = (k: WasmNode) => i32.load(at(keys, i32.load(at(rows, k))));
    const sum = f.called(f.local('i32'), 'firstRow');
    f.range(f.param(1), f.param(2), (bucket) => {
      const first = f.keep(i32.load(at(firsts, bucket)));
      const end = f.keep(i32.load(at(firsts, bucket), 4));
      const firstCell = f.keep(i32.shl(bucket, shift));
      const lastCell = f.keep(i32.shl(i32.add(bucket, i32.const(1)), shift));
      const endCell = f.keep(smaller(lastCell, cells));
      f.comment('count');
      f.range(firstCell, endCell, (c) => f.emit(i32.store(at(next, c), i32.const(0))));
      f.range(first, end, (k) => {
        const place = f.keep(at(next, cellOf(k)));
        f.emit(i32.store(place, i32.add(i32.load(place), i32.const(1))));
      });
      f.comment('sum');
      f.set(sum, first);
      f.range(firstCell, endCell, (c) => {
        const place = f.keep(at(next, c));
        const count = f.keep(i32.load(place));
        f.emit(i32.store(at(start, c), f.get(sum)), i32.store(place, f.get(sum)));
        f.set(sum, i32.add(f.get(sum), count));
      });
      f.comment('place');
      f.range(first, end, (k) => {
        const place = f.keep(at(next, cellOf(k)));
        const row = f.keep(i32.load(place));
        f.emit(i32.store(at(order, row), i32.load(at(rows, k))));
        f.emit(i32.store(place, i32.add(row, i32.const(1))));
      });
    });
  },
);
