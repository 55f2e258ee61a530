import type { Dimension } from './Dimension.js';
export interface UnitSystem {
  readonly name: string;
  readonly isReduced: boolean;
  readonly boltzmann: number;
  readonly coulomb: number;
  toInternal(value: number, dimension: Dimension): number;
  fromInternal(value: number, dimension: Dimension): number;
  unitName(dimension: Dimension): string;
}
