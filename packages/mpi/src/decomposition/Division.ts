import { Domain, type Grid } from '@corpuscle/core';
import type { HaloBricks } from '@corpuscle/patterns/engines';
import type { Communicator } from '../communicator/Communicator.js';
import { Decomposition } from './Decomposition.js';
import { type Link, linksOf } from './links.js';
import { keepOwn, latticeCoordinates, migrate, wrapInto } from './ownParticles.js';
import { MOST_SAMPLES, sampleWork } from './workOf.js';

/** Which rank has which particles. The grid is that of the particles of this rank. Rows are those of the host. */
export class Division {
  readonly #communicator: Communicator;
  readonly #grid: Grid;
  readonly #splitAll: boolean;
  #decomposition: Decomposition;

  /**
   * Takes a grid in which every rank has all particles, and keeps its own of them.
   * @param splitAll whether images along all axes are ghosts
   */
  constructor(communicator: Communicator, grid: Grid, splitAll: boolean) {
    this.#communicator = communicator;
    this.#grid = grid;
    this.#splitAll = splitAll;
    const points = latticeCoordinates(grid, grid.domain);
    wrapInto(grid, grid.domain, [true, true, true], points);
    this.#decomposition = this.#bisect(grid.domain, someOf(points));
    keepOwn(grid, this.#decomposition, communicator.rank, points);
    grid.shareDomain(localDomain(grid.domain, this.#decomposition), grid.domain);
  }

  /** Whether the grid is still what this divides: a frame that is put into it brings a box of its own. */
  get isCurrent(): boolean {
    return this.#grid.wholeDomain !== this.#grid.domain;
  }

  /** The bricks of all ranks, and the periodic axes along which images are ghosts. */
  get bricks(): HaloBricks {
    const { bricks, split } = this.#decomposition;
    const { periodic } = this.#grid.wholeDomain;
    const wrapped = (k: 0 | 1 | 2): boolean => split[k] && periodic[k];
    const { rank } = this.#communicator;
    return { bricks, rank, wrapped: [wrapped(0), wrapped(1), wrapped(2)] };
  }

  /** Divides the box so that all ranks have as much to do. @param work of each particle */
  balance(work: Float64Array): void {
    const [grid, communicator] = [this.#grid, this.#communicator];
    const { wholeDomain: whole } = grid;
    const own = latticeCoordinates(grid, whole);
    wrapInto(grid, whole, [true, true, true], own);
    const { points, weights } = sampleWork(communicator, own, work, grid.total);
    this.#decomposition = this.#bisect(whole, points, weights);
    grid.shareDomain(localDomain(whole, this.#decomposition), whole);
  }

  /** Sends particles to the ranks in whose bricks they are. */
  migrate(): void {
    const grid = this.#grid;
    const { wholeDomain: whole } = grid;
    const points = latticeCoordinates(grid, whole);
    wrapInto(grid, whole, this.#decomposition.split, points);
    migrate(grid, this.#decomposition, this.#communicator, points);
  }

  /** Whom this rank sends its particles to, for lists that reach so far. @param stray how far particles are outside of their bricks at most */
  links(reach: number, stray = 0): readonly Link[] {
    const { wholeDomain } = this.#grid;
    return linksOf(this.#decomposition, wholeDomain, this.#communicator.rank, reach, stray);
  }

  #bisect(whole: Domain, points: Float64Array, weights?: Float64Array): Decomposition {
    const { size } = this.#communicator;
    return Decomposition.bisect(whole, points, size, weights, this.#splitAll);
  }
}

/** Points that are looked at to divide the box: of many some. */
function someOf(points: Float64Array): Float64Array {
  const stride = Math.ceil(points.length / 3 / MOST_SAMPLES);
  if (stride === 1) return points;
  const some = new Float64Array(3 * Math.floor(points.length / 3 / stride));
  for (let k = 0; k < some.length; k += 3) some.set(points.subarray(stride * k, stride * k + 3), k);
  return some;
}

/** The box without periodic axes that are split. */
function localDomain({ matrix, periodic, origin }: Domain, { split }: Decomposition): Domain {
  return Domain.triclinic(matrix, {
    periodic: [periodic[0] && !split[0], periodic[1] && !split[1], periodic[2] && !split[2]],
    origin,
  });
}
