import {
  type FunctionBuilder,
  f32,
  f32x4,
  i8x16,
  i32,
  i32x4,
  type Label,
  select,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { at4 as at, larger, shl, smaller } from './integers.js';
import { kernelOf, type RecordSlots } from './kernelOf.js';

/** Per-thread record of the search: 64 bytes, i32 each. */
export const searchThread = {
  bytes: 64,
  entries: 0,
  entryCapacity: 4,
  entryCount: 8,
  indices: 12,
  indexCapacity: 16,
  indexCount: 20,
  buffer: 24,
  bufferCapacity: 28,
  /** 0, or what was too small: 1 entries or indices, 2 the stencil buffer. The search stops there. */
  overflow: 32,
  /** Rows named are in firstRow … endRow − 1. */
  firstRow: 36,
  endRow: 40,
} as const;

/** Bytes before the coordinates in a stencil buffer: 27 segments of {begin, end, image, 0}. */
export const STENCIL_HEADER = 512;

/** Particles of the stencil that are copied at once. */
const FILL = 16;

/** A coordinate no particle has; its square stays finite in single precision. */
const FAR = 1e9;

/**
 * Searches the neighbours of the particles in cells begin … end−1 and appends them to the thread's list segment.
 *
 * For each cell, the particles of its stencil are copied to a contiguous buffer, one segment per periodic image with
 * the shift applied; then each particle of the cell is tested against four buffered ones at a time, and the row
 * numbers that pass the mask are moved to the front by a swizzle and stored.
 */
function emitSearch(half: boolean) {
  return (f: FunctionBuilder, slots: RecordSlots): void => {
    const names = [
      'start',
      'x',
      'y',
      'z',
      'slots',
      'rows',
      'rowCount',
      'centre',
      'images',
    ] as const;
    const more = [
      'imageCount',
      'compress',
      'nx',
      'ny',
      'nz',
      'reachX',
      'reachY',
      'reachZ',
      'padding',
    ] as const;
    const a = Object.fromEntries(
      [...names, ...more].map((name) => [name, slots.i32(name)]),
    ) as Record<(typeof names)[number] | (typeof more)[number], WasmNode>;
    const limit = f.local('v128');
    f.set(limit, f32x4.splat(f32.demote_f64(slots.f64('limit'))));
    const thread = f.keep(
      i32.add(slots.i32('threads'), i32.mul(f.param(3), i32.const(searchThread.bytes))),
    );
    const field = (name: Exclude<keyof typeof searchThread, 'bytes'>) =>
      f.keep(i32.load(thread, searchThread[name]));
    const [entries, entryCapacity, indices, indexCapacity] = [
      field('entries'),
      field('entryCapacity'),
      field('indices'),
      field('indexCapacity'),
    ] as const;
    const [buffer, bufferCapacity] = [field('buffer'), field('bufferCapacity')] as const;
    const ne = f.variable(i32.load(thread, searchThread.entryCount));
    const nj = f.variable(i32.load(thread, searchThread.indexCount));
    const firstRow = f.variable(i32.load(thread, searchThread.firstRow));
    const endRow = f.variable(i32.load(thread, searchThread.endRow));
    const bx = f.keep(i32.add(buffer, i32.const(STENCIL_HEADER)));
    const by = f.keep(i32.add(bx, shl(bufferCapacity, 2)));
    const bz = f.keep(i32.add(by, shl(bufferCapacity, 2)));
    const bj = f.keep(i32.add(bz, shl(bufferCapacity, 2)));
    const startOf = (cell: WasmNode, offset = 0) => i32.load(at(a.start, cell), offset);
    const overflow = (code: number, exit: Label) => {
      f.emit(i32.store(thread, i32.const(code), searchThread.overflow));
      f.br(exit);
    };
    const iota = f.constant(i32x4.const(0, 1, 2, 3));
    const far = f.constant(f32x4.const(FAR));

    f.block((exit) => {
      f.brIf(exit, i32.load(thread, searchThread.overflow));
      f.range(f.param(1), f.param(2), (cell) => {
        f.block((nextCell) => {
          const q0 = f.keep(startOf(cell));
          const q1 = f.keep(startOf(cell, 4));
          f.brIf(nextCell, i32.eq(q0, q1));
          const yz = f.keep(i32.div_u(cell, a.nx));
          const cx = i32.sub(cell, i32.mul(yz, a.nx));
          const cz = f.keep(i32.div_u(yz, a.ny));
          const cy = i32.sub(yz, i32.mul(cz, a.ny));
          const centre = [f.keep(cx), f.keep(cy), cz] as const;
          const segment = f.variable(buffer);
          const nc = f.variable(i32.const(0));
          emitFill(centre, segment, nc, exit);
          emitTests(q0, q1, f.get(segment), exit);
        });
      });
    });
    f.emit(i32.store(thread, f.get(ne), searchThread.entryCount));
    f.emit(i32.store(thread, f.get(nj), searchThread.indexCount));
    f.emit(i32.store(thread, f.get(firstRow), searchThread.firstRow));
    f.emit(i32.store(thread, f.get(endRow), searchThread.endRow));

    // Copies the stencil of a cell to the buffer and lists its segments.
    function emitFill(
      centre: readonly [WasmNode, WasmNode, WasmNode],
      segment: number,
      nc: number,
      exit: Label,
    ): void {
      const dims = [a.nx, a.ny, a.nz];
      const reach = [a.reachX, a.reachY, a.reachZ];
      f.range(i32.const(0), a.imageCount, (k) => {
        f.block((nextImage) => {
          const image = f.keep(i32.add(a.images, shl(k, 5)));
          const [tx, ty, tz] = centre.map((c, axis) =>
            f.keep(i32.add(c, i32.load(image, 4 + 4 * axis))),
          ) as [WasmNode, WasmNode, WasmNode];
          [tx, ty, tz].forEach((t, axis) => {
            f.brIf(nextImage, i32.ge_s(i32.sub(t, reach[axis]!), dims[axis]!));
            f.brIf(nextImage, i32.lt_s(i32.add(t, reach[axis]!), i32.const(0)));
          });
          const shift = [16, 20, 24].map((offset) => f.keep(v128.load32_splat(image, offset)));
          const begin = f.keep(f.get(nc));
          // In a half list the image without shift starts at the central cell: what comes before has its pairs.
          const own: WasmNode = half ? i32.eq(i32.load(image), i32.const(13)) : i32.const(0);
          const isOwn = f.keep(own);
          const first = f.keep(select(isOwn, a.centre, i32.const(0)));
          f.range(first, a.rowCount, (r) => {
            f.block((nextRow) => {
              const row = f.keep(i32.add(a.rows, shl(r, 4)));
              const z = f.keep(i32.add(tz, i32.load(row, 4)));
              f.brIf(nextRow, i32.ge_u(z, a.nz));
              const y = f.keep(i32.add(ty, i32.load(row)));
              f.brIf(nextRow, i32.ge_u(y, a.ny));
              const x0 = f.variable(i32.add(tx, i32.load(row, 8)));
              const x1 = f.variable(i32.add(tx, i32.load(row, 12)));
              if (half) {
                f.if(i32.and(isOwn, i32.eq(r, a.centre)), () => f.set(x0, tx));
              }
              f.set(x0, larger(f.get(x0), i32.const(0)));
              const last = f.keep(i32.sub(a.nx, i32.const(1)));
              f.set(x1, smaller(f.get(x1), last));
              f.brIf(nextRow, i32.gt_s(f.get(x0), f.get(x1)));
              const base = f.keep(i32.mul(i32.add(i32.mul(z, a.ny), y), a.nx));
              const from = f.keep(startOf(i32.add(base, f.get(x0))));
              const to = f.keep(startOf(i32.add(base, f.get(x1)), 4));
              const filled = i32.add(f.get(nc), i32.sub(to, from));
              f.if(i32.gt_s(i32.add(filled, i32.const(FILL + 8)), bufferCapacity), () =>
                overflow(2, exit),
              );
              const o = f.variable(f.get(nc));
              // Sixteen at a time, whether there are so many or not: what is too much is overwritten by the next row.
              f.range(
                from,
                to,
                (j) => {
                  const [sources, targets] = [
                    [a.x, a.y, a.z].map((source) => f.keep(at(source, j))),
                    [bx, by, bz, bj].map((target) => f.keep(at(target, f.get(o)))),
                  ] as const;
                  const rows = f.keep(i32x4.add(i32x4.splat(j), iota));
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
              f.increment(nc, i32.sub(to, from));
            });
          });
          f.if(i32.gt_s(f.get(nc), begin), () => {
            f.emit(v128.store(at(bx, f.get(nc)), far));
            f.emit(i32.store(f.get(segment), begin));
            f.emit(i32.store(f.get(segment), f.get(nc), 4));
            f.emit(i32.store(f.get(segment), i32.load(image), 8));
            f.increment(segment, 16);
            f.increment(nc, 4);
          });
        });
      });
    }

    // Tests each particle of the cell against the buffer.
    function emitTests(q0: WasmNode, q1: WasmNode, lastSegment: WasmNode, exit: Label): void {
      f.range(q0, q1, (i) => {
        const [x, y, z] = [a.x, a.y, a.z].map((source) =>
          f.keep(v128.load32_splat(at(source, i))),
        ) as [WasmNode, WasmNode, WasmNode];
        const before = f.keep(f.get(nj));
        f.range(
          buffer,
          lastSegment,
          (segment) => {
            const k = f.variable(i32.load(segment));
            const end = f.keep(i32.load(segment, 4));
            const image = f.keep(i32.load(segment, 8));
            const run = f.keep(f.get(nj));
            if (half) {
              f.if(i32.eq(image, i32.const(13)), () => {
                f.increment(k, i32.add(i32.sub(i, q0), i32.const(1)));
              });
            }
            const needed = i32.add(i32.add(run, i32.const(12)), i32.sub(end, f.get(k)));
            const tight = i32.or(
              i32.gt_s(needed, indexCapacity),
              i32.ge_s(f.get(ne), entryCapacity),
            );
            f.if(tight, () => overflow(1, exit));
            const out = f.variable(at(indices, run));
            const p = f.variable(shl(f.get(k), 2));
            const pEnd = f.keep(shl(end, 2));
            f.while(i32.lt_s(f.get(p), pEnd), () => {
              const d = (
                [
                  [bx, x],
                  [by, y],
                  [bz, z],
                ] as const
              ).map(([base, centre]) =>
                f.keep(f32x4.sub(v128.load(i32.add(base, f.get(p))), centre)),
              );
              const squares = d.map((v) => f32x4.mul(v, v));
              const r2 = f32x4.add(f32x4.add(squares[0]!, squares[1]!), squares[2]!);
              const mask = f.keep(i32x4.bitmask(f32x4.lt(r2, f.get(limit))));
              const swizzle = v128.load(i32.add(a.compress, shl(mask, 4)));
              const rows = i8x16.swizzle(v128.load(i32.add(bj, f.get(p))), swizzle);
              f.emit(v128.store(f.get(out), rows));
              f.increment(out, shl(i32.popcnt(mask), 2));
              f.increment(p, 16);
            });
            if (!half) {
              f.if(i32.eq(image, i32.const(13)), () => emitDropSelf(i, at(indices, run), out));
            }
            f.if(i32.gt_s(f.get(out), at(indices, run)), () => {
              // Half lists only: neighbours of a run ascend there.
              const low = f.keep(i32.load(at(indices, run)));
              const high = f.keep(i32.load(i32.sub(f.get(out), i32.const(4))));
              f.set(firstRow, smaller(f.get(firstRow), smaller(low, i)));
              f.set(endRow, larger(f.get(endRow), i32.add(larger(high, i), i32.const(1))));
              f.emit(v128.store(f.get(out), i32x4.splat(a.padding)));
              const slotsUsed = i32.shr_u(i32.sub(f.get(out), indices), i32.const(2));
              f.set(nj, i32.and(i32.add(slotsUsed, i32.const(3)), i32.const(-4)));
              const entry = f.keep(i32.add(entries, shl(f.get(ne), 4)));
              f.emit(i32.store(entry, i), i32.store(entry, image, 4));
              f.emit(i32.store(entry, run, 8), i32.store(entry, f.get(nj), 12));
              f.increment(ne);
            });
          },
          16,
        );
        f.emit(i32.store(at(a.slots, i), i32.sub(f.get(nj), before)));
      });
    }

    // A particle meets itself in the image without shift of a full list: the last neighbour takes its place.
    function emitDropSelf(i: WasmNode, run: WasmNode, out: number): void {
      const p = f.variable(run);
      f.while(i32.lt_s(f.get(p), f.get(out)), (found) => {
        f.if(i32.eq(i32.load(f.get(p)), i), () => {
          f.increment(out, -4);
          f.emit(i32.store(f.get(p), i32.load(f.get(out))));
          f.br(found);
        });
        f.increment(p, 4);
      });
    }
  };
}

export const halfSearchKernel = kernelOf('neighbours.search.half', emitSearch(true));
export const fullSearchKernel = kernelOf('neighbours.search.full', emitSearch(false));
