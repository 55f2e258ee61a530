import type { Domain, Grid } from '@corpuscle/core';
import type { HostEngine } from '@corpuscle/patterns';
import type { Communicator } from '../communicator/Communicator.js';
import { GhostExchange } from '../halo/GhostExchange.js';
import { Halo } from '../halo/Halo.js';
import { sentRows } from '../halo/sentRows.js';
import { Division } from './Division.js';
import { type Reach, updateLists } from './updateLists.js';
import { imbalanceOf, workOf } from './workOf.js';

/** Rebuilds of lists from one look at the balance to the next. */
const LOOK = 16;
/** The box is divided anew where a rank has so much more to do than the mean. */
const MOST_IMBALANCE = 1.05;

/** The share that a rank has of the particles of a simulation, and what it sees of the others. */
export class Share {
  /** The largest work of a rank over the mean, at the last look. */
  imbalance = Number.NaN;
  readonly halo: Halo;
  readonly #engine: HostEngine;
  readonly #communicator: Communicator;
  readonly #grid: Grid;
  readonly #division: Division;
  #builds = 0;
  readonly #neighborhoods: Halo;
  /** The ghosts of the last build, and whether whole neighborhoods have been built with them. */
  #exchange: GhostExchange | null = null;
  #hasNeighborhoods = false;
  /** What lists were asked for, and what they reach. */
  #asked: Reach = { rcut: 0, skin: -1 };
  #reach: Reach = this.#asked;
  /** The box that lists serve in. */
  #box: Domain;

  /**
   * Takes a grid in which every rank has all particles, and keeps its own of them.
   * @param isOrdered whether lists, and with them bits, must not depend on the number of ranks
   */
  constructor(
    engine: HostEngine,
    communicator: Communicator,
    grid: Grid,
    readonly isOrdered: boolean,
  ) {
    this.#engine = engine;
    this.#communicator = communicator;
    this.#grid = grid;
    this.#division = new Division(communicator, grid, isOrdered);
    this.#box = grid.domain;
    this.halo = new Halo(engine, grid, 'border');
    this.#neighborhoods = new Halo(engine, grid, isOrdered ? 'ordered' : 'all');
  }

  /** The particles of the rank among their ghosts, for functors of whole neighborhoods: made where one is asked for. */
  get neighborhoods(): Halo {
    if (!this.#hasNeighborhoods) this.#neighborhoods.build(this.#exchange!, this.#reach);
    this.#hasNeighborhoods = true;
    return this.#neighborhoods;
  }

  /** Gives the memory of what it sees of other ranks back. */
  free(): void {
    this.halo.free();
    this.#neighborhoods.free();
  }

  /** Whether the grid is still what this is a share of: a frame that is put into it brings a box of its own. */
  get isCurrent(): boolean {
    return this.#division.isCurrent;
  }

  /** The skin that lists have. */
  get skin(): number {
    return this.#reach.skin;
  }

  /** Whether lists have been built for this reach. */
  reaches({ rcut, skin }: Reach): boolean {
    return this.#asked.rcut === rcut && this.#asked.skin === skin;
  }

  /**
   * Lets lists serve in the box as it is. The box has taken all particles along; what it takes of the skin counts as a way.
   * @returns the farthest way of a particle of this rank since the last build; NaN if one is NaN
   */
  follow(): number {
    const { domain } = this.#grid;
    const { maxDisplacement } = updateLists(this.#engine, this.#grid, this.#reach, 'never');
    if (domain !== this.#box) {
      this.halo.follow(this.#reach);
      if (this.#hasNeighborhoods) this.#neighborhoods.follow(this.#reach);
    }
    this.#box = domain;
    return maxDisplacement;
  }

  /** Sends particles where they belong now, and builds the lists of all ranks. From time to time bricks follow the work. */
  build(asked: Reach): void {
    const { rcut, skin } = asked;
    const most = Math.max(rcut, this.#grid.wholeDomain.widestRadius(rcut) * (1 - 1e-9));
    this.#asked = asked;
    this.#reach = { rcut, skin: Math.min(skin, most - rcut) };
    this.#distribute();
    if (this.#builds++ % LOOK !== 0) return;
    const work = this.#look();
    if (this.imbalance <= MOST_IMBALANCE) return;
    this.#division.balance(work);
    this.#distribute();
    this.#look();
  }

  /** What the particles cost. */
  #look(): Float64Array {
    const work = workOf(this.#engine, this.#grid, this.halo, this.#reach.rcut);
    this.imbalance = imbalanceOf(this.#communicator, work);
    return work;
  }

  #distribute(): void {
    const grid = this.#grid;
    const { domain } = grid;
    this.#division.migrate();
    updateLists(this.#engine, grid, this.#reach, 'always');
    const { rcut, skin } = this.#reach;
    const links = this.#division.links(rcut + skin);
    const positions = grid.block('position').array as Float64Array;
    const sent = sentRows(positions, grid.count, domain, links);
    this.#exchange = new GhostExchange(this.#communicator, sent);
    this.#hasNeighborhoods = false;
    this.halo.build(this.#exchange, this.#reach);
    this.#box = domain;
  }
}
