import { type FieldBlock, Grid } from '@corpuscle/core';
import type { HostEngine } from '@corpuscle/patterns';
import { type Reach, updateLists } from '../decomposition/updateLists.js';
import { type GhostExchange, numbersLike, type Values } from './GhostExchange.js';
import { keepGhostPairs } from './keepGhostPairs.js';
import { keepNeighborhoods } from './keepNeighborhoods.js';
import { keepOrdered } from './keepOrdered.js';
import { ownBlock } from './ofOwnParticles.js';
import { borderRows } from './sentRows.js';
import { countWraps, wrapAgain, wrappedRows } from './wrappedRows.js';

/** What tells after a sort which row was which. */
const PLACE = 'halo_place';

/** Blocks whose rows are on their way, and their versions when they were sent. */
export interface HaloUpdate {
  readonly block: FieldBlock;
  readonly version: number;
  readonly values: Values;
}

/** Which particles of the rank are in a halo grid: those at the border, or all; and all with neighbors in the order of ids. */
export type HaloKind = 'border' | 'all' | 'ordered';

/**
 * The particles at the border of a rank's brick, and those of other ranks that they meet, in a grid beside that of the particles:
 *
 *   own grid     [ particles of the rank ]            pairs among them, in half lists where functors allow it
 *   halo grid    [ border particles | ghosts ]        pairs of a border particle and a ghost, from the side of the first
 *
 * With `all` and `ordered`, for functors that see whole neighborhoods:
 *
 *   halo grid    [ particles of the rank | ghosts ]   neighborhoods of the first, in full lists
 *
 * Images along axes that are split are ghosts, and lie where they are seen; along others they are in list entries, as always.
 */
export class Halo {
  readonly #engine: HostEngine;
  readonly #own: Grid;
  readonly #kind: HaloKind;
  /** Null before the first build. */
  #grid: Grid | null = null;
  #exchange: GhostExchange | null = null;
  /** Rows of border particles in the own grid and in this one; rows of ghosts in this one. */
  #border: Int32Array = new Int32Array(0);
  #borderPlaces = new Int32Array(0);
  #ghostPlaces = new Int32Array(0);
  /** Rows that the sort of the last build has brought back into the box. */
  #wrapped: ReturnType<typeof wrappedRows> = [];
  /** Versions of the own blocks that this grid has. */
  readonly #versions = new Map<string, number>();

  constructor(engine: HostEngine, own: Grid, kind: HaloKind) {
    this.#engine = engine;
    this.#own = own;
    this.#kind = kind;
  }

  /** Whether no particle of this rank meets one of another. */
  get isEmpty(): boolean {
    return this.#ghostPlaces.length === 0;
  }

  /** Both sides of all borders. */
  get grid(): Grid {
    return this.#grid!;
  }

