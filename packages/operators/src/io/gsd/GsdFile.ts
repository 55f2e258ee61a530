import { textOfBytes } from '@corpuscle/core/platform';
import { ByteSource } from '../frames/ByteSource.js';
import { entryBytes, headBytes, magic, nameBytes, typeBytes } from './layout.js';

/** Where a part of a frame is. */
export interface Entry {
  readonly frame: number;
  readonly rows: number;
  readonly columns: number;
  readonly type: number;
  readonly location: number;
}

interface Index {
  readonly frames: number;
  readonly whole: number;
  readonly entries: ReadonlyMap<string, Entry>;
}

/** The index of a GSD file in memory, and its parts on demand. */
export class GsdFile {
  readonly source: ByteSource;
  readonly schema: string;
  readonly frames: number;
  /** Frames that are in the file up to their end: all, or those before a cut. */
  readonly whole: number;
  /** By frame and name. */
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(source: ByteSource, schema: string, { frames, whole, entries }: Index) {
    this.source = source;
    this.schema = schema;
    this.frames = frames;
    this.whole = whole;
    this.#entries = entries;
  }

  /** @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT */
  static async open(file: string): Promise<GsdFile> {
    const source = await ByteSource.open(file);
    try {
      const head = await source.at(0, headBytes, 'the head of a GSD file');
      if (head.getBigUint64(0, true) !== magic) source.fail('this is no GSD file');
      const version = head.getUint32(44, true);
      if (version >> 16 < 1 || version >> 16 > 2)
        source.fail(`GSD version ${version >> 16} is not read`);
      const names = await readNames(source, head, version >> 16);
      const index = await readIndex(source, head, names);
      return new GsdFile(source, textOf(new Uint8Array(head.buffer, 112, 64)), index);
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  /** A part of a frame, else of the first one, as the schema has it; null where neither has it. */
  find(frame: number, name: string): Entry | null {
    return this.#entries.get(`${frame} ${name}`) ?? this.#entries.get(`0 ${name}`) ?? null;
  }

  /** The numbers of a part. */
  async read(entry: Entry, what: string): Promise<DataView> {
    const size = typeBytes[entry.type] ?? this.source.fail(`${what} has the type ${entry.type}`);
    return this.source.at(entry.location, entry.rows * entry.columns * size, what);
  }
}

/** Text up to its end, which is 0. */
export function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return textOfBytes(bytes.subarray(0, end < 0 ? bytes.length : end));
}

async function readNames(source: ByteSource, head: DataView, version: number): Promise<string[]> {
  const room = Number(head.getBigUint64(32, true)) * nameBytes;
  const view = await source.at(Number(head.getBigUint64(24, true)), room, 'the names');
  const bytes = new Uint8Array(view.buffer);
  if (version === 1) {
    const count = room / nameBytes;
    const all = Array.from({ length: count }, (_, k) =>
      textOf(bytes.subarray(k * 64, k * 64 + 64)),
    );
    return all.filter((name) => name !== '');
  }
  const end = bytes.findIndex((byte, k) => byte === 0 && bytes[k + 1] === 0);
  return textOfBytes(bytes.subarray(0, end < 0 ? bytes.length : end)).split('\0');
}

async function readIndex(
  source: ByteSource,
  head: DataView,
  names: readonly string[],
): Promise<Index> {
  const room = Number(head.getBigUint64(16, true));
  const view = await source.at(Number(head.getBigUint64(8, true)), room * entryBytes, 'the index');
  const entries = new Map<string, Entry>();
  /** Frames of which a part lies beyond the end of the file. */
  const cut = new Set<number>();
  let frames = 0;
  for (let k = 0; k < room; k++) {
    const at = k * entryBytes;
    const location = Number(view.getBigInt64(at + 16, true));
    if (location === 0) break;
    const entry: Entry = {
      frame: Number(view.getBigUint64(at, true)),
      rows: Number(view.getBigUint64(at + 8, true)),
      columns: view.getUint32(at + 24, true),
      type: view.getUint8(at + 30),
      location,
    };
    const name = names[view.getUint16(at + 28, true)];
    if (name === undefined || entry.frame > frames) source.fail('the index is damaged');
    frames = entry.frame + 1;
    entries.set(`${entry.frame} ${name}`, entry);
    const bytes = entry.rows * entry.columns * (typeBytes[entry.type] ?? 0);
    if (location + bytes > source.bytes) cut.add(entry.frame);
  }
  const whole = frames - cut.size;
  // Where frames after a sound one are cut, and none follows, the file was cut. Else its index is wrong, and reading says so.
  const isCut = [...cut].every((frame) => frame >= whole);
  return { entries, frames, whole: isCut ? whole : frames };
}
