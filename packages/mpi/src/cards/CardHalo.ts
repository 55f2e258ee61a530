import { type Domain, type FieldBlock, Grid } from '@corpuscle/core';
import type { Device, DeviceHalo, Engine, HaloOrigin, SentRows } from '@corpuscle/patterns';
import { buildLists, type Reach } from '../decomposition/updateLists.js';
import type { GhostExchange } from '../halo/GhostExchange.js';
import { borderRows } from '../halo/sentRows.js';

/** What tells after a sort which row was which. */
const place = { name: 'halo_place', type: 'u32', width: 1, members: ['halo_place'] } as const;

/** Rows of a block on their way, and its version when they were sent. */
export interface CardUpdate {
  readonly block: FieldBlock;
  readonly version: number;
  readonly sent: SentRows;
}

/** An engine with memory of its own that can exchange ghosts. */
export interface Card extends Engine {
  readonly device: Device & Required<Pick<Device, 'openHalo'>>;
  readonly prepareLists: Required<Engine>['prepareLists'];
}

/**
 * The border particles of a rank and its ghosts on a card, in a grid beside that of the particles of the rank. Lists of this grid have
 * the pairs of a border particle and a ghost alone.
 */
export class CardHalo {
  readonly #card: Card;
  readonly #own: Grid;
  readonly #grid: Grid;
  readonly #device: DeviceHalo;
  #exchange: GhostExchange | null = null;
  /** Versions of the own blocks that this grid has. */
  readonly #versions = new Map<string, number>();

  constructor(card: Card, own: Grid) {
    this.#card = card;
    this.#own = own;
    this.#grid = new Grid(own.heap, own.domain);
    this.#grid.addBlock(place);
    this.#device = card.device.openHalo(own, this.#grid);
  }

  /** Both sides of all borders. */
  get grid(): Grid {
    return this.#grid;
  }

  /** Whether no particle of this rank meets one of another. */
  get isEmpty(): boolean {
    return this.#exchange!.count === 0;
  }

  /** The farthest way of a particle of the rank since the last build. @throws CorpuscleError NOT_FINITE */
  async moved(): Promise<number> {
    return this.#own.count === 0 ? 0 : this.#device.moved();
  }

