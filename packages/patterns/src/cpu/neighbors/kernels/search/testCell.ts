import { f32x4, i8x16, i32, i32x4, type Label, v128, type WasmNode } from '@corpuscle/functor/wasm';
import { at4 as at, shl } from '../integers.js';
import type { SearchSetting } from './SearchSetting.js';

/** A particle of the cell. */
interface Center {
  readonly i: WasmNode;
  /** x, y and z, each in every lane. */
  readonly position: readonly WasmNode[];
}

/** One segment of the stencil buffer, meant for one particle. */
interface Segment {
  /** Local: the first candidate; four bytes each. */
  readonly k: number;
  readonly end: WasmNode;
  readonly image: WasmNode;
  /** Indices before this segment. */
  readonly run: WasmNode;
  /** Whether rows of other parts may be in it. */
  readonly namesOthers: WasmNode;
}

/** Tests the particles q0 … q1 − 1 of a cell against the stencil buffer and appends an entry for each segment. */
export function testCell(
  setting: SearchSetting,
  q0: WasmNode,
  q1: WasmNode,
  lastSegment: WasmNode,
  exit: Label,
): void {
  const { f, half, a, buffer, nj, ne, borderCount, indexCapacity, entryCapacity, overflow } =
    setting;
  const entryCount = half ? i32.add(f.get(ne), f.get(borderCount)) : f.get(ne);
  f.comment('test: every particle of the cell against the buffer');
  f.range(q0, q1, (i) => {
    const position = [a.x, a.y, a.z].map((source, axis) =>
      f.named(`own${'XYZ'[axis]}`, v128.load32_splat(at(source, i))),
    );
    const before = f.named('indicesBefore', f.get(nj));
    f.range(
      buffer,
      lastSegment,
      (segment) => {
        const k = f.called(f.variable(i32.load(segment)), 'first');
        const end = f.named('end', i32.load(segment, 4));
        const image = f.named('imageCode', i32.load(segment, 8));
        const run = f.named('firstIndex', f.get(nj));
        const namesOthers: WasmNode = half
          ? f.named('namesOthers', i32.load(segment, 12))
          : i32.const(0);
        if (half) {
          f.if(i32.eq(image, i32.const(13)), () => {
            f.increment(k, i32.add(i32.sub(i, q0), i32.const(1)));
          });
        }
        const needed = i32.add(i32.add(run, i32.const(12)), i32.sub(end, f.get(k)));
        const tight = i32.or(i32.gt_s(needed, indexCapacity), i32.ge_s(entryCount, entryCapacity));
        f.if(tight, () => overflow(1, exit));
        testSegment(setting, { i, position }, { k, end, image, run, namesOthers });
      },
      16,
      'segment',
    );
    f.emit(i32.store(at(a.slots, i), i32.sub(f.get(nj), before)));
  });
}

/** Tests four candidates at a time; row numbers that pass the mask are moved to the front by a swizzle and stored. */
function testSegment(setting: SearchSetting, center: Center, segment: Segment): void {
  const { f, half, a, limit, indices, bx, by, bz, bj } = setting;
  const { k, end, image, run } = segment;
  const out = f.called(f.variable(at(indices, run)), 'out');
  const p = f.called(f.variable(shl(f.get(k), 2)), 'at');
  const pEnd = f.named('atEnd', shl(end, 2));
  f.comment('four distances give a mask; rows that pass are stored side by side');
  f.while(i32.lt_s(f.get(p), pEnd), () => {
    const d = [bx, by, bz].map((base, axis) =>
      f.named(
        `d${'xyz'[axis]}`,
        f32x4.sub(v128.load(i32.add(base, f.get(p))), center.position[axis]!),
      ),
    );
    const squares = d.map((v) => f32x4.mul(v, v));
    const r2 = f32x4.add(f32x4.add(squares[0]!, squares[1]!), squares[2]!);
    const mask = f.named('mask', i32x4.bitmask(f32x4.lt(r2, f.get(limit))));
    const swizzle = v128.load(i32.add(a.compress, shl(mask, 4)));
    const rows = i8x16.swizzle(v128.load(i32.add(bj, f.get(p))), swizzle);
    f.emit(v128.store(f.get(out), rows));
    f.increment(out, shl(i32.popcnt(mask), 2));
    f.increment(p, 16);
  });
  if (!half) {
    f.if(i32.eq(image, i32.const(13)), () => dropSelf(setting, center.i, at(indices, run), out));
  }
  f.if(i32.gt_s(f.get(out), at(indices, run)), () => appendEntry(setting, center.i, segment, out));
}

/** Pads the indices found to whole vectors and appends their entry {i, image, begin, end}. */
function appendEntry(
  setting: SearchSetting,
  i: WasmNode,
  { image, run, namesOthers }: Segment,
  out: number,
): void {
  const { f, half, indices, entries, nj, ne } = setting;
  f.comment('store: pad to whole vectors, append the entry {i, image, begin, end}');
  f.emit(v128.store(f.get(out), setting.padding));
  const slotsUsed = i32.shr_u(i32.sub(f.get(out), indices), i32.const(2));
  f.set(nj, i32.and(i32.add(slotsUsed, i32.const(3)), i32.const(-4)));
  const entry = f.called(f.variable(i32.add(entries, shl(f.get(ne), 4))), 'entry');
  if (half) placeEntry(setting, namesOthers, entry);
  else f.increment(ne);
  f.emit(i32.store(f.get(entry), i), i32.store(f.get(entry), image, 4));
  f.emit(i32.store(f.get(entry), run, 8), i32.store(f.get(entry), f.get(nj), 12));
}

/** Counts an entry of a half list; one that may name rows of other segments goes to the border. */
function placeEntry(
  { f, entries, entryCapacity, ne, borderCount }: SearchSetting,
  namesOthers: WasmNode,
  entry: number,
): void {
  f.if(
    namesOthers,
    () => {
      f.increment(borderCount);
      f.set(entry, i32.add(entries, shl(i32.sub(entryCapacity, f.get(borderCount)), 4)));
    },
    () => f.increment(ne),
  );
}

/** A particle meets itself in the image without shift of a full list: the last neighbor takes its place. */
function dropSelf({ f }: SearchSetting, i: WasmNode, run: WasmNode, out: number): void {
  f.comment('a particle is no neighbor of itself');
  const p = f.called(f.variable(run), 'at');
  f.while(i32.lt_s(f.get(p), f.get(out)), (found) => {
    f.if(i32.eq(i32.load(f.get(p)), i), () => {
      f.increment(out, -4);
      f.emit(i32.store(f.get(p), i32.load(f.get(out))));
      f.br(found);
    });
    f.increment(p, 4);
  });
}
