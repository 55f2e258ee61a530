/** A point or a direction, in internal units. */
export type Point = readonly [number, number, number];

/** Coefficients of xx x² + yy y² + zz z² + xy x y + xz x z + yz y z + x x + y y + z z + constant. */
export const quadricTerms = [
  'xx',
  'yy',
  'zz',
  'xy',
  'xz',
  'yz',
  'x',
  'y',
  'z',
  'constant',
] as const;
export type Quadric = Readonly<Partial<Record<(typeof quadricTerms)[number], number>>>;

/** Ids first, first + stride, … up to last. */
export interface IdSpan {
  readonly first: number;
  readonly last: number;
  readonly stride?: number;
}

/**
 * A region as it is written: the name of a region, or a map. Several keys of a map mean that all of them hold.
 *
 *   { sphere: { center: [0, 0, 0], radius: 3 }, types: [A] }
 *   { difference: [bulk, { cylinder: { from: [0, 0, 0], to: [0, 0, 9], radius: 2 } }] }
 */
export type RegionExpression = string | RegionMap;

/** See `regionSpec` for what each key means. Bounds belong to the region. */
export interface RegionMap {
  readonly box?: Readonly<Partial<Record<'x' | 'y' | 'z', readonly number[]>>>;
  readonly sphere?: { readonly center: readonly number[]; readonly radius: number };
  readonly cylinder?: {
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly radius: number;
    readonly infinite?: boolean;
  };
  readonly cone?: {
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly radii: readonly number[];
  };
  readonly plane?: { readonly point: readonly number[]; readonly normal: readonly number[] };
  readonly quadric?: Quadric;
  readonly types?: readonly string[];
  readonly ids?: readonly number[] | IdSpan;
  readonly field?: { readonly name: string; readonly min?: number; readonly max?: number };
  readonly group?: string;
  readonly union?: readonly RegionExpression[];
  readonly intersection?: readonly RegionExpression[];
  readonly difference?: readonly RegionExpression[];
  readonly complement?: RegionExpression;
}

/** A region whose names are resolved: what kernels and the host test. Bounds belong to it. */
export type Region =
  | {
      readonly kind: 'interval';
      readonly field: string;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'sphere'; readonly center: Point; readonly radius: number }
  /** Around a line of unit direction: 0 ≤ t ≤ length along it, and no farther than radius + slope t from it. */
  | {
      readonly kind: 'cone';
      readonly from: Point;
      readonly direction: Point;
      readonly length: number;
      readonly radius: number;
      readonly slope: number;
    }
  | { readonly kind: 'plane'; readonly point: Point; readonly normal: Point }
  | { readonly kind: 'quadric'; readonly terms: Quadric }
  | { readonly kind: 'types'; readonly types: readonly number[] }
  /** Ascending, each once. */
  | { readonly kind: 'ids'; readonly ids: readonly number[] }
  | { readonly kind: 'idSpan'; readonly span: Required<IdSpan> }
  | { readonly kind: 'group'; readonly bits: number }
  | { readonly kind: 'union' | 'intersection'; readonly of: readonly Region[] }
  | { readonly kind: 'complement'; readonly of: Region };
