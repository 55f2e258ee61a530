import { f64, f64x2, i32, v128 } from '@corpuscle/functor/wasm';
import { shl } from './integers.js';
import { kernelOf } from './kernelOf.js';

/** Largest squared displacement since the backup, into `largest[thread]` (f64, must start at 0); NaN stays NaN. */
export const displacementKernel = kernelOf(
  'neighbors.displacement',
  `Largest squared displacement since the backup; NaN stays NaN.`,
  (f, slots) => {
    const [begin, end] = [f.param(1), f.param(2)];
    const position = slots.i32('position');
    const backup = slots.i32('backup');
    const largest = f.keep(i32.add(slots.i32('largest'), shl(f.param(3), 3)));
    const best = f.called(f.variable(f64x2.splat(f64.load(largest))), 'best');
    f.range(begin, end, (row) => {
      const now = f.keep(i32.add(position, shl(row, 5)));
      const then = f.keep(i32.add(backup, shl(row, 5)));
      const xy = f.named('xy', f64x2.sub(v128.load(now), v128.load(then)));
      const z = f.named('z', f64.sub(f64.load(now, 16), f64.load(then, 16)));
      const square = f.named('xy.squares', f64x2.mul(xy, xy));
      const r2 = f64.add(
        f64.add(f64x2.extract(0, square), f64x2.extract(1, square)),
        f64.mul(z, z),
      );
      f.set(best, f64x2.max(f.get(best), f64x2.splat(r2)));
    });
    f.emit(f64.store(largest, f64x2.extract(0, f.get(best))));
  },
);

/**
 * The same in a box that has been strained since: displacements are those from where the box has taken the particles, b · M + t
 * with M row by row.
 */
export const strainedDisplacementKernel = kernelOf(
  'neighbors.strainedDisplacement',
  `Largest squared displacement since the backup, beside that of the box; NaN stays NaN.`,
  (f, slots) => {
    const [begin, end] = [f.param(1), f.param(2)];
    const position = slots.i32('position');
    const backup = slots.i32('backup');
    const largest = f.keep(i32.add(slots.i32('largest'), shl(f.param(3), 3)));
    const m = Array.from({ length: 9 }, (_, k) => slots.f64(`m${k}`));
    const t = Array.from({ length: 3 }, (_, k) => slots.f64(`t${k}`));
    const best = f.called(f.variable(f64x2.splat(f64.load(largest))), 'best');
    f.range(begin, end, (row) => {
      const now = f.keep(i32.add(position, shl(row, 5)));
      const then = f.keep(i32.add(backup, shl(row, 5)));
      const b = [0, 1, 2].map((k) => f.keep(f64.load(then, 8 * k)));
      const squares = [0, 1, 2].map((k) => {
        const terms = b.map((x, axis) => f64.mul(x, m[3 * axis + k]!));
        const followed = f64.add(t[k]!, f64.add(f64.add(terms[0]!, terms[1]!), terms[2]!));
        const d = f.named('xyz'.charAt(k), f64.sub(f64.load(now, 8 * k), followed));
        return f64.mul(d, d);
      });
      const r2 = f64.add(f64.add(squares[0]!, squares[1]!), squares[2]!);
      f.set(best, f64x2.max(f.get(best), f64x2.splat(r2)));
    });
    f.emit(f64.store(largest, f64x2.extract(0, f.get(best))));
  },
);
