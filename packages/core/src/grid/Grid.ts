import { CorpuscleError, fromCaller } from '@corpuscle/functor/error';
import { Domain } from '../domain/Domain.js';
import { FieldBlock } from '../field/FieldBlock.js';
import type { BlockSpec, FieldRef } from '../field/FieldSpec.js';
import { standardBlocks } from '../field/standardBlocks.js';
import type { SharedHeap } from '../memory/SharedHeap.js';
import { CellTable } from './CellTable.js';

/**
 * The particles of a simulation: a domain, field blocks, and the table of cells they are sorted by.
 * Particles of one cell are contiguous in every block; cell c holds rows start[c] … start[c+1]−1.
 * Engines sort, and may do so whenever neighbors are updated: only `id` names a particle for good.
 */
export class Grid {
  readonly heap: SharedHeap;
  readonly cells: CellTable;
  domain: Domain;
  /** Grows by one at every sort: whatever holds row numbers is stale when it differs. */
  sortVersion = 0;
  #count = 0;
  #total = 0;
  #shared: { readonly own: Domain; readonly whole: Domain } | null = null;
  #blocks = new Map<string, FieldBlock>();
  #fields = new Map<string, FieldRef>();
  #releases: (() => void)[] = [];

  constructor(heap: SharedHeap, domain: Domain) {
    this.heap = heap;
    this.domain = domain;
    this.cells = new CellTable(heap);
    for (const spec of standardBlocks) this.addBlock(spec);
  }

  /** Number of particles. */
  get count(): number {
    return this.#count;
  }
  /** Particles of all processes that share a simulation, each with a grid of its own; `count` where there is one process. */
  get total(): number {
    return this.#total;
  }
  /**
   * The box of all processes that share a simulation; `domain` where there is one process. In the grid of one of several, axes that
   * are split between them are open, since images along them are particles of their own.
   */
  get wholeDomain(): Domain {
    return this.#shared?.own === this.domain ? this.#shared.whole : this.domain;
  }
  get blocks(): ReadonlyMap<string, FieldBlock> {
    return this.#blocks;
  }

  /** Sets the box of this grid, and that of all processes of which it has a share. */
  shareDomain(own: Domain, whole: Domain): void {
    this.domain = own;
    this.#shared = { own, whole };
  }

  /** Sets another box for all processes, with the periodic axes of `wholeDomain`; which process has which particles stays as it is. */
  changeDomain(whole: Domain): void {
    if (this.wholeDomain === this.domain) {
      this.domain = whole;
      return;
    }
    const { matrix, origin } = whole;
    const { periodic } = this.domain;
    this.shareDomain(Domain.triclinic(matrix, { origin, periodic }), whole);
  }

  /**
   * Sets the number of particles; new rows are zero.
   * @param total those of all processes, where this grid has a share of them
   */
  resize(count: number, total = count): void {
    for (const block of this.#blocks.values()) block.settle();
    for (const block of this.#blocks.values()) block.reserve(count);
    this.#count = count;
    this.#total = total;
    this.sortVersion++;
  }

  /** Adds a block of fields, zero for every particle. Adding the same names again returns the block there is. */
  addBlock(spec: BlockSpec): FieldBlock {
    const present = this.#blocks.get(spec.name);
    if (present) return present;
    const block = new FieldBlock(this.heap, spec);
    block.reserve(this.#count);
    this.#blocks.set(spec.name, block);
    spec.members.forEach((name, component) => {
      if (name !== null) this.#fields.set(name, { name, block: spec.name, component });
    });
    return block;
  }

  /** Whether a field of this name lies in one of the blocks. */
  hasField(name: string): boolean {
    return this.#fields.has(name);
  }

  /** Where a field lives. @throws CorpuscleError UNKNOWN_FIELD naming the fields there are. */
  field(name: string): FieldRef {
    return this.#fields.get(name) ?? this.#noField(name, this.field);
  }

  /** @param called what the user has called */
  #noField(name: string, called: (...args: never[]) => unknown): never {
    const has = [...this.#fields.keys()].join(', ');
    throw fromCaller(
      new CorpuscleError(
        'UNKNOWN_FIELD',
        `the grid has no field '${name}' (it has ${has}): add it with grid.addBlock`,
      ),
      called,
    );
  }

  /** A block by its name. @throws CorpuscleError UNKNOWN_FIELD when there is none. */
  block(name: string): FieldBlock {
    const block = this.#blocks.get(name);
    if (!block) throw new CorpuscleError('UNKNOWN_FIELD', `the grid has no block '${name}'`);
    return block;
  }

  /** A copy of one field's host values in row order (ids as doubles). Ask the engine for the newest copy first. */
  values(name: string): Float64Array {
    const { block: blockName, component } =
      this.#fields.get(name) ?? this.#noField(name, this.values);
    const block = this.block(blockName);
    const { array } = block;
    const out = new Float64Array(this.#count);
    for (let row = 0; row < this.#count; row++)
      out[row] = Number(array[row * block.spec.width + component]);
    return out;
  }

  /** Writes one field on the host, in row order. Calls may still wait that write it: ask the engine for the newest copy first. */
  setValues(name: string, values: ArrayLike<number>): void {
    const { block: blockName, component } =
      this.#fields.get(name) ?? this.#noField(name, this.setValues);
    const block = this.block(blockName);
    const { array } = block;
    const { width } = block.spec;
    for (let row = 0; row < this.#count; row++) {
      const value = values[row]!;
      if (array instanceof BigUint64Array) array[row * width + component] = BigInt(value);
      else array[row * width + component] = value;
    }
    block.rewritten();
  }

  /** Row order that sorts particles by id: `order[k]` is the row of the k-th smallest id. */
  rowsById(): Uint32Array {
    return orderOfIds(this.block('id').array as BigUint64Array, this.#count);
  }

  /** Engines keep lists and buffers beside a grid: `release` gives them back when the grid is freed. */
  onFree(release: () => void): void {
    this.#releases.push(release);
  }

  /** Gives all memory back. */
  free(): void {
    for (const block of this.#blocks.values()) block.settle(); // before the memory that work put off may use is given back
    for (const release of this.#releases.splice(0)) release();
    for (const block of this.#blocks.values()) block.free();
    this.cells.free();
    this.#count = this.#total = 0;
  }
}

/** The first `count` ids as doubles, seven times as fast as by `Number`. */
export function idNumbers(ids: BigUint64Array, count: number): Float64Array {
  const words = new Uint32Array(ids.buffer, ids.byteOffset, 2 * count);
  const numbers = new Float64Array(count);
  for (let k = 0; k < count; k++) numbers[k] = words[2 * k]! + 2 ** 32 * words[2 * k + 1]!;
  return numbers;
}

/** The order that sorts the first `count` ids: `order[k]` is the place of the k-th smallest. */
export function orderOfIds(ids: BigUint64Array, count: number): Uint32Array {
  const keys = idNumbers(ids, count);
  return placesOf(keys) ?? Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]!);
}

/** The order of keys that are consecutive numbers, as ids mostly are; null for all others. */
function placesOf(keys: Float64Array): Uint32Array | null {
  let least = Number.POSITIVE_INFINITY;
  for (const key of keys) if (key < least) least = key;
  const order = new Uint32Array(keys.length);
  const isTaken = new Uint8Array(keys.length);
  for (let row = 0; row < keys.length; row++) {
    const place = keys[row]! - least;
    if (!(place < keys.length) || isTaken[place] === 1) return null;
    isTaken[place] = 1;
    order[place] = row;
  }
  return order;
}
