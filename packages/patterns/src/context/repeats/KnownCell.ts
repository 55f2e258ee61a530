import type { Grid } from '@corpuscle/core';
import type { CellCall } from '../../pattern/PatternEngine.js';
import { type Asked, KnownCall } from './KnownCall.js';

export class KnownCell extends KnownCall<CellCall> {
  is(grid: Grid, functor: object, options: Asked): boolean {
    return this.isOf(grid, functor) && this.params.areSame(options.params);
  }
}
