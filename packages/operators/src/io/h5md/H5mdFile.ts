import { statSync } from 'node:fs';
import { CorpuscleError, limits } from '@corpuscle/core';
import type { Dataset, File, Group } from 'h5wasm/node';
import { clip } from '../failAt.js';
import { withinMemory } from './limitMemory.js';
import { type H5wasm, reasonOf } from './loadH5wasm.js';
import { isMarked } from './superblock.js';

/** Types of HDF5 that are numbers. */
const [INTEGER, FLOAT, ENUM] = [0, 1, 8];
/** A packed part may hold so many times the bytes of the file. */
const PACKED = 1032;
/** HDF5 may take so many times the bytes of the file, and of a packed part that is read. */
const TIMES = 4;

/** An HDF5 file that is read; what it says of sizes is compared with the file before anything is made. */
export class H5mdFile {
  readonly name: string;
  readonly bytes: number;
  /** Whether its writer has not closed it: one that writes now, or was killed. */
  readonly isOpenElsewhere: boolean;
  readonly #h5: H5wasm;
  readonly #file: File;

  /** @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT */
  constructor(h5: H5wasm, name: string) {
    const status = statSync(name, { throwIfNoEntry: false });
    if (!status?.isFile())
      throw new CorpuscleError(
        'FILE_NOT_FOUND',
        `cannot read '${name}': ${status ? 'it is no file' : 'there is no such file'}`,
      );
    this.name = name;
    this.bytes = status.size;
    this.#h5 = h5;
    this.isOpenElsewhere = this.ask(() => isMarked(name));
    this.#file = this.ask(() => new h5.File(name, this.isOpenElsewhere ? 'Sr' : 'r'));
  }

  /** A group or a dataset of a group; null where there is none in this file. Links into other files are not followed. */
  find(path: string, from: Group | Dataset = this.#file): Group | Dataset | null {
    return this.ask(() => {
      let here: unknown = from;
      for (const part of path.split('/')) {
        if (!this.isGroup(here) || !here.keys().includes(part)) return null;
        here = here.get(part);
      }
      if (this.isGroup(here) || this.isDataset(here)) return here;
      return null;
    });
  }

  isGroup(value: unknown): value is Group {
    return value instanceof this.#h5.Group;
  }

  isDataset(value: unknown): value is Dataset {
    return value instanceof this.#h5.Dataset;
  }

  /** An attribute; null where there is none. */
  attribute(of: Group | Dataset, name: string): unknown {
    return this.ask(() => {
      const attribute = of.attrs[name];
      if (!attribute) return null;
      const { size } = attribute.metadata;
      const length = (attribute.shape ?? [0]).reduce((a, b) => a * b, 1);
      if (!(size * length <= this.bytes)) this.fail(`the attribute ${name} is too large`);
      return attribute.value;
    });
  }

  /** Whether a dataset is numbers, which may have names. */
  isNumeric({ metadata }: Dataset): boolean {
    const { type, size } = metadata;
    return [INTEGER, FLOAT, ENUM].includes(type) && [1, 2, 4, 8].includes(size);
  }

  shape(dataset: Dataset): readonly number[] {
    return this.ask(() => dataset.shape ?? []);
  }

  /** Numbers of a dataset: all, or those of one frame. @throws CorpuscleError FILE_FORMAT */
  numbers(
    dataset: Dataset,
    frame: number | null = null,
    { anyValue = false }: { readonly anyValue?: boolean } = {},
  ): Float64Array {
    return this.ask(() => {
      const shape = this.shape(dataset);
      const part = frame === null ? shape : shape.slice(1);
      const count = part.reduce((a, b) => a * b, 1);
      const { metadata, path } = dataset;
      if (!this.isNumeric(dataset)) this.fail(`${path} is no numbers`);
      if (metadata.virtual_sources) this.fail(`${path} is in another file, which is not read`);
      const room = this.#room(dataset, frame);
      if (!(count * metadata.size <= room))
        this.fail(`the file is too short (${this.bytes} bytes) for ${count} numbers of ${path}`);
      if (count === 0) return new Float64Array(0);
      const values = this.ask(
        () => (frame === null ? dataset.value : dataset.slice([[frame, frame + 1]])),
        Math.min(room, this.#unpacked(dataset, count)),
      );
      const found = ArrayBuffer.isView(values) ? (values as Float64Array) : [values];
      if (found.length !== count) this.fail(`${path} has ${found.length} numbers, not ${count}`);
      const out = Float64Array.from(found as ArrayLike<number>, Number);
      if (!anyValue && !out.every(Number.isFinite)) this.fail(`${path} is not finite`);
      return out;
    });
  }

  /** Texts of a dataset, or null where it has none. */
  texts(dataset: Dataset): readonly string[] | null {
    return this.ask(() => {
      const { metadata } = dataset;
      const count = (dataset.shape ?? []).reduce((a, b) => a * b, 1);
      if (metadata.type !== 3 || count > limits.species) return null;
      if (!(metadata.size * count <= this.bytes)) this.fail(`${dataset.path} is too large`);
      const value = dataset.value;
      return Array.isArray(value) ? value.map(String) : null;
    });
  }

  /** Ends reading. */
  fail(message: string): never {
    throw new CorpuscleError('FILE_FORMAT', clip(`'${this.name}': ${message}`));
  }

  /** Does something with the file, in memory for it and for `packed` bytes; what HDF5 says against it is an error of the file. */
  ask<T>(action: () => T, packed = 0): T {
    try {
      return withinMemory(TIMES * (this.bytes + packed), action);
    } catch (cause) {
      if (cause instanceof CorpuscleError) throw cause;
      throw new CorpuscleError(
        'FILE_FORMAT',
        clip(`'${this.name}' is damaged, or no file of HDF5: ${reasonOf(cause)}`),
        { cause },
      );
    }
  }

  close(): void {
    this.ask(() => this.#file.close());
  }

  /** Bytes that become of packed parts: what is read, or the chunk in which it lies. */
  #unpacked({ filters, metadata }: Dataset, count: number): number {
    const chunk = (metadata.chunks ?? []).reduce((a, b) => a * b, 1);
    return filters.length === 0 ? 0 : Math.max(count, chunk) * metadata.size;
  }

  /** Bytes that a part may have. HDF5 makes the chunks that it lies in. */
  #room(dataset: Dataset, frame: number | null): number {
    const { chunks, size, shape } = dataset.metadata;
    const isPacked = dataset.filters.length > 0;
    const room = isPacked ? Math.min(PACKED * this.bytes, limits.unknownSize) : this.bytes;
    if (chunks && frame !== null && shape) {
      const chunk = chunks.reduce((a, b) => a * b, size);
      if (!(chunk <= room + (1 << 20))) this.fail(`the parts of ${dataset.path} are too large`);
    }
    return room;
  }
}
