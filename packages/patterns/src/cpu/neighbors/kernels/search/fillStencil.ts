import {
  f32x4,
  i32,
  i32x4,
  type Label,
  select,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { at4 as at, larger, shl, smaller } from '../integers.js';
import type { SearchSetting } from './SearchSetting.js';

/** Particles of the stencil that are copied at once. */
const FILL = 16;

type Triple = readonly [WasmNode, WasmNode, WasmNode];

/** A stencil while it is copied. */
interface Filling {
  /** Coordinates of the cell. */
  readonly center: Triple;
  /** Place of its line. */
  readonly place: WasmNode;
  /** Local: where the next segment is listed. */
  readonly segment: number;
  /** Local: particles copied so far. */
  readonly nc: number;
  readonly exit: Label;
}

/** One periodic image of the stencil. */
interface Image {
  readonly address: WasmNode;
  /** The central cell, as that image sees it. */
  readonly cell: Triple;
  readonly shift: readonly WasmNode[];
  /** In a half list: whether this is the image without shift. */
  readonly isOwn: WasmNode;
  /** In a half list: the slab of the cell, −1 where the image moves it below the box. */
  readonly slab: WasmNode;
  /** Local, of a half list: 1 when rows of other parts have been copied. */
  readonly strange: number;
}

/** Copies the stencil of a cell to the buffer, image by image, and lists its segments. */
export function fillStencil(setting: SearchSetting, filling: Filling): void {
  const { f, a, half, far, bx } = setting;
  const { center, segment, nc } = filling;
  const dims = [a.nx, a.ny, a.nz];
  const reach = [a.reachX, a.reachY, a.reachZ];
  f.comment('fill: the stencil of the cell, image by image');
  f.range(i32.const(0), a.imageCount, (k) => {
    f.block((nextImage) => {
      const address = f.named('image', i32.add(a.images, shl(k, 5)));
      const cell = center.map((c, axis) =>
        f.named(`imageCell${'XYZ'[axis]}`, i32.add(c, i32.load(address, 4 + 4 * axis))),
      ) as [WasmNode, WasmNode, WasmNode];
      cell.forEach((t, axis) => {
        f.brIf(nextImage, i32.ge_s(i32.sub(t, reach[axis]!), dims[axis]!));
        f.brIf(nextImage, i32.lt_s(i32.add(t, reach[axis]!), i32.const(0)));
      });
      const shift = [16, 20, 24].map((offset, axis) =>
        f.named(`shift${'XYZ'[axis]}`, v128.load32_splat(address, offset)),
      );
      const begin = f.named('firstCandidate', f.get(nc));
      // In a half list the image without shift starts at the central cell: what comes before has its pairs.
      const own: WasmNode = half ? i32.eq(i32.load(address), i32.const(13)) : i32.const(0);
      const isOwn = f.named('isOwnImage', own);
      const strange = half ? f.called(f.variable(i32.const(0)), 'namesOthers') : -1;
      const isBelow = i32.lt_s(cell[2], i32.const(0));
      const slab: WasmNode = half
        ? f.named('slab', select(isBelow, i32.const(-1), i32.load(at(a.slab, center[2]))))
        : i32.const(0);
      const copy = (r: WasmNode) =>
        copyRow(setting, filling, { address, cell, shift, isOwn, slab, strange }, r);
      if (!half) f.range(i32.const(0), a.rowCount, copy);
      else {
        // The cell itself comes first in its own image.
        const start = f.named('firstRowOfCells', select(isOwn, a.center, i32.const(0)));
        f.range(start, i32.add(start, a.rowCount), (k) => {
          const isLast = i32.ge_s(k, a.rowCount);
          copy(f.named('r', select(isLast, i32.sub(k, a.rowCount), k)));
        });
      }
      f.if(i32.gt_s(f.get(nc), begin), () => {
        f.emit(v128.store(at(bx, f.get(nc)), far));
        f.emit(i32.store(f.get(segment), begin));
        f.emit(i32.store(f.get(segment), f.get(nc), 4));
        f.emit(i32.store(f.get(segment), i32.load(address), 8));
        if (half) f.emit(i32.store(f.get(segment), f.get(strange), 12));
        f.increment(segment, 16);
        f.increment(nc, 4);
      });
    });
  });
}

/** Copies row `r` of the stencil, a run of cells along x, as far as it lies in the box. */
function copyRow(setting: SearchSetting, filling: Filling, image: Image, r: WasmNode): void {
  const { f, a, half, bufferCapacity, startOf, overflow } = setting;
  const { nc, exit } = filling;
  const [tx, ty, tz] = image.cell;
  f.block((nextRow) => {
    const row = f.named('rowOfCells', i32.add(a.rows, shl(r, 4)));
    const z = f.named('z', i32.add(tz, i32.load(row, 4)));
    f.brIf(nextRow, i32.ge_u(z, a.nz));
    const y = f.named('y', i32.add(ty, i32.load(row)));
    f.brIf(nextRow, i32.ge_u(y, a.ny));
    const x0 = f.called(f.variable(i32.add(tx, i32.load(row, 8))), 'firstX');
    const x1 = f.called(f.variable(i32.add(tx, i32.load(row, 12))), 'lastX');
    const line = f.named('placeOfRow', i32.load(at(a.place, i32.add(i32.mul(z, a.ny), y))));
    if (half) {
      f.comment(
        'a half list names what follows: slabs above, then lines by image and place, then cells',
      );
      const slabs = f.named('slabsAbove', i32.sub(i32.load(at(a.slab, z)), image.slab));
      f.brIf(nextRow, i32.lt_s(slabs, i32.const(0)));
      f.if(i32.eqz(slabs), () => {
        const boxes = f.named('boxesAlongB', i32.load(image.address, 8));
        f.brIf(nextRow, i32.lt_s(boxes, i32.const(0)));
        f.if(i32.eqz(boxes), () => {
          f.brIf(nextRow, i32.lt_s(line, filling.place));
          f.if(i32.eq(line, filling.place), () => {
            f.brIf(nextRow, i32.lt_s(i32.load(image.address, 4), i32.const(0)));
            f.if(image.isOwn, () => f.set(x0, tx));
          });
        });
      });
    }
    f.set(x0, larger(f.get(x0), i32.const(0)));
    const last = f.named('largestX', i32.sub(a.nx, i32.const(1)));
    f.set(x1, smaller(f.get(x1), last));
    f.brIf(nextRow, i32.gt_s(f.get(x0), f.get(x1)));
    const base = f.named('cellOfX0', i32.mul(line, a.nx));
    const from = f.named('from', startOf(i32.add(base, f.get(x0))));
    const to = f.named('to', startOf(i32.add(base, f.get(x1)), 4));
    const filled = i32.add(f.get(nc), i32.sub(to, from));
    f.if(i32.gt_s(i32.add(filled, i32.const(FILL + 8)), bufferCapacity), () => overflow(2, exit));
    if (half) {
      const outside = i32.or(i32.lt_s(from, setting.ownFirst), i32.gt_s(to, setting.ownEnd));
      f.set(image.strange, i32.or(f.get(image.strange), outside));
    }
    copyParticles(setting, image.shift, from, to, f.called(f.variable(f.get(nc)), 'place'));
    f.increment(nc, i32.sub(to, from));
  });
}

/** Copies particles sixteen at a time, whether there are so many or not: what is too much is overwritten by the next row. */
function copyParticles(
  { f, a, bx, by, bz, bj, iota }: SearchSetting,
  shift: readonly WasmNode[],
  from: WasmNode,
  to: WasmNode,
  o: number,
): void {
  f.comment('copy sixteen particles at a time');
  f.range(
    from,
    to,
    (j) => {
      const sources = [a.x, a.y, a.z].map((source) => f.keep(at(source, j)));
      const targets = [bx, by, bz, bj].map((target) => f.keep(at(target, f.get(o))));
      const rows = f.named('rowNumbers', i32x4.add(i32x4.splat(j), iota));
      for (let part = 0; part < FILL; part += 4) {
        sources.forEach((source, axis) => {
          const moved = f32x4.sub(v128.load(source, 4 * part), shift[axis]!);
          f.emit(v128.store(targets[axis]!, moved, 4 * part));
        });
        const numbers =
          part === 0 ? rows : i32x4.add(rows, f.constant(i32x4.splat(i32.const(part))));
        f.emit(v128.store(targets[3]!, numbers, 4 * part));
      }
      f.increment(o, FILL);
    },
    FILL,
  );
}
