import type { CellFunctor } from '@corpuscle/patterns';
import type { MapName } from './color/colorMaps.js';
import type { Rgb } from './color/typeColors.js';

/** Colors from a number of each particle. */
export interface Coloring {
  /** A field of the grid; positions are `rx`, `ry` and `rz`. */
  readonly field: string;
  /** Computes the field before each picture; the grid gets the field if it has none. */
  readonly functor?: CellFunctor;
  /** Parameters of the functor. */
  readonly params?: Readonly<Record<string, number>>;
  /** Default 'viridis'. */
  readonly map?: MapName;
  /** Numbers that get the first and the last color. Default: the least and the greatest at the moment. */
  readonly range?: readonly [number, number];
}

/** Particles are drawn whose centers r have normal · r ≥ offset. */
export interface Plane {
  readonly normal: readonly [number, number, number];
  readonly offset: number;
}

/** Two bonded particles by their ids. */
export interface Bonded {
  readonly ids: readonly [number, number];
}

/** How particles look. Everything has a default. Lengths are those of the grid. */
export interface Look {
  /** Default 'type'. */
  readonly color?: 'type' | Coloring;
  /** Colors of the types in turn, 0 to 1. Default `typeColors`. */
  readonly typeColors?: readonly Rgb[];
  /** Of all particles, or of each type in turn; 0 hides a type. Default: half the mean distance in a full box. */
  readonly radius?: number | readonly number[];
  /** Bonds to draw. Default none. */
  readonly bonds?: readonly Bonded[];
  /** Default a third of the radius. */
  readonly bondRadius?: number;
  /** Whether the edges of the box are drawn. Default true. */
  readonly box?: boolean;
  /** At most six; each cuts. Default none. */
  readonly planes?: readonly Plane[];
  /** Boxes along a, b and c. Default [1, 1, 1]. */
  readonly images?: readonly [number, number, number];
  /** Default white. */
  readonly background?: Rgb;
  /** How dark hollows are: ambient occlusion from 0, none, to 1. Default 0.8. */
  readonly occlusion?: number;
}
