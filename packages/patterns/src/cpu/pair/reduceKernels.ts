import { address, f32x4, f64x2, i32, i32x4, v128, type WasmNode } from '@corpuscle/functor/wasm';
import { larger, smaller } from '../neighbors/kernels/integers.js';
import { kernelOf } from '../neighbors/kernels/kernelOf.js';

type Storage = 'f64' | 'f32' | 'i32';

/** One buffer in a reduction's table: its word, and the units it may hold something else than zeros in. */
export const reductionEntry = { bytes: 16, address: 0, first: 4, end: 8 } as const;

// Adds `count` buffers to `target`, four numbers a unit, in the order of the parts, and leaves the buffers zero.
// Balanced: units that are not all zeros are changed by the four f64 at `balance` besides.
function reduceKernel(from: Storage, to: Storage, balanced = false) {
  const about =
    'Adds the buffers of all parts to a block, in the order of the parts, and clears them.';
  return kernelOf(`pair.reduce.${from}.${to}${balanced ? '.balanced' : ''}`, about, (f, slots) => {
    const target = slots.address('target');
    const buffers = slots.address('buffers');
    const count = slots.i32('count');
    const zero = f.constant(i32x4.const(0));
    const sums = balanced ? slots.address('balance') : null;
    const changes = sums && [0, 16].map((offset) => f.keep(v128.load(sums, offset)));
    const [fromShift, toShift] = [from === 'f64' ? 5 : 4, to === 'f64' ? 5 : 4];
    f.range(i32.const(0), count, (b) => {
      const entry = f.keep(i32.add(buffers, i32.shl(b, i32.const(4))));
      const base = f.keep(address(i32.load(entry, reductionEntry.address)));
      const first = f.named('first', i32.load(entry, reductionEntry.first));
      const last = f.named('end', i32.load(entry, reductionEntry.end));
      const begin = f.named('from', larger(f.param(1), first));
      const end = f.named('to', smaller(f.param(2), last));
      f.range(begin, end, (unit) => {
        const row = f.keep(i32.add(target, i32.shl(unit, i32.const(toShift))));
        const part = f.keep(i32.add(base, i32.shl(unit, i32.const(fromShift))));
        const low = f.keep(v128.load(part));
        if (from === 'f64') {
          f.emit(v128.store(row, f64x2.add(v128.load(row), low)));
          f.emit(v128.store(row, f64x2.add(v128.load(row, 16), v128.load(part, 16)), 16));
          f.emit(v128.store(part, zero, 16));
        } else if (changes) {
          f.if(v128.any_true(low), () => {
            const wide = [f64x2.promote_low_f32x4(low)];
            wide.push(f64x2.promote_low_f32x4(v128.load64_zero(part, 8)));
            wide.forEach((value, k) => {
              const change = f64x2.add(value, changes[k]!);
              f.emit(v128.store(row, f64x2.add(v128.load(row, 16 * k), change), 16 * k));
            });
          });
        } else if (to === 'f64') {
          const high = v128.load64_zero(part, 8);
          f.emit(v128.store(row, f64x2.add(v128.load(row), f64x2.promote_low_f32x4(low))));
          const sum = f64x2.add(v128.load(row, 16), f64x2.promote_low_f32x4(high));
          f.emit(v128.store(row, sum, 16));
        } else {
          const lanes = from === 'f32' ? f32x4 : i32x4;
          f.emit(v128.store(row, lanes.add(v128.load(row), low)));
        }
        f.emit(v128.store(part, zero));
      });
    });
  });
}

/** By storage of the buffers and of the block they are added to. */
export const reduceKernels = {
  'f64 f64': reduceKernel('f64', 'f64'),
  'f32 f64': reduceKernel('f32', 'f64'),
  'f32 f64 balanced': reduceKernel('f32', 'f64', true),
  'f32 f32': reduceKernel('f32', 'f32'),
  'i32 i32': reduceKernel('i32', 'i32'),
} as const;

/** Positions in fixed point, rows {x y z 0}: see `fixedPoint`. */
export const fixedPointKernel = kernelOf(
  'pair.fixedPoint',
  'Positions as 32-bit whole numbers, rows {x y z 0}; they wrap around at four list radii.',
  (f, slots) => {
    const source = slots.address('source');
    const target = slots.address('target');
    const scale = f.local('v128');
    f.set(scale, f64x2.splat(slots.f64('scale')));
    const [turn, turns] = [f64x2.const(2 ** 32), f64x2.const(2 ** -32)].map((c) => f.constant(c));
    const whole = (lengths: WasmNode): WasmNode => {
      const units = f.keep(f64x2.mul(lengths, f.get(scale)), 'v128');
      const wrapped = f64x2.sub(units, f64x2.mul(f64x2.nearest(f64x2.mul(units, turns!)), turn!));
      return i32x4.trunc_sat_f64x2_s_zero(f64x2.nearest(wrapped));
    };
    f.range(f.param(1), f.param(2), (row) => {
      const from = f.keep(i32.add(source, i32.shl(row, i32.const(5))));
      const to = f.keep(i32.add(target, i32.shl(row, i32.const(4))));
      f.emit(v128.store64Lane(0, to, whole(v128.load(from))) as WasmNode);
      f.emit(v128.store64Lane(0, to, whole(v128.load64_zero(from, 16)), 8) as WasmNode);
    });
  },
);
