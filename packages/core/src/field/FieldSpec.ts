import type { Dimension } from '../units/Dimension.js';

/** How one number of a field is stored. `u64` is for ids. */
export type StorageType = 'f64' | 'f32' | 'u32' | 'i32' | 'u64';

/**
 * A block is one contiguous array of `width` numbers per particle; its members are the fields.
 *
 *   block `position`, width 4:   [rx0 ry0 rz0 _0 | rx1 ry1 rz1 _1 | …]     one 16- or 32-byte row a particle
 *   block `type`,     width 1:   [t0 | t1 | …]
 */
export interface BlockSpec {
  readonly name: string;
  readonly type: StorageType;
  readonly width: 1 | 4;
  /** Field names by component; `null` is padding, always zero. */
  readonly members: readonly (string | null)[];
  readonly dimension?: Dimension;
}

/** Where a field lives: component `component` of block `block`. */
export interface FieldRef {
  readonly name: string;
  readonly block: string;
  readonly component: number;
}
