import type { BlockSpec, Grid } from '@corpuscle/core';
import {
  cellFunctor,
  computeCellParticles,
  type ExecutionContext,
  type ParticleAdaptations,
  reduceCellParticles,
  reduceFunctor,
} from '@corpuscle/patterns';

/**
 * Fields of a minimizer: where it goes, and the forces at the last point.
 *
 *   search_direction  [ x y z _ ]     search_forces  [ x y z _ ]
 */
const blocks: readonly BlockSpec[] = [
  {
    name: 'search_direction',
    type: 'f64',
    width: 4,
    members: ['search_x', 'search_y', 'search_z', null],
  },
  {
    name: 'search_forces',
    type: 'f64',
    width: 4,
    members: ['search_fx', 'search_fy', 'search_fz', null],
  },
];

const forces = { fx: 'real', fy: 'real', fz: 'real' } as const;
const direction = { search_x: 'real', search_y: 'real', search_z: 'real' } as const;
const earlier = { search_fx: 'real', search_fy: 'real', search_fz: 'real' } as const;

/** What a minimizer looks at: sums over particles, and the squares of the largest vectors. */
export const searchSums = reduceFunctor(
  {
    name: 'search_sums',
    result: {
      ff: 'sum',
      fs: 'sum',
      ss: 'sum',
      fe: 'sum',
      largestForce2: 'max',
      largestStep2: 'max',
    },
    read: { ...forces, ...direction, ...earlier },
  },
  (acc, i) => {
    const f2 = i.fx * i.fx + i.fy * i.fy + i.fz * i.fz;
    const s2 = i.search_x * i.search_x + i.search_y * i.search_y + i.search_z * i.search_z;
    acc.ff += f2;
    acc.ss += s2;
    acc.fs += i.fx * i.search_x + i.fy * i.search_y + i.fz * i.search_z;
    acc.fe += i.fx * i.search_fx + i.fy * i.search_fy + i.fz * i.search_fz;
    acc.largestForce2 = Math.max(acc.largestForce2, f2);
    acc.largestStep2 = Math.max(acc.largestStep2, s2);
  },
);

/** s ← kept · s + force · f; the forces are kept for the next time. */
export const turnSearch = cellFunctor(
  {
    name: 'turn_search',
    fields: { ...direction, ...earlier },
    read: forces,
    params: { kept: 'real', force: 'real' },
  },
  (i, p) => {
    i.search_x = p.kept * i.search_x + p.force * i.fx;
    i.search_y = p.kept * i.search_y + p.force * i.fy;
    i.search_z = p.kept * i.search_z + p.force * i.fz;
    i.search_fx = i.fx;
    i.search_fy = i.fy;
    i.search_fz = i.fz;
  },
);

/** r ← r + by · s */
export const moveAlong = cellFunctor(
  {
    name: 'move_along_search',
    fields: { rx: 'real', ry: 'real', rz: 'real' },
    read: direction,
    params: { by: 'real' },
  },
  (i, p) => {
    i.rx += p.by * i.search_x;
    i.ry += p.by * i.search_y;
    i.rz += p.by * i.search_z;
  },
);

/** What `searchSums` finds: f are forces, s the direction of search, e the forces when it was last turned. */
export interface SearchSums {
  readonly ff: number;
  readonly fs: number;
  readonly ss: number;
  readonly fe: number;
  /** Lengths of the largest force and the largest step. */
  readonly largestForce: number;
  readonly largestStep: number;
}

/** The direction in which a minimizer moves the particles, kept where they are. */
export class SearchVectors {
  readonly #grid: Grid;
  readonly #ctx: ExecutionContext;
  readonly #selection: ParticleAdaptations;

  /** @param selection restricts it to a group: others stay where they are */
  constructor(grid: Grid, ctx: ExecutionContext, selection: ParticleAdaptations = {}) {
    this.#grid = grid;
    this.#ctx = ctx;
    this.#selection = selection;
    for (const spec of blocks) grid.addBlock(spec);
  }

  async sums(): Promise<SearchSums> {
    const found = await reduceCellParticles(
      this.#grid,
      searchSums,
      { largestForce2: 0, largestStep2: 0 },
      this.#ctx,
      this.#selection,
    );
    const { ff, fs, ss, fe, largestForce2, largestStep2 } = found;
    return {
      ff,
      fs,
      ss,
      fe,
      largestForce: Math.sqrt(largestForce2),
      largestStep: Math.sqrt(largestStep2),
    };
  }

  /** Turns the direction: so much of what it was, and so much of the forces. */
  turn(kept: number, force: number): void {
    const options = { params: { kept, force }, ...this.#selection };
    computeCellParticles(this.#grid, turnSearch, this.#ctx, options);
  }

  /** Moves the particles along the direction. */
  move(by: number): void {
    const options = { params: { by }, ...this.#selection };
    computeCellParticles(this.#grid, moveAlong, this.#ctx, options);
  }
}
