import { f64, i32, select, type WasmNode } from '@corpuscle/functor/wasm';
import { at4, larger, shl, smaller } from './integers.js';
import { kernelOf } from './kernelOf.js';

/**
 * Brings rows begin … end−1 back into the box along periodic axes and writes the cell of each to `keys`.
 * The first row of a thread whose position is not finite is left in `bad` (one i32 per thread, −1 for none).
 * Positions inside the box keep their bits. `images` is the address of the image flags, 0 for none.
 */
export const binKernel = kernelOf(
  'neighbors.bin',
  `Brings rows back into the box along periodic axes, and writes the cell of each to keys.
  fraction  position in units of the box
  wrap      whole boxes are taken off, and counted in the image flags if there are any
  check     the first row that is not finite is noted
  cell      its number, clamped to the grid`,
  (f, slots) => {
    const [begin, end] = [f.param(1), f.param(2)];
    const position = slots.address('position');
    const keys = slots.address('keys');
    const place = slots.address('place');
    const bad = slots.address('bad');
    const origin = [0, 1, 2].map((k) => slots.f64(`origin${k}`));
    const inverse = Array.from({ length: 9 }, (_, k) => slots.f64(`inverse${k}`));
    const matrix = Array.from({ length: 9 }, (_, k) => slots.f64(`matrix${k}`));
    const periodic = [0, 1, 2].map((k) => slots.i32(`periodic${k}`));
    const lower = [0, 1, 2].map((k) => slots.f64(`lower${k}`));
    const scale = [0, 1, 2].map((k) => slots.f64(`scale${k}`));
    const dims = [0, 1, 2].map((k) => slots.i32(`dims${k}`));
    const images = slots.address('images');
    const locals = (type: 'f64' | 'i32', names: readonly string[]) =>
      names.map((name) => f.called(f.local(type), name));
    const r = locals('f64', ['rx', 'ry', 'rz']);
    const s = locals('f64', ['fractionA', 'fractionB', 'fractionC']);
    const cell = locals('i32', ['cellA', 'cellB', 'cellC']);
    const fractional = () => {
      const d = r.map((local, k) =>
        f.named(`${'xyz'[k]}FromOrigin`, f64.sub(f.get(local), origin[k]!)),
      );
      s.forEach((local, k) => {
        f.set(local, dot(d, [inverse[k]!, inverse[3 + k]!, inverse[6 + k]!]));
      });
    };
    const eachRow = (row: WasmNode): void => {
      const address = f.keep(i32.add(position, shl(row, 5)));
      r.forEach((local, k) => {
        f.set(local, f64.load(address, 8 * k));
      });
      f.comment('fraction');
      fractional();
      f.comment('wrap');
      const wholes = () =>
        s.map((local, k) =>
          f.named(`boxes${'ABC'[k]}`, select(periodic[k]!, f64.floor(f.get(local)), f64.const(0))),
        );
      const takeOff = (boxes: readonly WasmNode[]): void => {
        r.forEach((local, k) => {
          const shift = dot(boxes, [matrix[k]!, matrix[3 + k]!, matrix[6 + k]!]);
          f.set(local, f64.sub(f.get(local), shift));
          f.emit(f64.store(address, f.get(local), 8 * k));
        });
        fractional();
        f.if(images, () => {
          const flags = f.keep(i32.add(images, shl(row, 4)));
          boxes.forEach((whole, k) => {
            const sum = i32.add(i32.load(flags, 4 * k), i32.trunc_sat_f64_s(whole));
            f.emit(i32.store(flags, sum, 4 * k));
          });
        });
      };
      const boxes = wholes();
      f.if(
        boxes.map((t) => f64.ne(t, f64.const(0))).reduce((a, b) => i32.or(a, b)),
        () => {
          takeOff(boxes);
          f.comment('outside by less than a rounding it came to the other face: it goes back');
          takeOff(wholes());
        },
      );
      f.comment('check: x − x is 0 for finite numbers only');
      const finite = s.map((x) => f64.eq(f64.sub(f.get(x), f.get(x)), f64.const(0)));
      f.if(i32.eqz(finite.reduce((a, b) => i32.and(a, b))), () => {
        const mine = f.keep(at4(bad, f.param(3)));
        f.if(i32.lt_s(i32.load(mine), i32.const(0)), () => f.emit(i32.store(mine, row)));
      });
      f.comment('cell');
      cell.forEach((local, k) => {
        const index = f64.mul(f64.sub(f.get(s[k]!), lower[k]!), scale[k]!);
        f.set(local, i32.trunc_sat_f64_s(index));
        f.set(local, larger(f.get(local), i32.const(0)));
        const last = i32.sub(dims[k]!, i32.const(1));
        f.set(local, smaller(f.get(local), last));
      });
      const yz = i32.add(i32.mul(f.get(cell[2]!), dims[1]!), f.get(cell[1]!));
      const line = i32.load(at4(place, yz));
      const key = i32.add(i32.mul(line, dims[0]!), f.get(cell[0]!));
      f.emit(i32.store(at4(keys, row), key));
    };
    f.range(begin, end, eachRow, 1, 'row');
  },
);

function dot(a: readonly WasmNode[], b: readonly WasmNode[]): WasmNode {
  return f64.add(f64.add(f64.mul(a[0]!, b[0]!), f64.mul(a[1]!, b[1]!)), f64.mul(a[2]!, b[2]!));
}
