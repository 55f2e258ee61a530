import {
  CorpuscleError,
  type FieldBlock,
  type Grid,
  type NeighborList,
  type NeighborListKind,
} from '@corpuscle/core';
import {
  AroundHost,
  type BlockCall,
  type CellCall,
  completed,
  type EngineCall,
  type HostEngine,
  type NeighborCall,
  type NeighborUpdate,
  type PairCall,
  type PatternHandle,
  type Plan,
  type Precision,
  type RecordCall,
  type ReduceCall,
  type Totals,
} from '@corpuscle/patterns';
import type { Communicator } from '../communicator/Communicator.js';
import { Share } from '../decomposition/Share.js';
import { computePairs } from './computePairs.js';
import { gatherRows } from './gatherRows.js';
import { reduceOverRanks } from './reduceOverRanks.js';
import { Terms } from './Terms.js';
import { wholeGrid } from './wholeGrid.js';

/** The share that a rank has of a grid. */
export interface RankShare {
  /** The largest work of a rank over the mean, when it was last looked at. */
  readonly imbalance: number;
}

/** An engine that knows which grids are divided. */
export interface DividedGrids {
  /** The share of this rank; undefined where every rank has all of the grid. */
  shareOf(grid: Grid): RankShare | undefined;
}

/** @throws CorpuscleError INVALID_VALUE where there are more ranks than particles. */
export function checkEnough({ count }: Grid, { size }: Communicator): void {
  if (count >= size) return;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `there are ${size} ranks and ${count === 1 ? 'one particle' : `${count} particles`}: start fewer ranks`,
  );
}

/**
 * The engine of a CPU on one of many ranks. Each rank has a share of the particles from the first update of the lists on:
 *
 *   set-up   every rank makes all particles ─▶ first lists: each keeps those of its brick
 *   step     lists   one sum over ranks decides for all whether to rebuild; then particles migrate, and ghosts are found
 *            pairs   the halo travels │ pairs of own particles │ pairs with ghosts
 *            sums    of all ranks, in their order
 *
 * Everything else is done as the engine below does it, on the particles of the rank.
 */
export class RanksEngine extends AroundHost {
  readonly name = 'cpu';
  readonly description: string;
  readonly precisions: readonly Precision[];
  readonly #communicator: Communicator;
  readonly #shares = new WeakMap<Grid, Share>();
  /** Grids that are never divided. */
  readonly #wholes = new WeakSet<Grid>();
  readonly #isStopAsked: () => boolean;
  readonly #deterministic: boolean;
  readonly #terms = new WeakMap<Grid, Terms>();
  /** The engine that divides grids in place of this one. */
  #cards: DividedGrids | null = null;
  /** Whether some rank was asked to stop before the last update: all know it at the same step. */
  mustStop = false;

  /**
   * @param isStopAsked whether this rank was asked to end the run
   * @param deterministic whether bits must not depend on the number of ranks: neighbors are then taken in the order of ids, and sums
   *   are added up without rounding
   */
  constructor(
    engine: HostEngine,
    communicator: Communicator,
    isStopAsked: () => boolean,
    deterministic = false,
  ) {
    super(engine);
    this.#deterministic = deterministic;
    this.precisions = engine.precisions;
    this.#communicator = communicator;
    this.#isStopAsked = isStopAsked;
    this.description = `${communicator.size} ranks, each on ${engine.description}`;
  }

  /** Grids are divided by an engine of cards from now on, and pairs are found there alone. @internal */
  leaveDivisionTo(cards: DividedGrids): void {
    this.#cards = cards;
  }

  /** Whether every rank has all of a grid, and computes with it as one process does. @internal */
  isWhole(grid: Grid): boolean {
    return this.#wholes.has(grid);
  }

  /** The share that this rank has of a grid; undefined where every rank has all of it. */
  shareOf(grid: Grid): RankShare | undefined {
    return this.#cards ? this.#cards.shareOf(grid) : this.#ownShareOf(grid);
  }

