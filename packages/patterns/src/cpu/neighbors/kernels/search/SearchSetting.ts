import {
  address,
  type FunctionBuilder,
  f32,
  f32x4,
  i32,
  i32x4,
  type Label,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { at4 as at, shl } from '../integers.js';
import type { RecordSlots } from '../kernelOf.js';

/** Per-thread record of the search, words and i32; two lines of memory, so that threads share none. */
export const searchThread = {
  bytes: 128,
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
  /** The row that pads runs. */
  padding: 36,
  /** Half lists: the rows of the cells searched are ownFirst … ownEnd − 1; entries that name others are at the border. */
  ownFirst: 40,
  ownEnd: 44,
  borderCount: 48,
} as const;

/** A stencil buffer begins with a segment {begin, end, image, whether half lists name others} for each image; coordinates follow. */
export const SEGMENT_BYTES = 16;

/** A coordinate no particle has; its square stays finite in single precision. */
const FAR = 1e9;

const recordSlots = {
  start: 'address',
  place: 'address',
  line: 'address',
  slab: 'address',
  x: 'address',
  y: 'address',
  z: 'address',
  slots: 'address',
  rows: 'address',
  rowCount: 'i32',
  center: 'i32',
  images: 'address',
  imageCount: 'i32',
  header: 'i32',
  compress: 'address',
  nx: 'i32',
  ny: 'i32',
  nz: 'i32',
  reachX: 'i32',
  reachY: 'i32',
  reachZ: 'i32',
} as const;

type SearchRecord = Readonly<Record<keyof typeof recordSlots, WasmNode>>;

/** What the stages of a search share: the argument record, the thread's record, the stencil buffer and the running counts. */
export interface SearchSetting {
  readonly f: FunctionBuilder;
  /** In a half list each pair is named once. */
  readonly half: boolean;
  /** Numbers and addresses from the argument record. */
  readonly a: SearchRecord;
  /** Local: the square of the list's radius in each lane. */
  readonly limit: number;
  readonly thread: WasmNode;
  readonly entries: WasmNode;
  readonly entryCapacity: WasmNode;
  readonly indices: WasmNode;
  readonly indexCapacity: WasmNode;
  readonly buffer: WasmNode;
  readonly bufferCapacity: WasmNode;
  /** Locals: entries and indices so far. */
  readonly ne: number;
  readonly nj: number;
  readonly padding: WasmNode;
  readonly ownFirst: WasmNode;
  readonly ownEnd: WasmNode;
  /** Local: entries at the border so far, of half lists. */
  readonly borderCount: number;
  /** The stencil buffer: x, y, z, and row numbers. */
  readonly bx: WasmNode;
  readonly by: WasmNode;
  readonly bz: WasmNode;
  readonly bj: WasmNode;
  readonly iota: WasmNode;
  readonly far: WasmNode;
  /** First particle of a cell; `offset` 4 gives that of the next cell. */
  readonly startOf: (cell: WasmNode, offset?: number) => WasmNode;
  /** Notes what was too small and leaves the search. */
  readonly overflow: (code: number, exit: Label) => void;
}

/** Begins the search: reads both records and makes the locals. */
export function searchSetting(
  f: FunctionBuilder,
  slots: RecordSlots,
  half: boolean,
): SearchSetting {
  const a = Object.fromEntries(
    Object.entries(recordSlots).map(([name, type]) => [name, slots[type](name)]),
  ) as SearchRecord;
  const limit = f.local('v128');
  f.set(limit, f32x4.splat(f32.demote_f64(slots.f64('limit'))));
  const thread = f.named(
    'threadRecord',
    i32.add(slots.address('threads'), i32.mul(f.param(3), i32.const(searchThread.bytes))),
  );
  const field = (name: Exclude<keyof typeof searchThread, 'bytes'>) =>
    f.called(f.keep(i32.load(thread, searchThread[name])), name);
  const place = (name: 'entries' | 'indices' | 'buffer') =>
    f.called(f.keep(address(i32.load(thread, searchThread[name]))), name);
  const variable = (name: Exclude<keyof typeof searchThread, 'bytes'>) =>
    f.called(f.variable(i32.load(thread, searchThread[name])), name);
  const entries = place('entries');
  const entryCapacity = field('entryCapacity');
  const indices = place('indices');
  const indexCapacity = field('indexCapacity');
  const buffer = place('buffer');
  const bufferCapacity = field('bufferCapacity');
  const ne = variable('entryCount');
  const nj = variable('indexCount');
  const padding = f.named('padding', i32x4.splat(i32.load(thread, searchThread.padding)));
  const bx = f.keep(i32.add(buffer, a.header));
  const by = f.keep(i32.add(bx, shl(bufferCapacity, 2)));
  const bz = f.keep(i32.add(by, shl(bufferCapacity, 2)));
  const bj = f.keep(i32.add(bz, shl(bufferCapacity, 2)));
  const iota = f.constant(i32x4.const(0, 1, 2, 3));
  const far = f.constant(f32x4.const(FAR));
  for (const [name, node] of Object.entries({ bx, by, bz, bj, iota, far })) f.called(node, name);
  f.called(limit, 'limit2');
  return {
    f,
    half,
    a,
    limit,
    thread,
    entries,
    entryCapacity,
    indices,
    indexCapacity,
    buffer,
    bufferCapacity,
    ne,
    nj,
    padding,
    ownFirst: half ? field('ownFirst') : i32.const(0),
    ownEnd: half ? field('ownEnd') : i32.const(0),
    borderCount: half ? variable('borderCount') : -1,
    bx,
    by,
    bz,
    bj,
    iota,
    far,
    startOf: (cell, offset = 0) => i32.load(at(a.start, cell), offset),
    overflow(code, exit) {
      f.emit(i32.store(thread, i32.const(code), searchThread.overflow));
      f.br(exit);
    },
  };
}