  /** Takes other ghosts, and finds the pairs with them. The host has the positions of the own particles after their last sort. */
  async build(exchange: GhostExchange, reach: Reach): Promise<void> {
    const [own, grid] = [this.#own, this.#grid];
    const border = borderRows(exchange.sent, own.count);
    this.#exchange = exchange;
    this.#versions.clear();
    grid.domain = own.domain;
    grid.resize(border.length + exchange.count);
    this.#putPositions(border);
    const places = await this.#sorted(reach);
    const origins = this.#origins();
    this.#device.place({
      sent: Uint32Array.from(exchange.sent.flatMap(({ rows }) => Array.from(rows))),
      border: { from: Uint32Array.from(border), to: places.slice(0, border.length) },
      ghosts: { from: origins.ofGhosts, to: places.slice(border.length) },
      origins: origins.all,
    });
  }

  /** Starts to send what other ranks see of these blocks, unless they have it. All ranks name the same blocks. */
  start(names: readonly string[]): readonly CardUpdate[] {
    const updates: CardUpdate[] = [];
    for (const name of names) {
      const block = this.#own.block(name);
      this.#grid.addBlock(block.spec);
      const version = versionOf(block);
      if (this.#versions.get(name) === version) continue;
      updates.push({ block, version, sent: this.#device.send(block) });
    }
    return updates;
  }

  /** Whether blocks are still as they were when they were sent. */
  isPresent(updates: readonly CardUpdate[]): boolean {
    return updates.every(({ block, version }) => versionOf(block) === version);
  }

  /** Waits for what has been started, and lets the card take what arrives. */
  async finish(updates: readonly CardUpdate[]): Promise<void> {
    for (const { block, version, sent } of updates) {
      const leaving = await sent.bytes;
      const arriving = this.#device.arriving(block);
      const bytesPerRow = this.#device.bytesPerRow(block);
      this.#exchange!.transfer(leaving, arriving.bytes, bytesPerRow).wait();
      sent.release();
      arriving.take();
      this.#versions.set(block.spec.name, version);
    }
  }

  /** Gives up what has been started. */
  async drop(updates: readonly CardUpdate[]): Promise<void> {
    for (const { sent } of updates) {
      await sent.bytes;
      sent.release();
    }
  }

  /** Makes blocks of this grid zero, before pairs add to them. */
  clear(names: readonly string[]): void {
    for (const name of names) this.#grid.addBlock(this.#own.block(name).spec);
    if (!this.isEmpty) this.#device.clear(names);
  }

  /** Adds what border particles have received here to what they have. */
  collect(names: readonly string[]): void {
    this.#device.collect(names);
  }

  free(): void {
    this.#device.free();
    this.#grid.free();
  }

  /** Positions of all, from the host. */
  #putPositions(border: Int32Array): void {
    const [own, grid, exchange] = [this.#own, this.#grid, this.#exchange!];
    const from = own.block('position');
    const { transfer, arriving } = exchange.start(from, own.domain);
    transfer.wait();
    const positions = grid.block('position');
    const to = positions.array as Float64Array;
    border.forEach((row, k) => {
      to.set(from.array.subarray(4 * row, 4 * row + 4) as Float64Array, 4 * k);
    });
    to.set(arriving as Float64Array, 4 * border.length);
    positions.hostWritten();
  }

  /** Sorts the grid and builds its lists. @returns the rows that border particles and ghosts have then. */
  async #sorted(reach: Reach): Promise<Uint32Array<ArrayBuffer>> {
    const grid = this.#grid;
    const { array, spec } = grid.block(place.name);
    for (let k = 0; k < grid.count; k++) array[k] = k;
    grid.block(spec.name).hostWritten();
    const rows = new Uint32Array(grid.count);
    if (this.isEmpty) return rows;
    await buildLists(this.#card, grid, reach);
    await this.#card.device.newestOnHost([grid.block(place.name)], grid);
    const places = grid.block(place.name).array;
    for (let row = 0; row < grid.count; row++) rows[Number(places[row])] = row;
    return rows;
  }

  /** Where ghosts come from: one origin for each rank and image. */
  #origins(): { readonly all: readonly HaloOrigin[]; readonly ofGhosts: Uint32Array<ArrayBuffer> } {
    const exchange = this.#exchange!;
    const { edges, center } = this.#device.frame;
    const told = exchange.tell((rank) => {
      const parts = exchange.sent.filter((one) => one.rank === rank);
      const numbers = parts.flatMap(({ rows, boxes }) => [rows.length, ...boxes]);
      return Float64Array.from([...edges, ...center, ...numbers]);
    });
    const all: HaloOrigin[] = [];
    const ofGhosts = new Uint32Array(exchange.count);
    let at = 0;
    for (const numbers of told) {
      const frame = { edges: [...numbers.slice(0, 9)], center: [...numbers.slice(9, 12)] };
      for (let k = 12; k < numbers.length; k += 4) {
        const [count, ...boxes] = numbers.slice(k, k + 4);
        all.push({ frame, shift: vectorOf(boxes, this.#own.domain) });
        ofGhosts.fill(all.length, at, at + count!); // that of the own grid is the first
        at += count!;
      }
    }
    return { all, ofGhosts };
  }
}

const versionOf = ({ hostVersion, deviceVersion }: FieldBlock): number =>
  Math.max(hostVersion, deviceVersion);

const vectorOf = (boxes: readonly number[], { matrix }: Domain): number[] =>
  [0, 1, 2].map(
    (k) => boxes[0]! * matrix[k]! + boxes[1]! * matrix[k + 3]! + boxes[2]! * matrix[k + 6]!,
  );