  #ownShareOf(grid: Grid): Share | undefined {
    const share = this.#shares.get(grid);
    return share?.isCurrent ? share : undefined;
  }

  /** @throws CorpuscleError BACKEND_UNAVAILABLE where pairs of ranks are found on cards. */
  #refuseOnCards(what: string, grid: Grid): void {
    if (!this.#cards || this.isWhole(grid)) return;
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      `ranks on cards cannot compute ${what} on the CPU: run it with --backend cpu, or on one rank`,
    );
  }

  /** The largest work of a rank over the mean, when the balance was last looked at; NaN where every rank has all. */
  imbalanceOf(grid: Grid): number {
    return this.shareOf(grid)?.imbalance ?? Number.NaN;
  }

  override blockParallelFor(call: BlockCall) {
    return this.below.prepareBlocks(call).run(call);
  }

  override computeCellParticles(call: CellCall): PatternHandle<void> {
    return this.below.prepareCells(call).run(call);
  }

  override reduceCellParticles(call: ReduceCall): PatternHandle<Totals> {
    const whole = { ...call, into: undefined };
    if (!this.shareOf(call.grid)) return this.below.prepareReduction(whole).run(whole);
    const terms = this.#deterministic ? this.#termsOf(call.grid) : null;
    return completed(reduceOverRanks(this.below, this.#communicator, whole, terms));
  }

  /** @throws CorpuscleError BACKEND_UNAVAILABLE where the particles are divided. */
  override reduceRecords(call: RecordCall) {
    if (this.shareOf(call.grid))
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        `ranks cannot add up the records of '${call.functor.name}' yet: run it on one rank`,
      );
    return this.below.prepareRecords(call).run(call);
  }

  override computeCellParticlePairs(call: PairCall): PatternHandle<Totals> {
    this.#refuseOnCards(`'${call.functor.name}'`, call.grid);
    const whole = { ...call, into: undefined };
    const share = this.#ownShareOf(call.grid);
    if (!share) return this.below.preparePairs(whole).run(whole);
    return completed(computePairs(this.below, this.#communicator, share, whole));
  }

  prepareLists(plan: Plan<NeighborCall>): EngineCall<NeighborUpdate> {
    if (this.#wholes.has(plan.grid)) return this.below.prepareLists(plan);
    return {
      run: (args) => {
        this.#refuseOnCards('neighbor lists', plan.grid);
        const call = { ...plan, ...args };
        const update = this.#updateLists(call);
        call.onUpdate?.(update);
        return completed(update);
      },
    };
  }

  /** @throws CorpuscleError BACKEND_UNAVAILABLE where the particles are divided. */
  override neighborList(grid: Grid, kind: NeighborListKind, rcut: number): NeighborList {
    if (this.shareOf(grid))
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        'the list of all pairs is asked for, and ranks have it in parts: run on one rank',
      );
    return this.below.neighborList(grid, kind, rcut);
  }

  /** The rows of all ranks, on the rank that writes files; null where every rank has all particles. */
  copyShared(grid: Grid, blocks: readonly FieldBlock[]) {
    const share = this.shareOf(grid);
    if (!share) return null;
    return {
      domain: grid.wholeDomain,
      ...gatherRows(this.#communicator, blocks, grid.count, 'writer'),
    };
  }

  /** A copy with the particles of all ranks, in the order of ids. Every rank has it, and computes with it as one process does. */
  copyWhole(grid: Grid): Grid {
    this.below.finish();
    const share = this.shareOf(grid);
    const blocks = [...grid.blocks.values()];
    const rows = share
      ? gatherRows(this.#communicator, blocks, grid.count, 'all')
      : { count: grid.count, rows: blocks.map((block) => bytesOf(block, grid.count)) };
    const whole = wholeGrid(grid, grid.wholeDomain, rows);
    this.#wholes.add(whole);
    return whole;
  }

  /** Sums over all ranks. */
  sumShared(numbers: Float64Array): Float64Array {
    return this.#communicator.sum(numbers);
  }

  #updateLists({ grid, rcut, skin, force }: NeighborCall): NeighborUpdate {
    this.below.finish();
    const present = this.#ownShareOf(grid);
    const share = present ?? this.#divide(grid);
    grid.wholeDomain.checkReach(rcut);
    const known = present?.reaches({ rcut, skin }) === true;
    const maxDisplacement = this.agree(known ? share.follow() : 0);
    const hasMoved = maxDisplacement > share.skin / 2;
    if (!(maxDisplacement < Infinity) || (known && !force && !hasMoved))
      return {
        rebuilt: false,
        reason: 'no particle moved more than half the skin',
        maxDisplacement,
      };
    const moved = `a particle moved ${maxDisplacement.toPrecision(3)}, more than half the skin of ${share.skin}`;
    const reason = !known ? 'first build' : hasMoved ? moved : 'asked for';
    share.build({ rcut, skin });
    return { rebuilt: true, reason, maxDisplacement };
  }

  #divide(grid: Grid): Share {
    checkEnough(grid, this.#communicator);
    const before = this.#shares.get(grid);
    if (before) before.free();
    else grid.onFree(() => this.#shares.get(grid)?.free());
    const share = new Share(this.below, this.#communicator, grid, this.#deterministic);
    this.#shares.set(grid, share);
    return share;
  }

  #termsOf(grid: Grid): Terms {
    let terms = this.#terms.get(grid);
    if (!terms) {
      terms = new Terms(grid);
      this.#terms.set(grid, terms);
    }
    return terms;
  }

  /** What all ranks agree on before a step: how far particles have moved, and whether to stop. */
  agree(farthest: number): number {
    const all = this.#communicator.gather(Float64Array.of(farthest, Number(this.#isStopAsked())));
    let most = 0;
    for (let k = 0; k < all.length; k += 2) {
      most = Math.max(most, all[k]!);
      if (all[k + 1] !== 0) this.mustStop = true;
    }
    return most;
  }
}

const bytesOf = ({ array, bytesPerRow }: FieldBlock, count: number): ArrayBuffer =>
  new Uint8Array(array.buffer, array.byteOffset, count * bytesPerRow).slice().buffer;
