import type { Grid } from '@corpuscle/core';
import {
  blockParallelFor,
  createArray,
  type ExecutionContext,
  explain,
  newestOnHost,
  type SharedArray,
} from '@corpuscle/patterns';
import { allPairs, allPairsVariant, EACH, SUMS } from './allPairs.js';
import { type Images, imagesOf, wrapInto } from './images.js';
import type { Members, Multiset } from './Members.js';
import { smoothParameters } from './smooth.js';
import type { Switching } from './switching/Switching.js';

/** What a sweep over pairs leaves: value and box derivatives xx yy zz xy xz yz; particles' shares are in the grid. */
export interface CoordinationSums {
  readonly value: number;
  readonly box: readonly number[];
}

/** Particles as the functor reads them. */
interface Side {
  readonly particles: SharedArray;
  readonly index: SharedArray;
  readonly rows: Uint32Array;
  readonly weights: Float64Array;
}

/** Coordination by all pairs of the groups, whatever the box and the range. Keeps its arrays between calls. */
export class AllPairsSolver {
  readonly #ctx: ExecutionContext;
  readonly #arrays = new Map<string, SharedArray>();

  constructor(ctx: ExecutionContext) {
    this.#ctx = ctx;
  }

  /** Host positions must be current; shares are written to the grid's block `coordination` on the host. */
  async evaluate(
    grid: Grid,
    s: Switching,
    members: Members,
    pbc: boolean,
  ): Promise<CoordinationSums> {
    const images = imagesOf(grid.domain, pbc);
    const split =
      explain(allPairs(s, allPairsVariant(images.kind, false)), this.#ctx).backend !== 'cpu';
    const shares = grid.block('coordination').array as Float64Array;
    shares.fill(0);
    const box = [0, 0, 0, 0, 0, 0];
    const { mode } = members;
    const ones = (rows: Uint32Array): Multiset => ({
      rows,
      weights: new Float64Array(rows.length).fill(1),
    });
    const one = mode === 'pair' ? ones(members.slotsA) : members.a;
    const two = mode === 'pair' ? ones(members.slotsB) : members.b;
    const a = this.#side('a', grid, one, images, split);
    const b = mode === 'self' ? a : this.#side('b', grid, two, images, split);
    const once = mode === 'self' ? 0.5 : 1;
    const sums = await this.#run(s, images, split, a, b, mode === 'pair');
    let value = 0;
    for (let k = 0; k < a.rows.length; k++) {
      const w = a.weights[k]!;
      value += once * w * sums[SUMS * k]!;
      for (let q = 0; q < 6; q++) box[q]! += once * w * sums[SUMS * k + 4 + q]!;
    }
    addShares(shares, a, sums, 1);
    if (mode === 'pair') addShares(shares, { ...a, rows: b.rows }, sums, -1);
    if (mode === 'two') addShares(shares, b, await this.#run(s, images, split, b, a, false), 1);
    grid.block('coordination').hostWritten();
    return { value, box };
  }

  close(): void {
    for (const array of this.#arrays.values()) array.free();
    this.#arrays.clear();
  }

  async #run(
    s: Switching,
    images: Images,
    split: boolean,
    outer: Side,
    inner: Side,
    paired: boolean,
  ): Promise<ArrayLike<number>> {
    const count = outer.rows.length;
    const sums = this.#array('sums', 'real', SUMS * count);
    const functor = allPairs(s, allPairsVariant(images.kind, split));
    const each = paired ? 1 : EACH;
    await blockParallelFor(Math.ceil(count / each), functor, this.#ctx, {
      arrays: {
        sums,
        outer: outer.particles,
        inner: inner.particles,
        outerIndex: outer.index,
        innerIndex: inner.index,
      },
      params: {
        ...smoothParameters(s),
        each,
        outerCount: count,
        innerCount: inner.rows.length,
        paired: paired ? 1 : 0,
        basis: images.basis,
        basisLow: images.basis.map((value) => value - Math.fround(value)),
        dual: images.dual,
        shifts: images.shifts,
        shiftCount: images.kind === 'triclinic' ? images.shifts.length / 3 : 0,
        inner2: images.inner2,
      },
      blockSize: paired ? 1 : EACH,
    });
    await newestOnHost(sums, this.#ctx);
    return sums.values.slice();
  }

  #side(
    name: string,
    grid: Grid,
    { rows, weights }: Multiset,
    images: Images,
    split: boolean,
  ): Side {
    const { length } = rows;
    const particles = this.#array(`${name} particles`, 'real', 4 * length * (split ? 2 : 1));
    const index = this.#array(`${name} index`, 'u32', length);
    const from = grid.block('position').array as Float64Array;
    const to = particles.values;
    const r: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < length; k++) {
      const row = rows[k]!;
      for (let axis = 0; axis < 3; axis++) r[axis] = from[4 * row + axis]!;
      if (images.kind !== 'open') wrapInto(images, r);
      for (let axis = 0; axis < 3; axis++) {
        const high = split ? Math.fround(r[axis]!) : r[axis]!;
        to[4 * k + axis] = high;
        if (split) to[4 * (length + k) + axis] = r[axis]! - high;
      }
      to[4 * k + 3] = weights[k]!;
    }
    particles.block.hostWritten();
    index.write(rows);
    return { particles, index, rows, weights };
  }

  #array(name: string, type: 'real' | 'u32', length: number): SharedArray {
    const present = this.#arrays.get(name);
    if (present?.length === length) return present;
    present?.free();
    const made = createArray(this.#ctx, type, length);
    this.#arrays.set(name, made);
    return made;
  }
}

/** Adds what outer particles got to their rows: cnx cny cnz cn. `sign` is that of the derivative. */
function addShares(
  shares: Float64Array,
  { rows, weights }: Pick<Side, 'rows' | 'weights'>,
  sums: ArrayLike<number>,
  sign: 1 | -1,
): void {
  for (let k = 0; k < rows.length; k++) {
    const w = weights[k]!;
    const at = 4 * rows[k]!;
    for (let axis = 0; axis < 3; axis++)
      shares[at + axis]! += sign * w * sums[SUMS * k + 1 + axis]!;
    shares[at + 3]! += w * sums[SUMS * k]!;
  }
}
