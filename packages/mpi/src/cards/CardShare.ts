import { CorpuscleError, type Domain, type Grid } from '@corpuscle/core';
import { strainTo } from '@corpuscle/patterns/boxes';
import type { HaloRegion } from '@corpuscle/patterns/engines';
import type { Communicator } from '../communicator/Communicator.js';
import { Division } from '../decomposition/Division.js';
import type { Link } from '../decomposition/links.js';
import type { Reach } from '../decomposition/updateLists.js';
import { imbalanceOf } from '../decomposition/workOf.js';
import { type Card, CardHalo, type CardUpdate } from './CardHalo.js';

/** Rebuilds of lists from one look at the balance to the next, and what is put up with. */
const LOOK = 16;
const MOST_IMBALANCE = 1.05;
/** Lists of a card reach a little less far than a thin box lets them, for rounding. */
const THIN = 1 - 2e-4;
/**
 * Lists reach so many skins: new ones take ranks on cards as long as five steps or more, so that they shall last longer than on one
 * card. Where a card has many particles, pairs take most of a step.
 */
const WIDER = { ofFew: 2, ofMany: 1.5 } as const;
const MANY = 8e6;
/** Single positions: ways may be a little longer than they are found to be. */
const ROUNDING = 1e-5;
/** Particles that are so far outside of their brick may stay, in skins: they migrate at every third rebuild. */
const STRAY = 1.2;
/** For the same reason particles are sent that are a little farther from a brick than lists reach. */
const FARTHER = 3e-4;

interface Seen {
  readonly links: readonly Link[];
  readonly region: HaloRegion;
}

/** The share that a rank on a card has of the particles of a simulation, and what it sees of the others. */
export class CardShare {
  /** The most particles of a rank over the mean, at the last look. */
  imbalance = Number.NaN;
  readonly halo: CardHalo;
  readonly #neighborhoods: CardHalo;
  /** What other ranks see and where ghosts are, since the lists were last built, and whether particles may have moved since. */
  #seen: Seen | null = null;
  #mayHaveMoved = false;
  #hasNeighborhoods = false;
  readonly #card: Card;
  readonly #communicator: Communicator;
  readonly #grid: Grid;
  readonly #division: Division;
  #builds = 0;
  /** What lists were asked for, and what they reach. */
  #asked: Reach = { rcut: 0, skin: -1 };
  #reach: Reach = this.#asked;
  /** The box that lists serve in. */
  #box: Domain;
  /** That of all ranks in which they were built, and by how much distances have become shorter since, at most. */
  #wholeBox: Domain;
  #shrunk = 0;
  /** The farthest ways at the last two updates since the lists were built. */
  #farthest: readonly [number, number] = [0, 0];
  /** How far particles may have gone since they were last sent where they belong. */
  #strayed = 0;
  /** Whether pairs with ghosts have been met since the last update of the lists. */
  #isMet = false;
  /** Positions on their way to others since the last update of the lists. */
  #positions: readonly CardUpdate[] = [];

  /** Takes a grid in which every rank has all particles on the host, and keeps its own of them. */
  constructor(card: Card, communicator: Communicator, grid: Grid) {
    this.#card = card;
    this.#communicator = communicator;
    this.#grid = grid;
    this.#division = new Division(communicator, grid, false);
    this.#box = grid.domain;
    this.#wholeBox = grid.wholeDomain;
    this.halo = new CardHalo(card, communicator, grid, 'border');
    this.#neighborhoods = new CardHalo(card, communicator, grid, 'all');
  }

