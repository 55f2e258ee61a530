import {
  type FunctionBuilder,
  f64,
  f64x2,
  i8x16,
  i32,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { shl } from './integers.js';
import { kernelOf, type RecordSlots } from './kernelOf.js';

/** Both lanes of a vector in the other order. */
const TURNED = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];

/** Where a particle was expected: x and y, and z in both lanes. */
interface Place {
  readonly xy: WasmNode;
  readonly z: WasmNode;
}

/** Largest squared displacement since the backup, into `largest[thread]` (f64, must start at 0); NaN stays NaN. */
export const displacementKernel = kernelOf(
  'neighbors.displacement',
  `Largest squared displacement since the backup; NaN stays NaN.`,
  (f, slots) =>
    largestSquare(f, slots, (then) => ({ xy: v128.load(then), z: v128.load64_splat(then, 16) })),
);

/**
 * The same in a box that has been strained since: displacements are those from where the box has taken the particles, b · M + t
 * with M row by row.
 */
export const strainedDisplacementKernel = kernelOf(
  'neighbors.strainedDisplacement',
  `Largest squared displacement since the backup, beside that of the box; NaN stays NaN.`,
  (f, slots) => {
    const m = Array.from({ length: 9 }, (_, k) => slots.f64(`m${k}`));
    const t = Array.from({ length: 3 }, (_, k) => slots.f64(`t${k}`));
    const pair = (x: WasmNode, y: WasmNode) => f.keep(f64x2.replace(1, f64x2.splat(x), y), 'v128');
    const both = (x: WasmNode) => f.keep(f64x2.splat(x), 'v128');
    const along = [0, 3, 6].map((row) => ({
      xy: pair(m[row]!, m[row + 1]!),
      z: both(m[row + 2]!),
    }));
    const shift = { xy: pair(t[0]!, t[1]!), z: both(t[2]!) };
    largestSquare(f, slots, (then) => {
      const b = [0, 1, 2].map((k) => f.keep(v128.load64_splat(then, 8 * k), 'v128'));
      const followed = (part: 'xy' | 'z') => {
        const terms = b.map((x, axis) => f64x2.mul(x, along[axis]![part]));
        return f64x2.add(shift[part], f64x2.add(f64x2.add(terms[0]!, terms[1]!), terms[2]!));
      };
      return { xy: followed('xy'), z: followed('z') };
    });
  },
);

/**
 * A maximum that keeps NaN takes a dozen instructions, each of which waits for the one before. So this one ignores NaN. Other
 * bits note whether there was one, and make the result NaN.
 */
function largestSquare(
  f: FunctionBuilder,
  slots: RecordSlots,
  expected: (then: WasmNode) => Place,
): void {
  const [begin, end] = [f.param(1), f.param(2)];
  const position = slots.address('position');
  const backup = slots.address('backup');
  const largest = f.keep(i32.add(slots.address('largest'), shl(f.param(3), 3)));
  const best = f.called(f.variable(f64x2.splat(f64.load(largest))), 'best');
  const none = f.called(f.variable(f64x2.ne(f.get(best), f.get(best))), 'none');
  f.range(begin, end, (row) => {
    const now = f.keep(i32.add(position, shl(row, 5)));
    const place = expected(f.keep(i32.add(backup, shl(row, 5))));
    const xy = f.named('xy', f64x2.sub(v128.load(now), place.xy));
    const z = f.named('z', f64x2.sub(v128.load64_splat(now, 16), place.z));
    const square = f.named('xy.squares', f64x2.mul(xy, xy));
    const inPlane = f64x2.add(square, i8x16.shuffle(TURNED, square, square));
    const r2 = f.named('r2', f64x2.add(inPlane, f64x2.mul(z, z)));
    f.set(best, f64x2.pmax(f.get(best), r2));
    f.set(none, v128.or(f.get(none), f64x2.ne(r2, r2)));
  });
  f.emit(f64.store(largest, f64x2.extract(0, v128.or(f.get(best), f.get(none)))));
}
