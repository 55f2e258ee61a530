import { type FieldBlock, Grid } from '@corpuscle/core';
import type { Device, Engine, StepCall } from '@corpuscle/patterns';
import type {
  ArrivingRows,
  DeviceHalo,
  HaloBricks,
  HaloDevice,
  HaloMove,
  HaloRegion,
  SentRows,
} from '@corpuscle/patterns/engines';
import type { Communicator, Transfer } from '../communicator/Communicator.js';
import type { Link } from '../decomposition/links.js';
import type { Reach } from '../decomposition/updateLists.js';
import { ownBlock } from '../halo/ofOwnParticles.js';
import { RankMessages } from '../halo/RankMessages.js';
import { haloOrigins } from './haloOrigins.js';

/** Bytes of a frame and a number of particles. */
const HEAD = 8 * 13;

/** How many rows ranks see, each of them and all together. */
type SeenRows = Awaited<ReturnType<DeviceHalo['select']>>;

/** Rows of a block on their way, and its version when they were sent. */
export interface CardUpdate {
  readonly block: FieldBlock;
  readonly version: number;
  readonly sent: SentRows;
}

/** Rows that have been handed to MPI, and those that come for them. */
interface Exchange {
  readonly transfer: Transfer;
  readonly arriving: ArrivingRows;
}

/** An engine with memory of its own that can exchange ghosts. */
export interface Card extends Engine {
  readonly device: Device & HaloDevice;
  readonly prepareLists: Required<Engine>['prepareLists'];
}

/**
 * The border particles of a rank and its ghosts on a card, in a grid beside that of the particles of the rank. Lists of this grid have
 * the pairs of a border particle and a ghost alone. With `all`, for functors of whole neighborhoods, all particles of the rank are in
 * it, and lists have their neighbors.
 */
export class CardHalo {
  readonly #own: Grid;
  readonly #grid: Grid;
  readonly #device: DeviceHalo;
  readonly #communicator: Communicator;
  readonly #kind: 'border' | 'all';
  #messages: RankMessages | null = null;
  /** Versions of the own blocks that this grid has. */
  readonly #versions = new Map<string, number>();
  readonly #exchanges = new WeakMap<CardUpdate, Exchange>();

  constructor(card: Card, communicator: Communicator, own: Grid, kind: 'border' | 'all') {
    this.#communicator = communicator;
    this.#kind = kind;
    this.#own = own;
    this.#grid = new Grid(own.heap, own.domain);
    const whole = kind === 'all' ? ownBlock : undefined;
    this.#device = card.device.openHalo(own, this.#grid, whole);
  }

  /** Both sides of all borders. */
  get grid(): Grid {
    return this.#grid;
  }

  /** Whether nothing is met here. */
  get isEmpty(): boolean {
    return this.#kind === 'all' ? this.#grid.count === 0 : this.#messages!.coming === 0;
  }

  /** The farthest way of a particle of the rank since the last build. @throws CorpuscleError NOT_FINITE */
  async moved(): Promise<number> {
    return this.#own.count === 0 ? 0 : this.#device.moved();
  }

  /** All own particles are in this region until their lists are next built. */
  setRegion(region: HaloRegion): void {
    this.#device.setRegion(region);
  }

  /** The box of the own particles is another: they are sorted into cells of this one, so that it is known where in the box they are. */
  async enterBox(reach: Reach): Promise<void> {
    await this.#device.sort('own', reach);
  }

  /** Particles follow a strain of the box, which the own grid has. @param which the halo alone where another has done so with own particles */
  strain(numbers: readonly number[], which: 'all' | 'halo'): void {
    this.#grid.domain = this.#own.domain;
    this.#device.strain(numbers, which);
  }

