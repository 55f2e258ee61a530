import { CorpuscleError, type Domain, type Grid } from '@corpuscle/core';
import type { Communicator } from '../communicator/Communicator.js';
import { Division } from '../decomposition/Division.js';
import { buildLists, type Reach } from '../decomposition/updateLists.js';
import { imbalanceOf } from '../decomposition/workOf.js';
import { type Card, CardHalo, type CardUpdate } from './CardHalo.js';

/** Rebuilds of lists from one look at the balance to the next, and what is put up with. */
const LOOK = 16;
const MOST_IMBALANCE = 1.05;
/** Lists of a card reach a little less far than a thin box lets them, for rounding. */
const THIN = 1 - 2e-4;
/** Single positions: ways may be a little longer than they are found to be. */
const ROUNDING = 1e-5;
/** For the same reason particles are sent that are a little farther from a brick than lists reach. */
const FARTHER = 3e-4;

/** The share that a rank on a card has of the particles of a simulation, and what it sees of the others. */
export class CardShare {
  /** The most particles of a rank over the mean, at the last look. */
  imbalance = Number.NaN;
  readonly halo: CardHalo;
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
  /** Positions on their way to others since the last update of the lists. */
  #positions: readonly CardUpdate[] = [];

  /** Takes a grid in which every rank has all particles on the host, and keeps its own of them. */
  constructor(card: Card, communicator: Communicator, grid: Grid) {
    this.#card = card;
    this.#communicator = communicator;
    this.#grid = grid;
    this.#division = new Division(communicator, grid, false);
    this.#box = grid.domain;
    this.halo = new CardHalo(card, communicator, grid);
  }

  /** Whether the grid is still what this is a share of. */
  get isCurrent(): boolean {
    return this.#division.isCurrent;
  }

  /** Whether lists may lack pairs when the farthest particle of all has gone so far. */
  isTooFar(distance: number): boolean {
    return distance * (1 + ROUNDING) > this.#reach.skin / 2;
  }

  /** Half of the skin that lists have. */
  get limit(): number {
    return this.#reach.skin / 2;
  }

  /** Whether lists have been built for this reach. */
  reaches({ rcut, skin }: Reach): boolean {
    return this.#asked.rcut === rcut && this.#asked.skin === skin;
  }

  /**
   * Starts to send positions, which forces need if the lists still serve, and to look how far particles have gone.
   * @returns a function that gives the farthest way of a particle of this rank since the last build; Infinity where one is no number
   * @throws CorpuscleError BACKEND_UNAVAILABLE in a box that has changed
   */
  async follow(): Promise<() => Promise<number>> {
    if (this.#grid.domain !== this.#box)
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        'ranks on cards cannot change the box yet: run with --backend cpu, or on one rank',
      );
    await this.#drop();
    this.#positions = this.halo.start(['position']);
    const moved = this.halo.moved().catch((error: unknown) => {
      if (error instanceof CorpuscleError && error.code === 'NOT_FINITE') return Infinity;
      throw error;
    });
    return () => moved;
  }

  /** Starts to send what a call needs of others; positions may be on their way. */
  async start(names: readonly string[]): Promise<readonly CardUpdate[]> {
    const under = this.#positions;
    if (under.length === 0 || !names.includes('position')) return this.halo.start(names);
    if (!this.halo.isPresent(under)) {
      await this.#drop(); // particles have been moved since
      return this.halo.start(names);
    }
    this.#positions = [];
    return [...under, ...this.halo.start(names.filter((name) => name !== 'position'))];
  }

  /** Sends particles where they belong now, and builds the lists of all ranks. From time to time bricks follow the particles. */
  async build(reach: Reach): Promise<void> {
    await this.#drop();
    const { rcut, skin } = reach;
    const most = Math.max(rcut, this.#grid.wholeDomain.widestRadius(rcut) * THIN);
    this.#asked = reach;
    this.#reach = { rcut, skin: Math.min(skin, most - rcut) };
    await this.#distribute();
    if (this.#builds++ % LOOK !== 0) return;
    this.imbalance = this.#imbalance();
    if (this.imbalance <= MOST_IMBALANCE) return;
    await this.#balance(new Float64Array(this.#grid.count).fill(1));
    await this.#distribute();
    this.imbalance = this.#imbalance();
  }

  free(): void {
    this.halo.free();
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

  async #distribute(): Promise<void> {
    const grid = this.#grid;
    const { rcut, skin } = this.#reach;
    await this.halo.migrate(this.#division.bricks);
    if (grid.count > 0) await buildLists(this.#card, grid, this.#reach);
    const links = this.#division.links((rcut + skin) * (1 + FARTHER));
    await this.halo.build(links, this.#reach);
    this.#box = grid.domain;
  }

  /** Divides the box anew, by way of the host. */
  async #balance(work: Float64Array): Promise<void> {
    const grid = this.#grid;
    await this.#card.device.newestOnHost([...grid.blocks.values()], grid);
    this.#division.balance(work);
    this.#division.migrate();
  }
}
