import type { FieldBlock, Grid } from '@corpuscle/core';
import type { NeighbourCall } from '../../pattern/PatternEngine.js';
import { isRepeatableUpdate } from './isRepeatable.js';
import { isUnchangeable } from './isUnchangeable.js';

export interface UpdateAsked {
  readonly rcut: number;
  readonly skin?: unknown;
  readonly ahead?: boolean;
}

export class KnownUpdate {
  readonly call: NeighbourCall;
  readonly grid: Grid;
  /** All blocks of the grid. */
  readonly used: readonly FieldBlock[];
  /** What it was asked for with, if nobody can change that. */
  readonly #fixed: object | null;

  constructor(options: UpdateAsked, call: NeighbourCall, used: readonly FieldBlock[]) {
    this.call = call;
    this.grid = call.grid;
    this.used = used;
    this.#fixed = isUnchangeable(options) ? options : null;
  }

  is(grid: Grid, options: UpdateAsked): boolean {
    if (this.grid !== grid || this.used.length !== grid.blocks.size) return false;
    return options === this.#fixed || this.#says(options);
  }

  #says(options: UpdateAsked): boolean {
    const { rcut, skin, ahead } = this.call;
    if (rcut !== options.rcut || skin !== options.skin || ahead !== options.ahead) return false;
    return isRepeatableUpdate(options);
  }
}
