import type { Grid } from '@corpuscle/core';
import {
  type AllPairsOptions,
  computeCellParticlePairs,
  computeCellParticles,
  createArray,
  type ExecutionContext,
  prepareCellParticlePairs,
  type SharedArray,
} from '@corpuscle/patterns';
import type { CoordinationSums } from './CoordinationSums.js';
import { labelBlock } from './labels.js';
import type { Members } from './Members.js';
import {
  derivativesAndNumber,
  derivativesOnly,
  neighborPairs,
  type PairWeights,
  sharesAndTotals,
  sharesOnly,
  sumsOf,
  zeroShares,
} from './neighborPairs.js';
import { type PreparedCoordination, prepareNumber } from './PreparedCoordination.js';
import { type Partners, partnersOf } from './partnersOf.js';
import { SHARED_PLACE } from './placeFields.js';
import { isEndless, smoothParameters } from './smooth.js';
import type { Switching } from './switching/Switching.js';

/** Particles up to which a device meets all of them sooner than it looks up those of groups. */
const MEET_ALL = 4096;

/**
 * Whether all particles meet, and multiplicities tell whose pairs count: on a device this takes one dispatch, which may be part of
 * that of a pair call.
 */
const mayMeetAll = ({ backend, precision }: ExecutionContext, { count }: Grid): boolean =>
  backend === 'webgpu' && precision === 'f32' && count <= MEET_ALL;

/**
 * Coordination by all pairs of the groups, whatever the box and the range, by the pair pattern's tiles: nothing but
 * totals leaves the device. Keeps the rows of the groups between calls.
 */
export class AllPairsSolver {
  readonly #ctx: ExecutionContext;
  #partners: ({ readonly of: Members } & Partners) | null = null;
  readonly #rows = new Map<string, { readonly array: SharedArray; readonly of: Uint32Array }>();

  constructor(ctx: ExecutionContext) {
    this.#ctx = ctx;
  }

  /** Multiplicities must be in the shared place unless every particle counts once. */
  async evaluate(
    grid: Grid,
    s: Switching,
    members: Members,
    images: boolean,
  ): Promise<CoordinationSums> {
    const ctx = this.#ctx;
    const { mode, everything, a, b } = members;
    computeCellParticles(grid, zeroShares, ctx);
    const common = {
      rcut: isEndless(s) ? Number.POSITIVE_INFINITY : s.range * (1 + 1e-6),
      params: smoothParameters(s),
    };
    if (mode !== 'two') {
      const sets = this.#setsOf(members);
      if (sets === null) return { value: 0, box: [0, 0, 0, 0, 0, 0] };
      const weights = everything || mode === 'pair' ? 'all' : 'self';
      const totals = await computeCellParticlePairs(
        grid,
        neighborPairs(s, weights, SHARED_PLACE),
        ctx,
        {
          ...common,
          outputs: sharesAndTotals,
          allPairs: { images, ...sets },
        },
      );
      return sumsOf(totals, 0.5);
    }
    const [labels] = labelBlock.members;
    const [rowsA, rowsB] = [this.#rowsOf('a', a.rows), this.#rowsOf('b', b.rows)];
    const forward = computeCellParticlePairs(
      grid,
      neighborPairs(s, 'a_with_b', SHARED_PLACE),
      ctx,
      {
        ...common,
        outputs: sharesAndTotals,
        allPairs: { images, central: rowsA, neighbors: rowsB, labels },
      },
    );
    computeCellParticlePairs(grid, neighborPairs(s, 'b_with_a', SHARED_PLACE), ctx, {
      ...common,
      outputs: sharesOnly,
      allPairs: { images, central: rowsB, neighbors: rowsA, labels },
    });
    return sumsOf(await forward, 1);
  }

  /** The calls of `evaluate`, prepared once; the sums stay in a value of the context. Null where no pairs count. @param place of the number */
  prepare(
    grid: Grid,
    s: Switching,
    members: Members,
    images: boolean,
    place: number,
  ): PreparedCoordination | null {
    const ctx = this.#ctx;
    const { mode, everything, a, b } = members;
    const common = {
      rcut: isEndless(s) ? Number.POSITIVE_INFINITY : s.range * (1 + 1e-6),
      params: smoothParameters(s),
    };
    const isSwept = mode !== 'pair' && mayMeetAll(ctx, grid);
    const sets = isSwept || mode === 'two' ? {} : this.#setsOf(members);
    if (sets === null) return null;
    type Who = Omit<AllPairsOptions, 'images'>;
    const shared = (weights: PairWeights) => neighborPairs(s, weights, place);
    const own = (weights: PairWeights) => neighborPairs(s, weights, place, place);
    const withSums = (into: PreparedCoordination['sums'], weights: PairWeights, who: Who) => {
      const some = { ...common, allPairs: { images, ...who }, into };
      return [
        prepareCellParticlePairs(grid, shared(weights), ctx, { ...some, outputs: sharesAndTotals }),
        prepareCellParticlePairs(grid, own(weights), ctx, {
          ...some,
          outputs: derivativesAndNumber(place),
        }),
      ] as const;
    };
    if (isSwept || mode !== 'two')
      return prepareNumber(grid, ctx, { rcut: 0, once: 0.5, place }, (into) => {
        const some = mode === 'pair' ? 'all' : isSwept ? mode : 'self';
        const [whole, forForces] = withSums(into, everything ? 'all' : some, sets);
        return { whole: [whole], forForces: [forForces] };
      });
    const [labels] = labelBlock.members;
    const [rowsA, rowsB] = [this.#rowsOf('a', a.rows), this.#rowsOf('b', b.rows)];
    return prepareNumber(grid, ctx, { rcut: 0, once: 1, place }, (into) => {
      const who = { central: rowsA, neighbors: rowsB, labels };
      const [whole, forForces] = withSums(into, 'a_with_b', who);
      const some = { ...common, allPairs: { images, central: rowsB, neighbors: rowsA, labels } };
      const backward = prepareCellParticlePairs(grid, shared('b_with_a'), ctx, {
        ...some,
        outputs: sharesOnly,
      });
      const backwardOwn = prepareCellParticlePairs(grid, own('b_with_a'), ctx, {
        ...some,
        outputs: derivativesOnly(place),
      });
      return { whole: [whole, backward], forForces: [forForces, backwardOwn] };
    });
  }

  /** Which particles meet within one group, or slot by slot; null where none do. */
  #setsOf(members: Members): Omit<AllPairsOptions, 'images'> | null {
    if (members.everything) return {};
    const [labels] = labelBlock.members;
    if (members.mode === 'self') {
      const rows = this.#rowsOf('a', members.a.rows);
      return { central: rows, neighbors: rows, labels };
    }
    if (this.#partners?.of !== members) this.#partners = { of: members, ...partnersOf(members) };
    const { rows, starts, partners } = this.#partners;
    if (rows.length === 0) return null;
    return {
      central: this.#rowsOf('a', rows),
      neighbors: this.#rowsOf('b', partners),
      starts: this.#rowsOf('starts', starts),
      labels,
    };
  }

  close(): void {
    for (const { array } of this.#rows.values()) array.free();
    this.#rows.clear();
  }

  #rowsOf(name: string, rows: Uint32Array): SharedArray {
    const present = this.#rows.get(name);
    if (present?.of === rows) return present.array;
    const fits = present?.array.length === rows.length;
    if (present && !fits) present.array.free();
    const array = fits ? present!.array : createArray(this.#ctx, 'u32', rows.length);
    array.write(rows);
    this.#rows.set(name, { array, of: rows });
    return array;
  }
}