  /** The particles of the rank among their ghosts, for functors of whole neighborhoods: made where one is asked for. */
  async neighborhoods(): Promise<CardHalo> {
    if (!this.#hasNeighborhoods) {
      // Ways are told since the lists were built: both must be of the same positions.
      if (this.#mayHaveMoved) await this.build(this.#asked);
      const { links, region } = this.#seen!;
      await this.#neighborhoods.buildBeside(links, region, this.#reach);
    }
    this.#hasNeighborhoods = true;
    return this.#neighborhoods;
  }

  /** Whether the grid is still what this is a share of. */
  get isCurrent(): boolean {
    return this.#division.isCurrent;
  }

  /** Whether lists may lack pairs when the farthest particle of all has gone so far. */
  isTooFar(distance: number): boolean {
    this.#farthest = [this.#farthest[1], distance];
    return this.isInOtherBox || this.#isBeyond(distance);
  }

  /** Whether the box is another than that of the lists: all ranks have changed it. */
  get isInOtherBox(): boolean {
    return this.#grid.domain !== this.#box;
  }

  /** Whether lists will serve at the next update, if particles go as far until then as they have since the last one. */
  get isToLast(): boolean {
    const [before, last] = this.#farthest;
    return !this.isInOtherBox && !this.#isBeyond(2 * last - before);
  }

  /** How far particles may go: half of the skin that lists have, less what the strain of the box takes of it. */
  get limit(): number {
    const { rcut, skin } = this.#reach;
    return (skin - (rcut * this.#shrunk) / (1 - this.#shrunk)) / 2;
  }

  /**
   * Particles and lists follow a strain of the box. All ranks call it.
   * @returns false where lists are of another box already, which the caller has to do all itself for
   */
  strain(numbers: readonly number[], whole: Domain): boolean {
    if (this.isInOtherBox) return false;
    this.#grid.changeDomain(whole);
    this.halo.strain(numbers, 'all');
    if (this.#hasNeighborhoods) this.#neighborhoods.strain(numbers, 'halo');
    this.#box = this.#grid.domain;
    this.#mayHaveMoved = true;
    const [xx, yy, zz, yx, zx, zy] = strainTo(this.#wholeBox, whole) as unknown as Six;
    const shears = Math.abs(yx) + Math.abs(zx) + Math.abs(zy);
    this.#shrunk = Math.max(0, -xx, -yy, -zz) + shears;
    return true;
  }

  /** Whether lists have been built for this reach. */
  reaches({ rcut, skin }: Reach): boolean {
    return this.#asked.rcut === rcut && this.#asked.skin === skin;
  }

  /**
   * Starts to look how far particles have gone, and to send positions, which forces need if the lists still serve, as is expected.
   * @returns a function that gives the farthest way of a particle of this rank since the last build; Infinity where one is no number
   */
  async follow(): Promise<() => Promise<number>> {
    await this.#drop();
    this.#mayHaveMoved = true;
    if (this.isToLast && this.#isMet) this.#positions = this.halo.start(['position']);
    this.#isMet = false;
    const moved = this.halo.moved().catch((error: unknown) => {
      if (error instanceof CorpuscleError && error.code === 'NOT_FINITE') return Infinity;
      throw error;
    });
    return () => moved;
  }

  /** Hands positions that have been started to MPI. All ranks do, or none. */
  exchange(): Promise<void> {
    return this.halo.exchange(this.#positions);
  }

  /** Starts to send what a call needs of others; positions may be on their way. */
  async start(names: readonly string[]): Promise<readonly CardUpdate[]> {
    this.#isMet = true;
    const under = this.#positions;
    if (under.length === 0 || !names.includes('position')) return this.halo.start(names);
    if (!this.halo.isPresent(under)) {
      await this.#drop(); // particles have been moved since
      return this.halo.start(names);
    }
    this.#positions = [];
    return [...under, ...this.halo.start(names.filter((name) => name !== 'position'))];
  }

  /**
   * Sends particles where they belong now, unless all are near to their bricks, and builds the lists of all ranks. From time to time bricks follow the particles.
   * @param names what forces need of other particles
   * @param meanwhile is done when the lists of own particles are good, while others travel; perhaps once more
   */
  async build(
    reach: Reach,
    names: readonly string[] = [],
    meanwhile: () => Promise<void> = async () => {},
  ): Promise<void> {
    await this.#drop();
    const { rcut, skin } = reach;
    this.#strayed += this.reaches(reach) ? this.#farthest[1] * (1 + ROUNDING) : Infinity;
    this.#farthest = [0, 0];
    const most = Math.max(rcut, this.#grid.wholeDomain.widestRadius(rcut) * THIN);
    this.#asked = reach;
    const areMany = this.#grid.total > MANY * this.#communicator.size;
    const wider = areMany ? WIDER.ofMany : WIDER.ofFew;
    this.#reach = { rcut, skin: Math.min(wider * skin, most - rcut) };
    if (this.isInOtherBox) await this.halo.enterBox(this.#reach);
    if (this.#wholeBox !== this.#grid.wholeDomain) this.#strayed = Infinity;
    await this.#distribute(names, meanwhile);
    if (this.#builds++ % LOOK !== 0) return;
    this.imbalance = this.#imbalance();
    if (this.imbalance <= MOST_IMBALANCE) return;
    await this.#balance(new Float64Array(this.#grid.count).fill(1));
    await this.#distribute(names, meanwhile);
    this.imbalance = this.#imbalance();
  }

  free(): void {
    this.halo.free();
    this.#neighborhoods.free();
  }

  #isBeyond(distance: number): boolean {
    return (distance * (1 + ROUNDING)) / (1 - this.#shrunk) > this.limit;
  }

  /** All particles cost the same. */
  #imbalance(): number {
    return imbalanceOf(this.#communicator, Float64Array.of(this.#grid.count));
  }

  async #drop(): Promise<void> {
    const dropped = this.#positions;
    this.#positions = [];
    await this.halo.drop(dropped);
  }

  async #distribute(names: readonly string[], meanwhile: () => Promise<void>): Promise<void> {
    const grid = this.#grid;
    const { rcut, skin } = this.#reach;
    const { bricks, rank } = this.#division.bricks;
    const stray = STRAY * skin;
    if (this.#strayed > stray) {
      await this.halo.migrate(this.#division.bricks);
      this.#strayed = 0;
    }
    const regionWithin = (length: number) =>
      widened(bricks[rank]!, grid.wholeDomain, length * (1 + FARTHER));
    this.halo.setRegion(regionWithin(stray));
    const reach = (rcut + skin) * (1 + FARTHER);
    const links = this.#division.links(reach, stray * (1 + FARTHER));
    const region = regionWithin(reach + stray);
    await this.halo.build(links, region, this.#reach, names, meanwhile);
    this.#seen = { links, region };
    this.#mayHaveMoved = this.#hasNeighborhoods = false;
    this.#box = grid.domain;
    this.#wholeBox = grid.wholeDomain;
    this.#shrunk = 0;
  }

  /** Divides the box anew, by way of the host. */
  async #balance(work: Float64Array): Promise<void> {
    const grid = this.#grid;
    await this.#card.device.newestOnHost([...grid.blocks.values()], grid);
    this.#division.balance(work);
    this.#division.migrate();
    this.#strayed = Infinity;
  }
}

type Six = readonly [number, number, number, number, number, number];

/** A brick and all within a length of it. */
function widened({ lower, upper }: HaloRegion, { heights }: Domain, by: number): HaloRegion {
  return {
    lower: lower.map((end, k) => end - by / heights[k as 0 | 1 | 2]),
    upper: upper.map((end, k) => end + by / heights[k as 0 | 1 | 2]),
  };
}
