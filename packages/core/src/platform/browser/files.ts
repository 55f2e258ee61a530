import { path } from './path.js';

/** A file in memory; its bytes are those of `buffer` up to `size`. */
interface MemoryFile {
  buffer: Uint8Array;
  size: number;
  modified: number;
  readonly number: number;
}

/** Paths with `null` for folders. */
const entries = new Map<string, MemoryFile | null>([['/', null]]);
let numbers = 0;

interface Descriptor {
  readonly file: MemoryFile;
  position: number;
}

const descriptors = new Map<number, Descriptor>();
let lastDescriptor = 2;

type ErrorName = 'ENOENT' | 'EEXIST' | 'EISDIR' | 'ENOTDIR' | 'ENOTEMPTY' | 'EBADF';

const failed = (code: ErrorName, name: string): Error =>
  Object.assign(new Error(`${code}: ${name}`), { code });

const at = (name: string): string => path.resolve(name);

function fileAt(name: string): MemoryFile {
  const entry = entries.get(at(name));
  if (entry === undefined) throw failed('ENOENT', name);
  if (entry === null) throw failed('EISDIR', name);
  return entry;
}

function makeFile(name: string): MemoryFile {
  const full = at(name);
  const folder = entries.get(path.dirname(full));
  if (folder === undefined) throw failed('ENOENT', name);
  if (folder !== null) throw failed('ENOTDIR', name);
  const file = { buffer: new Uint8Array(), size: 0, modified: Date.now(), number: ++numbers };
  entries.set(full, file);
  return file;
}

function resize(file: MemoryFile, size: number): void {
  if (size > file.buffer.length) {
    const larger = new Uint8Array(Math.max(size, 2 * file.buffer.length, 4096));
    larger.set(file.buffer.subarray(0, file.size));
    file.buffer = larger;
  } else if (size < file.size) file.buffer.fill(0, size, file.size);
  file.size = size;
}

function put(file: MemoryFile, position: number, bytes: Uint8Array): number {
  if (position + bytes.length > file.size) resize(file, position + bytes.length);
  file.buffer.set(bytes, position);
  file.modified = Date.now();
  return bytes.length;
}

