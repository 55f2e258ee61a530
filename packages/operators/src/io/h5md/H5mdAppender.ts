import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { CorpuscleError } from '@corpuscle/core';
import type { Dataset, File } from 'h5wasm/node';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { withBox } from '../frames/standardBox.js';
import { createH5md } from './createH5md.js';
import { type Element, elementsOf, groupName } from './elements.js';
import { type H5wasm, reasonOf } from './loadH5wasm.js';
import { clearMark } from './superblock.js';

const group = `/particles/${groupName}`;
/** Milliseconds for which a file stays open; when it is closed it is as any HDF5 file. */
const OPEN = 500;
/** Milliseconds after which what is written is made to survive a power cut. */
const SYNC = 30_000;

/** How a file is written. */
export interface H5mdOptions {
  /** Bits of a real number. */
  readonly precision: 'single' | 'double';
}

/**
 * Adds frames to an H5MD file. HDF5 changes its index in place. It does so in an order that keeps the file readable at any moment
 * (SWMR: single writer, multiple readers), so that a kill costs the frame that was being written and no other.
 *
 *   closed ─ add ─▶ open, marked ─ add … ─ settle ─▶ closed, as any file of HDF5
 */
export class H5mdAppender {
  readonly #h5: H5wasm;
  readonly #file: string;
  readonly #options: H5mdOptions;
  #open: { readonly file: File; readonly since: number } | null = null;
  #frames = 0;
  /** Rows that every frame has room for. */
  #room = 0;
  /** Names and widths of the first frame's elements; null before it. */
  #columns: readonly string[] | null = null;
  #lastSync = performance.now();

  constructor(h5: H5wasm, file: string, options: H5mdOptions) {
    this.#h5 = h5;
    this.#file = file;
    this.#options = options;
  }

  /** @throws CorpuscleError INVALID_VALUE for other columns than those of the first frame; OUTPUT_FAILED */
  add(given: ParticleFrame): void {
    const frame = withBox(given);
    const elements = elementsOf(frame);
    const columns = elements.map(({ name, width }) => `${name} ${width}`);
    if (!this.#columns) {
      this.#attempt(() => createH5md(this.#h5, this.#file, frame, elements, this.#options));
      this.#columns = columns;
      this.#room = frame.count;
    }
    const other = difference(columns, this.#columns);
    if (other) throw new CorpuscleError('INVALID_VALUE', other);
    this.#attempt(() => {
      if (this.#open && performance.now() - this.#open.since > OPEN) this.#close();
      this.#open ??= { file: new this.#h5.File(this.#file, 'Sa'), since: performance.now() };
      this.#grow(frame.count);
      for (const element of elements) this.#addElement(element, frame.count);
      this.#addBox(frame);
      this.#put('position/step', [], Float64Array.of(frame.step ?? this.#frames));
      if (frame.time !== undefined) this.#put('position/time', [], Float64Array.of(frame.time));
      this.#frames++;
    });
  }

  /** Closes the file: what was added is in it; `durable` also on the disk, where it survives a power cut. */
  settle({ durable = false }: { readonly durable?: boolean } = {}): void {
    this.#attempt(() => {
      this.#close();
      if (!this.#columns || !(durable || performance.now() - this.#lastSync > SYNC)) return;
      const descriptor = openSync(this.#file, 'r+');
      fsyncSync(descriptor);
      closeSync(descriptor);
      this.#lastSync = performance.now();
    });
  }

