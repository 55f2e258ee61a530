import type { Grid } from '@corpuscle/core';
import type { CellCall } from '../../pattern/PatternEngine.js';
import { isRepeatableCell } from './isRepeatable.js';
import { type Asked, KnownCall } from './KnownCall.js';

export class KnownCell extends KnownCall<CellCall> {
  is(grid: Grid, functor: object, options: Asked): boolean {
    return this.isOf(grid, functor) && (options === this.fixed || this.#says(options));
  }

  #says(options: Asked): boolean {
    return isRepeatableCell(options) && this.params.areSame(options.params);
  }
}