  /** Takes other ghosts, and finds the pairs with them. The own particles are in the order of their last sort. */
  build(exchange: GhostExchange, reach: Reach): void {
    const own = this.#own;
    this.#border =
      this.#kind === 'border' ? borderRows(exchange.sent, own.count) : rowsFrom(0, own.count);
    this.#exchange = exchange;
    const grid = this.#obtainGrid();
    const { length: borders } = this.#border;
    grid.resize(borders + exchange.count);
    this.#borderPlaces = rowsFrom(0, borders);
    this.#ghostPlaces = rowsFrom(borders, exchange.count);
    this.#versions.clear();
    this.#wrapped = [];
    const places = grid.block(PLACE).array;
    const isOwn = grid.block(ownBlock.name).array;
    for (let k = 0; k < grid.count; k++) {
      places[k] = k;
      isOwn[k] = k < borders ? 1 : 0;
    }
    // Other fields follow where a functor reads them.
    this.finish(this.start(this.#kind === 'ordered' ? ['position', 'id'] : ['position']));
    if (this.#kind !== 'border' || !this.isEmpty) this.#list(reach);
  }

  /** Lets its lists serve in the box as it is, which has taken the images of ghosts along. */
  follow(reach: Reach): void {
    this.grid.domain = this.#own.domain;
    this.#versions.delete('position');
    updateLists(this.#engine, this.grid, reach, 'never');
  }

  /** Starts to send what other ranks see of these blocks, unless they have it. All ranks name the same blocks. */
  start(names: readonly string[]): readonly HaloUpdate[] {
    const updates: HaloUpdate[] = [];
    for (const name of names) {
      const block = this.#own.block(name);
      this.grid.addBlock(block.spec);
      const { hostVersion: version } = block;
      if (this.#versions.get(name) === version) continue;
      updates.push({ block, version, values: this.#exchange!.start(block, this.#own.domain) });
    }
    return updates;
  }

  /** Waits for what has been started, and puts it in its place. */
  finish(updates: readonly HaloUpdate[]): void {
    for (const { block, version, values } of updates) {
      values.transfer.wait();
      const { name, width } = block.spec;
      const target = this.grid.block(name);
      const [from, to] = [block.array, target.array];
      const [border, places, ghosts] = [this.#border, this.#borderPlaces, this.#ghostPlaces];
      for (let n = 0; n < border.length; n++)
        for (let k = 0; k < width; k++) to[places[n]! * width + k] = from[border[n]! * width + k]!;
      const { arriving } = values;
      for (let n = 0; n < ghosts.length; n++)
        for (let k = 0; k < width; k++) to[ghosts[n]! * width + k] = arriving[n * width + k]!;
      if (name === 'position') wrapAgain(this.grid, this.#wrapped);
      target.hostWritten();
      this.#versions.set(name, version);
    }
  }

  /** Makes blocks of this grid zero, before pairs add to them. */
  clear(names: readonly string[]): void {
    for (const name of names) {
      const block = this.grid.addBlock(this.#own.block(name).spec);
      block.array.fill(0 as never);
      block.hostWritten();
    }
  }

  /** Adds what border particles have received here to what they have. */
  collect(names: readonly string[]): void {
    for (const name of names) {
      const { array: to, spec } = this.#own.block(name);
      const from = this.grid.block(name).array as Float64Array;
      const [border, places] = [this.#border, this.#borderPlaces];
      for (let n = 0; n < border.length; n++)
        for (let k = 0; k < spec.width; k++)
          (to as Float64Array)[border[n]! * spec.width + k]! += from[places[n]! * spec.width + k]!;
    }
  }

  /** Makes outputs zero that are to be added up; this grid gets those that it has not. */
  clearTerms(names: readonly string[]): void {
    const { grid } = this;
    for (const name of names) {
      if (!grid.hasField(name))
        grid.addBlock({ name: `term_${name}`, type: 'f64', width: 1, members: [name] });
      const { block: of, component } = grid.field(name);
      const block = grid.block(of);
      const { array, spec } = block;
      for (let at = component; at < grid.count * spec.width; at += spec.width) array[at] = 0;
      block.hostWritten();
    }
  }

  /** What own particles, or all rows, have received of an output. @param stays whether it is to be collected too */
  terms(name: string, rows: 'own' | 'all', stays: boolean): Float64Array {
    const { block, component } = this.grid.field(name);
    const { array, spec } = this.grid.block(block);
    const places = rows === 'own' ? this.#borderPlaces : rowsFrom(0, this.grid.count);
    return Float64Array.from(places, (place) => {
      const at = place * spec.width + component;
      const term = array[at] as number;
      if (!stays) array[at] = 0;
      return term;
    });
  }

  /** Adds what ghosts have received here to what the particles have, on the ranks that own them. All ranks name the same blocks. */
  giveBack(names: readonly string[]): void {
    const ghosts = this.#ghostPlaces;
    for (const name of names) {
      const { array, spec } = this.grid.block(name);
      const leaving = numbersLike(array, ghosts.length * spec.width);
      for (let n = 0; n < ghosts.length; n++)
        for (let k = 0; k < spec.width; k++)
          leaving[n * spec.width + k] = array[ghosts[n]! * spec.width + k]!;
      this.#exchange!.giveBack(this.#own.block(name), leaving);
    }
  }

  /** Tells of every listed pair of a particle of the rank, by its row, and a ghost. */
  forEachBorderPair(rcut: number, visit: (row: number) => void): void {
    if (this.isEmpty) return;
    const rows = new Int32Array(this.grid.count);
    for (const [n, place] of this.#borderPlaces.entries()) rows[place] = this.#border[n]!;
    this.#engine.neighborList(this.grid, 'full', rcut).forEachPair((i) => visit(rows[i]!));
  }

  /** Gives its memory back. */
  free(): void {
    this.#grid?.free();
    this.#grid = null;
  }

  #obtainGrid(): Grid {
    const { heap, domain } = this.#own;
    this.#grid ??= new Grid(heap, domain);
    this.#grid.domain = domain;
    this.#grid.addBlock({ name: PLACE, type: 'u32', width: 1, members: [PLACE] });
    this.#grid.addBlock(ownBlock);
    return this.#grid;
  }

  /** Sorts the grid, builds its list, and finds out where everybody is. */
  #list(reach: Reach): void {
    const { grid } = this;
    countWraps(grid);
    updateLists(this.#engine, grid, reach, 'always');
    this.#wrapped = wrappedRows(grid);
    const places = grid.block(PLACE).array;
    const isGhost = new Uint8Array(grid.count);
    const borders = this.#border.length;
    for (let row = 0; row < grid.count; row++) {
      const place = Number(places[row]);
      if (place < borders) this.#borderPlaces[place] = row;
      else {
        this.#ghostPlaces[place - borders] = row;
        isGhost[row] = 1;
      }
    }
    const list = this.#engine.neighborList(grid, 'full', reach.rcut);
    if (this.#kind === 'ordered') keepOrdered(list, grid, reach.rcut + reach.skin, isGhost);
    else if (this.#kind === 'all') keepNeighborhoods(list, grid.heap, isGhost);
    else keepGhostPairs(list, grid.heap, isGhost);
  }
}

function rowsFrom(first: number, count: number): Int32Array<ArrayBuffer> {
  const rows = new Int32Array(count);
  for (let k = 0; k < count; k++) rows[k] = first + k;
  return rows;
}