/** What is known of a file or folder. */
export interface Stats {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly dev: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

const statsOf = (file: MemoryFile | null): Stats => ({
  size: file?.size ?? 0,
  mtimeMs: file?.modified ?? 0,
  ino: file?.number ?? 0,
  dev: 0,
  isFile: () => file !== null,
  isDirectory: () => file === null,
});

export const constants = { W_OK: 2 };

export const existsSync = (name: string): boolean => entries.has(at(name));

export function statSync(name: string, options?: { throwIfNoEntry?: boolean }): Stats | undefined {
  const entry = entries.get(at(name));
  if (entry !== undefined) return statsOf(entry);
  if (options?.throwIfNoEntry === false) return undefined;
  throw failed('ENOENT', name);
}

export function accessSync(name: string): void {
  if (!existsSync(name)) throw failed('ENOENT', name);
}

export const realpathSync = at;

export function readdirSync(folder: string): string[] {
  const full = at(folder);
  if (entries.get(full) !== null) throw failed(entries.has(full) ? 'ENOTDIR' : 'ENOENT', folder);
  return [...entries.keys()]
    .filter((name) => name !== '/' && path.dirname(name) === full)
    .map((name) => path.basename(name))
    .sort();
}

export function mkdirSync(folder: string): void {
  const full = at(folder);
  if (entries.has(full)) throw failed('EEXIST', folder);
  const parent = entries.get(path.dirname(full));
  if (parent !== null) throw failed(parent === undefined ? 'ENOENT' : 'ENOTDIR', folder);
  entries.set(full, null);
}

export function rmdirSync(folder: string): void {
  if (readdirSync(folder).length > 0) throw failed('ENOTEMPTY', folder);
  if (at(folder) !== '/') entries.delete(at(folder));
}

export function rmSync(name: string, options?: { force?: boolean }): void {
  const entry = entries.get(at(name));
  if (entry === null) throw failed('EISDIR', name);
  if (!entries.delete(at(name)) && !options?.force) throw failed('ENOENT', name);
}

export function renameSync(from: string, to: string): void {
  const file = fileAt(from);
  if (entries.get(at(to)) === null) throw failed('EISDIR', to);
  entries.delete(at(from));
  entries.set(at(to), file);
}

export function linkSync(from: string, to: string): void {
  const file = fileAt(from);
  if (existsSync(to)) throw failed('EEXIST', to);
  entries.set(at(to), file);
}

export function utimesSync(name: string, _accessed: Date, modified: Date): void {
  fileAt(name).modified = modified.getTime();
}

export function readFileSync(name: string): Uint8Array;
export function readFileSync(name: string, encoding: 'utf8'): string;
export function readFileSync(name: string, encoding?: 'utf8'): Uint8Array | string {
  const { buffer, size } = fileAt(name);
  const bytes = buffer.slice(0, size);
  return encoding ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : bytes;
}

export function writeFileSync(
  name: string,
  content: string | Uint8Array,
  options?: { flag?: 'wx' },
): void {
  const descriptor = openSync(name, options?.flag ?? 'w');
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  writeSync(descriptor, bytes, 0, bytes.length, 0);
  closeSync(descriptor);
}

export function openSync(name: string, flags: 'r' | 'r+' | 'w' | 'wx'): number {
  const exists = existsSync(name);
  if (flags === 'wx' && exists) throw failed('EEXIST', name);
  const file = exists || flags.startsWith('r') ? fileAt(name) : makeFile(name);
  if (flags === 'w') resize(file, 0);
  descriptors.set(++lastDescriptor, { file, position: 0 });
  return lastDescriptor;
}

function opened(descriptor: number): Descriptor {
  const found = descriptors.get(descriptor);
  if (!found) throw failed('EBADF', String(descriptor));
  return found;
}

export function closeSync(descriptor: number): void {
  if (!descriptors.delete(descriptor)) throw failed('EBADF', String(descriptor));
}

export const fstatSync = (descriptor: number): Stats => statsOf(opened(descriptor).file);

export function fsync(_descriptor: number, done: (error: null) => void): void {
  queueMicrotask(() => done(null));
}

export function fsyncSync(_descriptor: number): void {}

export function ftruncateSync(descriptor: number, size = 0): void {
  resize(opened(descriptor).file, size);
}

export function readSync(
  descriptor: number,
  into: Uint8Array,
  offset: number,
  count: number,
  position: number | null,
): number {
  const found = opened(descriptor);
  const from = position ?? found.position;
  const piece = found.file.buffer.subarray(from, Math.min(from + count, found.file.size));
  into.set(piece, offset);
  if (position === null) found.position += piece.length;
  return piece.length;
}

export function writeSync(
  descriptor: number,
  bytes: Uint8Array,
  offset = 0,
  count = bytes.length - offset,
  position: number | null = null,
): number {
  const found = opened(descriptor);
  const to = position ?? found.position;
  put(found.file, to, bytes.subarray(offset, offset + count));
  if (position === null) found.position = to + count;
  return count;
}

export function writevSync(
  descriptor: number,
  pieces: readonly Uint8Array[],
  position: number | null = null,
): number {
  let done = 0;
  for (const piece of pieces) {
    const to = position === null ? null : position + done;
    done += writeSync(descriptor, piece, 0, piece.length, to);
  }
  return done;
}

export function writev(
  descriptor: number,
  pieces: readonly Uint8Array[],
  position: number | null,
  done: (error: Error | null, count: number) => void,
): void {
  let [error, count]: [Error | null, number] = [null, 0];
  try {
    count = writevSync(descriptor, pieces, position);
  } catch (cause) {
    error = cause as Error;
  }
  queueMicrotask(() => done(error, count));
}

/** A file that is open. */
export class FileHandle {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  async stat(): Promise<Stats> {
    return fstatSync(this.#descriptor);
  }

  async sync(): Promise<void> {}

  async read(
    into: Uint8Array,
    offset: number,
    count: number,
    position: number | null = null,
  ): Promise<{ bytesRead: number }> {
    return { bytesRead: readSync(this.#descriptor, into, offset, count, position) };
  }

  async write(bytes: Uint8Array, offset: number, count: number): Promise<{ bytesWritten: number }> {
    return { bytesWritten: writeSync(this.#descriptor, bytes, offset, count) };
  }

  async close(): Promise<void> {
    closeSync(this.#descriptor);
  }
}

export const open = async (name: string, flags: 'r' | 'w' | 'wx'): Promise<FileHandle> =>
  new FileHandle(openSync(name, flags));

export async function rename(from: string, to: string): Promise<void> {
  renameSync(from, to);
}
