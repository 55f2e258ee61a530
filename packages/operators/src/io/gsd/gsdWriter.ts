import { CorpuscleError } from '@corpuscle/core';
import { joinBytes, utf8 } from '@corpuscle/core/platform';
import { areSame } from '#operators/platform';
import type { FrameTarget, FrameWriter, Piece } from '../frames/FrameFormat.js';
import { encodingWriter } from '../thread/encoders.js';
import {
  type Chunk,
  entryBytes,
  headBytes,
  indexAt,
  magic,
  nameBytes,
  names,
  types,
} from './layout.js';

/** Entries that the first index has room for. */
const FIRST_ENTRIES = 512;
/** Entries of 64 bytes for names. */
const NAMES = 16;

/**
 * Writes GSD files in the HOOMD schema. A frame is added at the end, then its entries are put into the index, so that a file that is cut
 * off has all frames before. A full index is written again, twice as long, at the end. Parts that are as in the first frame are not
 * repeated.
 *
 *   [ head | names | index ][ parts of frame 0 ][ parts of frame 1 ] … [ longer index ] …
 *
 * @throws CorpuscleError INVALID_VALUE for a file whose bytes cannot be replaced.
 */
export function gsdWriter(target: FrameTarget): FrameWriter {
  const sink = target.grow(target.file);
  if (!sink.patch)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `a GSD file cannot be written into ${target.file}, whose bytes cannot be replaced: give another name`,
    );
  const index = new Index();
  let first: ReadonlyMap<string, Chunk> | null = null;
  /** Logged quantities must be in the first frame, or readers of HOOMD take the file for damaged. */
  let known: readonly string[] = [];
  let frames = 0;
  let position = 0;
  return encodingWriter('gsd', undefined, {
    async add(every, { onWritten }) {
      if (!first)
        known = names.filter(
          (name) => !name.startsWith('log/') || every.some((chunk) => chunk.name === name),
        );
      const isFirst = first === null;
      const all = every.filter(({ name }) => known.includes(name));
      const chunks = first ? all.filter((chunk) => !isAsBefore(chunk, all, first!)) : all;
      const pieces: Piece[] = [];
      const add = (bytes: Uint8Array) => {
        pieces.push(bytes);
        position += bytes.length;
      };
      if (!first) add(beginning(index, known));
      first ??= new Map(all.map((chunk) => [chunk.name, chunk]));
      const entries = chunks.map((chunk) => {
        const location = position;
        add(chunk.bytes);
        return entryOf(chunk, known.indexOf(chunk.name), frames, location);
      });
      const grown = index.add(entries, position);
      if (grown) add(grown);
      frames++;
      await sink.add(pieces, isFirst ? undefined : onWritten); // the first is kept
      if (grown) sink.patch!(indexAt, index.place());
      else sink.patch!(index.location + index.patchedFrom, joinBytes(entries));
    },
    save: (): SavedGsd => ({
      frames,
      position,
      index: index.save(),
      known,
      first: first && [...first.values()].map((chunk) => ({ ...chunk })),
    }),
    restore(saved) {
      const before = saved as SavedGsd;
      ({ frames, position, known } = before);
      first = before.first && new Map(before.first.map((chunk) => [chunk.name, chunk]));
      if (first) index.restore(before.index, (at, bytes) => sink.patch!(at, bytes));
    },
    close: () => sink.close(),
  });
}

/** What a run needs that goes on: the parts of the first frame, and the index, whose later entries are void. */
type SavedGsd = {
  readonly frames: number;
  readonly position: number;
  readonly index: SavedIndex;
  readonly known: readonly string[];
  readonly first: readonly { readonly [K in keyof Chunk]: Chunk[K] }[] | null;
};

type SavedIndex = {
  readonly location: number;
  readonly room: number;
  readonly entries: Uint8Array;
};

/** Whether a reader takes this part from the first frame. Sizes of all parts follow N. */
function isAsBefore(
  chunk: Chunk,
  all: readonly Chunk[],
  first: ReadonlyMap<string, Chunk>,
): boolean {
  if (chunk.name.startsWith('configuration/step')) return false;
  const isSame = ({ name, bytes }: Chunk) => {
    const before = first.get(name)?.bytes;
    return before !== undefined && areSame(bytes, before);
  };
  const counts = all.filter(({ name }) => name.endsWith('/N'));
  return isSame(chunk) && counts.every(isSame);
}

/** Where the parts of all frames are. */
class Index {
  location = headBytes + NAMES * nameBytes;
  room = FIRST_ENTRIES;
  /** Bytes of the index before the entries that were added last. */
  patchedFrom = 0;
  #entries: Uint8Array[] = [];

  /** Adds entries; where there is no room for them, gives the bytes of a longer index, to be written at `end`. */
  add(entries: readonly Uint8Array[], end: number): Uint8Array | null {
    this.patchedFrom = this.#entries.length * entryBytes;
    this.#entries.push(...entries);
    // A reader looks for an empty entry after the last.
    if (this.#entries.length < this.room) return null;
    while (this.#entries.length >= this.room) this.room *= 2;
    this.location = end;
    const bytes = new Uint8Array(this.room * entryBytes);
    this.#entries.forEach((entry, k) => {
      bytes.set(entry, k * entryBytes);
    });
    return bytes;
  }

  save(): SavedIndex {
    const { location, room } = this;
    return { location, room, entries: joinBytes(this.#entries) };
  }

  /** Makes the index of a file what it was, entries of later frames empty. */
  restore(
    { location, room, entries }: SavedIndex,
    patch: (at: number, bytes: Uint8Array) => void,
  ): void {
    this.location = location;
    this.room = room;
    this.#entries = Array.from({ length: entries.length / entryBytes }, (_, k) =>
      entries.subarray(k * entryBytes, (k + 1) * entryBytes),
    );
    const bytes = new Uint8Array(room * entryBytes);
    bytes.set(entries);
    patch(indexAt, this.place());
    patch(location, bytes);
  }

  /** What the head says of the index. */
  place(): Uint8Array {
    const view = new DataView(new ArrayBuffer(16));
    view.setBigUint64(0, BigInt(this.location), true);
    view.setBigUint64(8, BigInt(this.room), true);
    return new Uint8Array(view.buffer);
  }
}

function entryOf(
  { type, rows, columns }: Chunk,
  name: number,
  frame: number,
  location: number,
): Uint8Array {
  const view = new DataView(new ArrayBuffer(entryBytes));
  view.setBigUint64(0, BigInt(frame), true);
  view.setBigUint64(8, BigInt(rows), true);
  view.setBigInt64(16, BigInt(location), true);
  view.setUint32(24, columns, true);
  view.setUint16(28, name, true);
  view.setUint8(30, types[type]);
  return new Uint8Array(view.buffer);
}

/** Head, names and an empty index. */
function beginning(index: Index, known: readonly string[]): Uint8Array {
  const out = new Uint8Array(index.location + index.room * entryBytes);
  const view = new DataView(out.buffer);
  view.setBigUint64(0, magic, true);
  out.set(index.place(), indexAt);
  view.setBigUint64(24, BigInt(headBytes), true);
  view.setBigUint64(32, BigInt(NAMES), true);
  view.setUint32(40, 0x10004, true); // schema 1.4
  view.setUint32(44, 0x20000, true); // GSD 2.0
  out.set(utf8('Corpuscle'), 48);
  out.set(utf8('hoomd'), 112);
  out.set(utf8(`${known.join('\0')}\0`), headBytes);
  return out;
}
