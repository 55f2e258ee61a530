import type { LoweredWgsl, WgslField } from '@corpuscle/functor/wgsl';
import type { ParamType } from '../device/GpuKernel.js';

/** Central particles of a workgroup, one a thread, and neighbors of a tile. */
export const TILE = 128;

/**
 * How a thread meets the particles of a tile, as text. In scope are `own`, the central particle {u0, u1, u2, row}, its
 * index `k` and whether it is one (`live`); and a function `call(i: ptr, d, row)` that calls the functor.
 */
export interface TileWalk {
  /** Workgroup memory and functions. */
  readonly declarations: string;
  readonly params: Readonly<Record<string, ParamType>>;
  /** Statements before the first tile. */
  readonly before: string;
  /** Statements by which a thread loads its particle of tile t. */
  readonly load: string;
  /** Statements for a tile that is loaded. */
  readonly tile: string;
  /** Where pairs are listed, statements for entry n of `others` instead, and after the last. */
  readonly entry: string;
  readonly afterEntries: string;
  /** The sum of an output so far. */
  sum(field: WgslField): string;
}

/** What a walk calls. */
export interface WalkRequest {
  readonly lowered: LoweredWgsl;
  /** Outputs that are asked for. */
  readonly written: readonly WgslField[];
  /** See `lightFunctor`; it is called by `call_light`. */
  readonly light: LoweredWgsl | null;
}
