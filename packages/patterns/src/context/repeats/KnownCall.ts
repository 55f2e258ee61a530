import type { FieldBlock, Grid } from '@corpuscle/core';
import type { CellCall, PairCall, ReduceCall } from '../../pattern/PatternEngine.js';
import { isUnchangeable } from './isUnchangeable.js';
import { KeptParameters } from './KeptParameters.js';

/** A call as it was made before, checked and complete. */
export interface Repeated<C> {
  readonly call: C;
  /** Blocks of the grid that it uses. */
  readonly used: readonly FieldBlock[];
  /** Blocks that it writes. */
  readonly written: readonly FieldBlock[];
}

/** What a call asks for that may be made again. */
export interface Asked {
  readonly params?: object | undefined;
}

/** A remembered call, and the one that came after it last time on the same grid: steps make theirs in the same order. */
export abstract class KnownCall<C extends CellCall | PairCall | ReduceCall> implements Repeated<C> {
  readonly call: C;
  readonly used: readonly FieldBlock[];
  readonly written: readonly FieldBlock[];
  readonly grid: Grid;
  next: this | null = null;
  /** The functor, or forms of one, that it was made with; null when the call is forgotten: so it is never found again. */
  functor: object | null;
  /** What the call was asked for with, if nobody can change that: then it says the same for ever. */
  protected readonly fixed: object | null;
  protected readonly params: KeptParameters;
  /** Blocks that the grid had: fields are only ever added. */
  readonly #blocks: number;

  constructor(functor: object, options: Asked, { call, used, written }: Repeated<C>) {
    this.call = call;
    this.used = used;
    this.written = written;
    this.grid = call.grid;
    this.functor = functor;
    this.fixed = isUnchangeable(options) ? options : null;
    this.params = new KeptParameters(call.params);
    this.#blocks = call.grid.blocks.size;
  }

  /** Whether a call is made with this, and the grid has no blocks that the call does not know. */
  protected isOf(grid: Grid, functor: object): boolean {
    return this.functor === functor && this.grid === grid && this.#blocks === grid.blocks.size;
  }

  /** Notes what came after it. Only on one grid: or those that nobody else knows any more would stay. */
  precedes(next: this): void {
    if (this.functor !== null && this.grid === next.grid) this.next = next;
  }

  forget(): void {
    this.functor = null;
    this.next = null;
  }
}