  /** Goes on after so many frames of a file that is there; later ones are cut off. @throws CorpuscleError FILE_FORMAT */
  goOn(frames: number): void {
    let file: File | null = null;
    try {
      clearMark(this.#file);
      file = new this.#h5.File(this.#file, 'a', { libver: 'v110' });
      const columns: string[] = [];
      const particles = file.get(group);
      const names = particles instanceof this.#h5.Group ? particles.keys() : [];
      for (const name of [...names, 'box/edges', 'box/offset', 'position/step', 'position/time']) {
        const path = name.startsWith('position/') ? name : `${name}/value`;
        const found = file.get(`${group}/${path}`);
        if (!(found instanceof this.#h5.Dataset)) continue;
        const shape = found.shape ?? [];
        if (!(shape[0]! >= frames)) throw new Error(`it has ${shape[0]} frames, and had ${frames}`);
        if (shape[0]! > frames) found.resize([frames, ...shape.slice(1)]);
        if (name === 'position') this.#room = shape[1]!;
        if (!name.includes('/')) columns.push(`${name} ${shape[2] ?? 1}`);
      }
      this.#columns = columns;
      this.#frames = frames;
    } catch (cause) {
      throw new CorpuscleError(
        'FILE_FORMAT',
        `cannot go on writing ${this.#file}: ${reasonOf(cause)}`,
        { cause },
      );
    } finally {
      file?.close();
    }
  }

  /** More particles than there is room for: rows of earlier frames have the id −1, which stands for none. */
  #grow(count: number): void {
    if (count <= this.#room) return;
    const before = this.#room;
    this.#room = count;
    const id = this.#dataset('id/value');
    id.resize([this.#frames, count]);
    const none = new Int32Array(count - before).fill(-1);
    for (let k = 0; k < this.#frames; k++)
      id.write_slice(
        [
          [k, k + 1],
          [before, count],
        ],
        none,
      );
  }

  #addElement({ name, width, values }: Element, count: number): void {
    const rows = this.#room;
    const tail = width === 1 && name !== 'position' ? [] : [width];
    const isWhole = count === rows;
    const fill = name === 'id' ? -1 : 0;
    const all = isWhole
      ? values
      : Float64Array.from({ length: rows * width }, (_, k) =>
          k < count * width ? values[k]! : fill,
        );
    this.#put(`${name}/value`, [rows, ...tail], all);
  }

  #addBox({ lattice, origin }: ParticleFrame): void {
    this.#put('box/edges/value', [3, 3], Float64Array.from(lattice!));
    this.#put('box/offset/value', [3], Float64Array.from(origin));
  }

  /** Adds the values of this frame to a dataset. */
  #put(name: string, shape: readonly number[], values: ArrayLike<number>): void {
    const dataset = this.#dataset(name);
    const k = this.#frames;
    dataset.resize([k + 1, ...shape]);
    if (shape.includes(0)) return;
    const ranges = [[k, k + 1], ...shape.map((length) => [0, length])] as [number, number][];
    dataset.write_slice(ranges, inTypeOf(dataset, values));
  }

  #dataset(name: string): Dataset {
    const found = this.#open!.file.get(`${group}/${name}`);
    if (found instanceof this.#h5.Dataset) return found;
    throw new CorpuscleError('OUTPUT_FAILED', `${this.#file} has no ${group}/${name} any more`);
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    open?.file.close();
  }

  /** The file takes no more. What is in it is in order, and any tool may open it. */
  #giveUp(): void {
    try {
      this.#close();
    } catch {
      // What HDF5 still has cannot be written either.
    }
    if (existsSync(this.#file)) clearMark(this.#file);
  }

  #attempt(action: () => void): void {
    try {
      action();
    } catch (cause) {
      if (cause instanceof CorpuscleError) throw cause;
      this.#giveUp();
      throw new CorpuscleError(
        'OUTPUT_FAILED',
        `cannot go on writing ${this.#file}: ${reasonOf(cause)}; frames that were written before are kept`,
        { cause },
      );
    }
  }
}

function inTypeOf(dataset: Dataset, values: ArrayLike<number>) {
  const { type, size } = dataset.metadata;
  if (type === 1) return size === 4 ? Float32Array.from(values) : Float64Array.from(values);
  if (size === 4) return Int32Array.from(values);
  return BigInt64Array.from({ length: values.length }, (_, k) => BigInt(values[k]!));
}

/** What is different from the first frame: H5MD has the same quantities in all. */
function difference(columns: readonly string[], first: readonly string[]): string | null {
  const nameOf = (column: string) => column.split(' ')[0];
  const missing = first.find((column) => !columns.includes(column));
  if (missing) return `a frame has no ${nameOf(missing)}, and the first frame of the H5MD file has`;
  const added = columns.find((column) => !first.includes(column));
  return added
    ? `a frame has ${nameOf(added)}, and the first frame of the H5MD file has not`
    : null;
}
