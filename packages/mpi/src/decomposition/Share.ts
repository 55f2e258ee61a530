import { Domain, type Grid } from '@corpuscle/core';
import type { HostEngine } from '@corpuscle/patterns';
import type { Communicator } from '../communicator/Communicator.js';
import { GhostExchange } from '../halo/GhostExchange.js';
import { Halo } from '../halo/Halo.js';
import { sentRows } from '../halo/sentRows.js';
import { Decomposition } from './Decomposition.js';
import { linksOf } from './links.js';
import { keepOwn, latticeCoordinates, migrate, wrapInto } from './ownParticles.js';
import { imbalanceOf, sampleWork, workOf } from './workOf.js';

/** How far lists must reach. */
export interface Reach {
  readonly rcut: number;
  readonly skin: number;
}

/** Rebuilds of lists from one look at the balance to the next. */
const LOOK = 16;
/** The box is divided anew where a rank has so much more to do than the mean. */
const MOST_IMBALANCE = 1.05;
const NOW = { params: {}, asynchronous: false } as const;

/** The share that a rank has of the particles of a simulation, and what it sees of the others. */
export class Share {
  /** The whole box, and the same without periodic axes that are split: there images are ghosts. */
  readonly domain: Domain;
  local: Domain;
  /** The largest work of a rank over the mean, at the last look. */
  imbalance = Number.NaN;
  readonly halo: Halo;
  readonly #engine: HostEngine;
  readonly #communicator: Communicator;
  readonly #grid: Grid;
  #decomposition: Decomposition;
  #builds = 0;
  readonly #neighborhoods: Halo;
  /** The ghosts of the last build, and whether whole neighborhoods have been built with them. */
  #exchange: GhostExchange | null = null;
  #hasNeighborhoods = false;
  /** What lists reach now. */
  #reach: Reach = { rcut: 0, skin: -1 };
  /** Positions at the last build. */
  #built = new Float64Array(0);

  /** Takes a grid in which every rank has all particles, and keeps its own of them. */
  constructor(engine: HostEngine, communicator: Communicator, grid: Grid) {
    this.#engine = engine;
    this.#communicator = communicator;
    this.#grid = grid;
    this.domain = grid.domain;
    const points = latticeCoordinates(grid, grid.domain);
    wrapInto(grid, grid.domain, [true, true, true], points);
    this.#decomposition = Decomposition.bisect(grid.domain, points, communicator.size);
    keepOwn(grid, this.#decomposition, communicator.rank, points);
    this.local = localDomain(this.domain, this.#decomposition);
    grid.shareDomain(this.local, this.domain);
    this.halo = new Halo(engine, grid, 'border');
    this.#neighborhoods = new Halo(engine, grid, 'all');
    grid.onFree(() => this.free());
  }

  /** The particles of the rank among their ghosts, for functors of whole neighborhoods: made where one is asked for. */
  get neighborhoods(): Halo {
    if (!this.#hasNeighborhoods)
      this.#neighborhoods.build(this.local, this.#exchange!, this.#reach);
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
    return this.#grid.domain === this.local;
  }

  /** Whether lists have been built for this reach. */
  reaches({ rcut, skin }: Reach): boolean {
    return this.#reach.rcut === rcut && this.#reach.skin === skin;
  }

  /** The square of the farthest way of a particle of this rank since the last build; Infinity where one is no number. */
  farthest(): number {
    const positions = this.#grid.block('position').array as Float64Array;
    const built = this.#built;
    let most = 0;
    for (let at = 0; at < 4 * this.#grid.count; at += 4) {
      const x = positions[at]! - built[at]!;
      const y = positions[at + 1]! - built[at + 1]!;
      const z = positions[at + 2]! - built[at + 2]!;
      const square = x * x + y * y + z * z;
      if (square <= most) continue;
      if (!(square < Infinity)) return Infinity;
      most = square;
    }
    return most;
  }

  /** Sends particles where they belong now, and builds the lists of all ranks. From time to time bricks follow the work. */
  build(reach: Reach): void {
    this.#distribute(reach);
    if (this.#builds++ % LOOK !== 0) return;
    const work = this.#look(reach);
    if (this.imbalance <= MOST_IMBALANCE) return;
    this.#divide(work);
    this.#distribute(reach);
    this.#look(reach);
  }

  /** What the particles cost. */
  #look({ rcut }: Reach): Float64Array {
    const work = workOf(this.#engine, this.#grid, this.halo, rcut);
    this.imbalance = imbalanceOf(this.#communicator, work);
    return work;
  }

  /** Divides the box so that all ranks have as much to do. */
  #divide(work: Float64Array): void {
    const [grid, communicator] = [this.#grid, this.#communicator];
    const own = latticeCoordinates(grid, this.domain);
    wrapInto(grid, this.domain, [true, true, true], own);
    const { points, weights } = sampleWork(communicator, own, work, grid.total);
    this.#decomposition = Decomposition.bisect(this.domain, points, communicator.size, weights);
    this.local = localDomain(this.domain, this.#decomposition);
    grid.shareDomain(this.local, this.domain);
  }

  #distribute(reach: Reach): void {
    const grid = this.#grid;
    const points = latticeCoordinates(grid, this.domain);
    wrapInto(grid, this.domain, this.#decomposition.split, points);
    migrate(grid, this.#decomposition, this.#communicator, points);
    const { rcut, skin } = reach;
    const plan = { grid, rcut, skin, tuned: false, force: true, ahead: false };
    this.#engine.prepareLists(plan).run(NOW);
    const { rank } = this.#communicator;
    const links = linksOf(this.#decomposition, this.domain, rank, rcut + skin);
    const positions = grid.block('position').array as Float64Array;
    const sent = sentRows(positions, grid.count, this.local, links);
    this.#exchange = new GhostExchange(this.#communicator, sent);
    this.#hasNeighborhoods = false;
    this.halo.build(this.local, this.#exchange, reach);
    this.#built = positions.slice(0, 4 * grid.count);
    this.#reach = reach;
  }
}

/** The box without periodic axes that are split. */
function localDomain({ matrix, periodic, origin }: Domain, { split }: Decomposition): Domain {
  return Domain.triclinic(matrix, {
    periodic: [periodic[0] && !split[0], periodic[1] && !split[1], periodic[2] && !split[2]],
    origin,
  });
}
