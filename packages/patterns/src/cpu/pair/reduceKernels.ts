import { f32x4, f64, f64x2, i32, i32x4, v128 } from '../../lower/wasm/ops.js';
import type { WasmNode } from '../../lower/wasm/WasmNode.js';
import { kernelOf } from '../neighbours/kernels/kernelOf.js';

type Storage = 'f64' | 'f32' | 'i32';

// Adds `count` buffers to `target`, four numbers a unit, in the order of the threads, and leaves the buffers zero.
function reduceKernel(from: Storage, to: Storage) {
  return kernelOf(`pair.reduce.${from}.${to}`, (f, slots) => {
    const target = slots.i32('target');
    const buffers = slots.i32('buffers'); // table of addresses
    const count = slots.i32('count');
    const zero = f.constant(i32x4.const(0));
    const [fromShift, toShift] = [from === 'f64' ? 5 : 4, to === 'f64' ? 5 : 4];
    f.range(f.param(1), f.param(2), (unit) => {
      const row = f.keep(i32.add(target, i32.shl(unit, i32.const(toShift))));
      const low = f.variable(v128.load(row));
      const high = f.variable(to === 'f64' ? v128.load(row, 16) : zero, 'v128');
      f.range(i32.const(0), count, (b) => {
        const base = i32.load(i32.add(buffers, i32.shl(b, i32.const(2))));
        const part = f.keep(i32.add(base, i32.shl(unit, i32.const(fromShift))));
        const first = f.keep(v128.load(part));
        if (from === 'f64') {
          f.set(low, f64x2.add(f.get(low), first));
          f.set(high, f64x2.add(f.get(high), v128.load(part, 16)));
          f.emit(v128.store(part, zero, 16));
        } else if (to === 'f64') {
          f.set(low, f64x2.add(f.get(low), f64x2.promote_low_f32x4(first)));
          const second = v128.load64_zero(part, 8);
          f.set(high, f64x2.add(f.get(high), f64x2.promote_low_f32x4(second)));
        } else f.set(low, (from === 'f32' ? f32x4 : i32x4).add(f.get(low), first));
        f.emit(v128.store(part, zero));
      });
      f.emit(v128.store(row, f.get(low)));
      if (to === 'f64') f.emit(v128.store(row, f.get(high), 16));
    });
  });
}

/** By storage of the buffers and of the block they are added to. */
export const reduceKernels = {
  'f64 f64': reduceKernel('f64', 'f64'),
  'f32 f64': reduceKernel('f32', 'f64'),
  'f32 f32': reduceKernel('f32', 'f32'),
  'i32 i32': reduceKernel('i32', 'i32'),
} as const;

/** Positions as single-precision rows relative to a reference point, for kernels of singles. */
export const narrowPositionsKernel = kernelOf('pair.narrowPositions', (f, slots) => {
  const source = slots.i32('source');
  const target = slots.i32('target');
  const xy = f.local('v128');
  const z = f.local('v128');
  const reference = [0, 1, 2].map((k) => slots.f64(`reference${k}`)) as [
    WasmNode,
    WasmNode,
    WasmNode,
  ];
  f.set(xy, f64x2.replace(1, f64x2.splat(reference[0]), reference[1]));
  f.set(z, f64x2.replace(1, f64x2.splat(reference[2]), f64.const(0)));
  f.range(f.param(1), f.param(2), (row) => {
    const from = f.keep(i32.add(source, i32.shl(row, i32.const(5))));
    const to = f.keep(i32.add(target, i32.shl(row, i32.const(4))));
    const low = f32x4.demote_f64x2_zero(f64x2.sub(v128.load(from), f.get(xy)));
    const high = f32x4.demote_f64x2_zero(f64x2.sub(v128.load(from, 16), f.get(z)));
    f.emit(v128.store64Lane(0, to, low) as WasmNode, v128.store64Lane(0, to, high, 8) as WasmNode);
  });
});
