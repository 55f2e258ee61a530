import type { Grid } from '@corpuscle/core';
import {
  type ExecutionContext,
  type PairTotals,
  type PreparedCall,
  prepareCellParticlePairs,
  prepareCellParticles,
  updateNeighbors,
} from '@corpuscle/patterns';
import type { CoordinationSums } from './CoordinationSums.js';
import type { Members } from './Members.js';
import {
  derivativesAndNumber,
  neighborPairs,
  type PairWeights,
  sharesAndTotals,
  sumsOf,
  zeroShares,
} from './neighborPairs.js';
import { type PreparedCoordination, prepareNumber } from './PreparedCoordination.js';
import { SHARED_PLACE } from './placeFields.js';
import { smoothParameters } from './smooth.js';
import type { Switching } from './switching/Switching.js';

/** Cutoff that finds every pair of a switching function: one at exactly the range counts. */
export const listRange = (s: Switching): number => s.range * (1 + 1e-12);

/** Lists must reach at least this far, and then last until a particle has moved half the skin. */
export interface ListReach {
  readonly rcut: number;
  readonly skin: number | 'auto';
}

/** Every pair is counted at both of its particles. */
const ONCE = 0.5;

const weightsOf = ({ mode, everything }: Pick<Members, 'mode' | 'everything'>): PairWeights =>
  everything ? 'all' : mode === 'two' ? 'two' : 'self';

/** Calls that are bound to the particles of a grid. */
interface BoundCalls {
  readonly grid: Grid;
  readonly count: number;
  readonly weights: PairWeights;
  readonly zero: PreparedCall;
  readonly pairs: PreparedCall<
    Readonly<Record<string, number>>,
    PairTotals<typeof sharesAndTotals>
  >;
}

/** Coordination over neighbor lists. Calls are prepared once for a grid, and again when it has other particles. */
export class ListSolver {
  readonly #ctx: ExecutionContext;
  readonly #switching: Switching;
  readonly #rcut: number;
  #calls: BoundCalls | null = null;

  constructor(ctx: ExecutionContext, switching: Switching) {
    this.#ctx = ctx;
    this.#switching = switching;
    this.#rcut = listRange(switching);
  }

  /**
   * Shares are left in the grid's block `coordination`, wherever the functors ran. Multiplicities must be in the shared
   * place unless every particle counts once.
   *
   * @param reach 'current' where the lists reach far enough already
   */
  async evaluate(
    grid: Grid,
    { mode, everything }: Pick<Members, 'mode' | 'everything'>,
    reach: ListReach | 'current',
  ): Promise<CoordinationSums & { readonly rebuilt: boolean }> {
    const updated =
      reach === 'current'
        ? { rebuilt: false }
        : updateNeighbors(grid, this.#ctx, {
            rcut: Math.max(this.#rcut, reach.rcut),
            skin: reach.skin,
          });
    const { zero, pairs } = this.#callsFor(grid, weightsOf({ mode, everything }));
    zero.run();
    const totals = await pairs.run();
    const { rebuilt } = await updated;
    return { ...sumsOf(totals, ONCE), rebuilt };
  }

  /** The calls of `evaluate` over lists that others keep; the sums stay in a value of the context. @param place of the number */
  prepare(
    grid: Grid,
    members: Pick<Members, 'mode' | 'everything'>,
    place: number,
  ): PreparedCoordination {
    const functor = (derivatives: number) =>
      neighborPairs(this.#switching, weightsOf(members), place, derivatives);
    const common = { rcut: this.#rcut, params: smoothParameters(this.#switching) };
    return prepareNumber(grid, this.#ctx, { rcut: this.#rcut, once: ONCE, place }, (into) => ({
      whole: [
        prepareCellParticlePairs(grid, functor(SHARED_PLACE), this.#ctx, {
          ...common,
          outputs: sharesAndTotals,
          into,
        }),
      ],
      forForces: [
        prepareCellParticlePairs(grid, functor(place), this.#ctx, {
          ...common,
          outputs: derivativesAndNumber(place),
          into,
        }),
      ],
    }));
  }

  #callsFor(grid: Grid, weights: PairWeights): BoundCalls {
    const known = this.#calls;
    if (known?.grid === grid && known.count === grid.count && known.weights === weights)
      return known;
    this.close();
    const functor = neighborPairs(this.#switching, weights, SHARED_PLACE);
    this.#calls = {
      grid,
      count: grid.count,
      weights,
      zero: prepareCellParticles(grid, zeroShares, this.#ctx),
      pairs: prepareCellParticlePairs(grid, functor, this.#ctx, {
        rcut: this.#rcut,
        params: smoothParameters(this.#switching),
        outputs: sharesAndTotals,
      }),
    };
    return this.#calls;
  }

  /** Gives back what is prepared. */
  close(): void {
    this.#calls?.zero.close();
    this.#calls?.pairs.close();
    this.#calls = null;
  }
}
