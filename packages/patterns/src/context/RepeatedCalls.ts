import type { FieldBlock, Grid } from '@corpuscle/core';
import type { CellCall, NeighbourCall, PairCall, ReduceCall } from '../pattern/PatternEngine.js';
import type { Asked, Repeated } from './repeats/KnownCall.js';
import { KnownCell } from './repeats/KnownCell.js';
import { KnownPairs, type PairsAsked } from './repeats/KnownPairs.js';
import { type Initial, KnownReduction } from './repeats/KnownReduction.js';
import { KnownUpdate, type UpdateAsked } from './repeats/KnownUpdate.js';

interface GridCalls {
  readonly cells: Map<object, KnownCell[]>;
  readonly pairs: Map<object, KnownPairs[]>;
  readonly reductions: Map<object, KnownReduction[]>;
  update: KnownUpdate | null;
}

/** Functors remembered for a grid. */
const MOST_KNOWN = 64;
/** Calls of one cell functor that differ in their parameters. */
const MOST_CELLS = 4;
/** Calls of one reduction that differ in their parameters or initial values. */
const MOST_REDUCTIONS = 4;
/** Calls of one functor of pairs that have other cutoffs or outputs: with and without totals, and so on. */
const MOST_PAIRS = 8;

/**
 * The calls that a context has handed to its device. Steps make the same calls again and again: one that says nothing but
 * parameters, and the same ones as before, need not be checked again, and is the very object of before, which engines
 * recognise at a glance. Only calls with `lasting` parameters are kept: copies, which nobody changes.
 *
 *   last ── next ──▶ guess      is it that one? two identities and the parameters tell, and no table is asked
 *              else grid ▶ functor ▶ calls, and what is found is the guess when `last` comes again
 */
export class RepeatedCalls {
  readonly #byGrid = new WeakMap<Grid, GridCalls>();
  #lastCell: KnownCell | null = null;
  #lastPairs: KnownPairs | null = null;
  #lastReduction: KnownReduction | null = null;
  #lastUpdate: KnownUpdate | null = null;

  cell(grid: Grid, functor: object, options: Asked): Repeated<CellCall> | null {
    const last = this.#lastCell;
    const guess = last === null ? null : last.next;
    if (guess === null || !guess.is(grid, functor, options))
      return this.#findCell(grid, functor, options);
    this.#lastCell = guess;
    return guess;
  }

  pairs(grid: Grid, functors: object, options: PairsAsked): Repeated<PairCall> | null {
    const last = this.#lastPairs;
    const guess = last === null ? null : last.next;
    if (guess === null || !guess.is(grid, functors, options))
      return this.#findPairs(grid, functors, options);
    this.#lastPairs = guess;
    return guess;
  }

  /** Few are made in a row: what is looked at first is the last one itself. */
  reduction(
    grid: Grid,
    functor: object,
    options: Asked,
    initial: Initial,
  ): Repeated<ReduceCall> | null {
    const last = this.#lastReduction;
    if (last?.is(grid, functor, options, initial)) return last;
    const calls = this.#byGrid.get(grid)?.reductions.get(functor);
    const known = calls?.find((one) => one.is(grid, functor, options, initial)) ?? null;
    if (known) this.#lastReduction = known;
    return known;
  }

  update(grid: Grid, options: UpdateAsked): KnownUpdate | null {
    const last = this.#lastUpdate;
    return last?.is(grid, options) ? last : this.#findUpdate(grid, options);
  }

  #findCell(grid: Grid, functor: object, options: Asked): KnownCell | null {
    const calls = this.#byGrid.get(grid)?.cells.get(functor);
    const known = calls?.find((one) => one.is(grid, functor, options));
    return known ? this.#cellMade(known) : null;
  }

  #findPairs(grid: Grid, functors: object, options: PairsAsked): KnownPairs | null {
    const calls = this.#byGrid.get(grid)?.pairs.get(functors);
    const known = calls?.find((one) => one.is(grid, functors, options));
    return known ? this.#pairsMade(known) : null;
  }

  #findUpdate(grid: Grid, options: UpdateAsked): KnownUpdate | null {
    const known = this.#byGrid.get(grid)?.update;
    if (!known?.is(grid, options)) return null;
    this.#lastUpdate = known;
    return known;
  }

  #cellMade(known: KnownCell): KnownCell {
    this.#lastCell?.precedes(known);
    this.#lastCell = known;
    return known;
  }

  #pairsMade(known: KnownPairs): KnownPairs {
    this.#lastPairs?.precedes(known);
    this.#lastPairs = known;
    return known;
  }

  keepCell(functor: object, options: Asked, repeated: Repeated<CellCall>): void {
    const { cells } = this.#of(repeated.call.grid);
    const known = this.#cellMade(new KnownCell(functor, options, repeated));
    keep(cells, functor, known, MOST_CELLS, () => false);
  }

  keepPairs(functors: object, options: PairsAsked, repeated: Repeated<PairCall>): void {
    const { pairs } = this.#of(repeated.call.grid);
    const known = this.#pairsMade(new KnownPairs(functors, options, repeated));
    keep(pairs, functors, known, MOST_PAIRS, (other) => other.isLike(options));
  }

  keepReduction(
    functor: object,
    options: Asked,
    initial: Initial,
    repeated: Repeated<ReduceCall>,
  ): void {
    const { reductions } = this.#of(repeated.call.grid);
    const known = new KnownReduction(functor, options, initial, repeated);
    this.#lastReduction = known;
    keep(reductions, functor, known, MOST_REDUCTIONS, () => false);
  }

  keepUpdate(options: UpdateAsked, call: NeighbourCall, used: readonly FieldBlock[]): void {
    const known = new KnownUpdate(options, call, used);
    this.#of(call.grid).update = known;
    this.#lastUpdate = known;
  }

  #of(grid: Grid): GridCalls {
    let calls = this.#byGrid.get(grid);
    if (!calls) {
      calls = { cells: new Map(), pairs: new Map(), reductions: new Map(), update: null };
      this.#byGrid.set(grid, calls);
      grid.onFree(() => this.#forget(grid));
    }
    return calls;
  }

  /** The last calls would keep a grid that nobody uses any more. */
  #forget(grid: Grid): void {
    if (this.#lastCell?.grid === grid) this.#lastCell = null;
    if (this.#lastPairs?.grid === grid) this.#lastPairs = null;
    if (this.#lastReduction?.grid === grid) this.#lastReduction = null;
    if (this.#lastUpdate?.grid === grid) this.#lastUpdate = null;
  }
}

/** Remembers a call in the place of those that it replaces, or of the oldest. */
function keep<K extends KnownCell | KnownPairs | KnownReduction>(
  known: Map<object, K[]>,
  functor: object,
  call: K,
  most: number,
  isReplaced: (other: K) => boolean,
): void {
  if (known.size === MOST_KNOWN && !known.has(functor)) {
    for (const calls of known.values()) for (const one of calls) one.forget();
    known.clear();
  }
  const calls = known.get(functor) ?? [];
  const others = calls.filter((other) => !isReplaced(other));
  const kept = others.slice(1 - most);
  for (const one of calls) if (!kept.includes(one)) one.forget();
  known.set(functor, [...kept, call]);
}