  /** Particles go to the ranks in whose bricks they are, and come from others. */
  async migrate(division: HaloBricks): Promise<void> {
    const own = this.#own;
    const leaving = await this.#device.leave(division);
    const { edges, center } = this.#device.frame;
    const head = (count: number) =>
      new Uint8Array(Float64Array.from([...edges, ...center, count]).buffer);
    const sent = leaving.map(({ count, bytes }) => {
      const all = new Uint8Array(HEAD + bytes.length);
      all.set(head(count));
      all.set(bytes, HEAD);
      return all;
    });
    const arrived = this.#communicator.exchange(sent).map((bytes) => {
      const numbers = new Float64Array(bytes.slice(0, HEAD).buffer);
      const frame = { edges: [...numbers.subarray(0, 9)], center: [...numbers.subarray(9, 12)] };
      return { frame, count: numbers[12]!, bytes: bytes.slice(HEAD) };
    });
    const { total } = own;
    const count = this.#device.arrive(
      arrived,
      arrived.map(({ frame }) => frame),
    );
    if (count !== own.count) own.resize(count, total);
  }

  /**
   * Builds the lists of the own particles, takes other ghosts, those of these links, and finds the pairs with them. The card is never idle:
   *
   *   card    sort, count │ pack │ search                │ pairs of own particles │ lists of the halo
   *   host                │      │ counts to all, begin, rows travel              │
   *
   * @param region where ghosts and border particles are
   * @param names what forces need of other particles. @param meanwhile is done with the own lists, perhaps once more
   */
  async build(
    links: readonly Link[],
    region: HaloRegion,
    reach: Reach,
    names: readonly string[],
    meanwhile: () => Promise<void>,
  ): Promise<void> {
    const buildOwn = await this.#device.sort('own', reach);
    const ordered = [...links].sort((a, b) => a.rank - b.rank);
    const selected = await this.#select(ordered);
    const updates = this.start(['position', ...names.filter((name) => name !== 'position')]);
    const travel = async (): Promise<void> => {
      this.#begin(ordered, region, selected);
      await meanwhile();
      this.submit();
      await this.finish(updates);
    };
    let [isGood] = await Promise.all([buildOwn(), travel()]);
    while (!isGood) [isGood] = await Promise.all([buildOwn(), meanwhile()]);
    await this.#buildHalo(reach);
  }

  /** The same beside another halo of the particles, which has just been built, where these have not moved since. */
  async buildBeside(links: readonly Link[], region: HaloRegion, reach: Reach): Promise<void> {
    this.#device.restart(reach);
    const ordered = [...links].sort((a, b) => a.rank - b.rank);
    this.#begin(ordered, region, await this.#select(ordered));
    await this.finish(this.start(['position']));
    await this.#buildHalo(reach);
  }

  /** Builds the lists of the halo, whose positions have come. */
  async #buildHalo(reach: Reach): Promise<void> {
    if (!this.isEmpty) {
      const build = await this.#device.sort('halo', reach);
      while (!(await build()));
    }
    this.#device.sorted();
  }

  /** Finds what other ranks see: they have nothing of these rows. */
  #select(links: readonly Link[]): Promise<SeenRows> {
    this.#versions.clear();
    return this.#device.select(links);
  }

  /** All ranks tell each other how many rows they will send. @param links by rank */
  #begin(links: readonly Link[], region: HaloRegion, { counts, border }: SeenRows): void {
    const leaving = new Float64Array(this.#communicator.size);
    links.forEach(({ rank }, k) => {
      leaving[rank]! += counts[k]!;
    });
    this.#messages = new RankMessages(this.#communicator, leaving);
    this.#grid.domain = this.#own.domain;
    this.#grid.resize(border + this.#messages.coming);
    const { frame } = this.#device;
    const origins = haloOrigins(this.#communicator, this.#own.domain, frame, links, counts);
    this.#device.begin(origins, region);
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

  /** Hands what has been started to MPI as soon as the card has copied it. Then all ranks do so, and receive what they get. */
  async exchange(updates: readonly CardUpdate[]): Promise<void> {
    for (const update of updates) {
      const { block, sent } = update;
      const leaving = await sent.bytes;
      const arriving = this.#device.arriving(block);
      const bytesPerRow = this.#device.bytesPerRow(block);
      const transfer = this.#messages!.start(leaving, arriving.bytes, bytesPerRow);
      this.#exchanges.set(update, { transfer, arriving });
    }
  }

  /** Waits for what has been started, and lets the card take what arrives. */
  async finish(updates: readonly CardUpdate[]): Promise<void> {
    for (const update of updates) {
      if (!this.#exchanges.has(update)) await this.exchange([update]);
      this.#receive(update);
      this.#versions.set(update.block.spec.name, update.version);
    }
  }

  /** Gives up what has been started. What MPI has arrives nevertheless. */
  async drop(updates: readonly CardUpdate[]): Promise<void> {
    for (const update of updates) {
      await update.sent.bytes;
      if (this.#exchanges.has(update)) this.#receive(update);
      else update.sent.release();
    }
  }

  #receive(update: CardUpdate): void {
    const { transfer, arriving } = this.#exchanges.get(update)!;
    transfer.wait();
    update.sent.release();
    arriving.take();
  }

  /** @returns null where these calls cannot be one kernel, see `DeviceHalo` */
  prepareMove(calls: readonly StepCall[]): HaloMove | null {
    return this.#device.prepareMove(calls);
  }

  /** Submits what has been recorded. */
  submit(): void {
    this.#device.submit();
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

  /** Adds what ghosts have received here to what the particles have, on the ranks that own them. All ranks name the same blocks. */
  async giveBack(names: readonly string[]): Promise<void> {
    const blocks = names.map((name) => this.#own.block(name));
    const leaving = blocks.map((block) => this.#device.sendBack(block));
    for (const [k, block] of blocks.entries()) {
      const arriving = this.#device.arrivingBack(block);
      const bytes = await leaving[k]!.bytes;
      const size = this.#device.bytesPerRow(block);
      this.#messages!.startBack(bytes, arriving.bytes, size).wait();
      leaving[k]!.release();
      arriving.take();
    }
    this.#device.submit();
  }

  free(): void {
    this.#device.free();
    this.#grid.free();
  }
}

const versionOf = ({ hostVersion, deviceVersion }: FieldBlock): number =>
  Math.max(hostVersion, deviceVersion);
