import type { RowSource } from '@corpuscle/core';
import type { Bond } from '../../bonds/Bonds.js';

/** A column of a file that no field of the frame takes. */
export interface ExtraColumn {
  readonly type: 'S' | 'R' | 'I' | 'L';
  readonly width: number;
  /** `count × width` values; text for S and L, numbers for R and I. */
  readonly values: Float64Array | readonly string[];
}

/** Particles that are made up: they are functions of their numbers, so that a grid can take them piece by piece. */
export interface MadeParticles {
  /** Writes x, y, z to rows of four. */
  readonly positions: RowSource;
  /** Writes indices into `species`. */
  readonly types: RowSource;
  readonly usedTypes: ReadonlySet<number>;
}

/**
 * The particles of one frame in file order, in plain arrays (vectors interleaved: x0 y0 z0 x1 …).
 * Absent columns are null; numbers are in the units of the file.
 */
export interface ParticleFrame {
  readonly count: number;
  /** Rows a, b, c of the box, nine numbers; null when the frame has none (open boundaries). */
  readonly lattice: readonly number[] | null;
  readonly origin: readonly [number, number, number];
  readonly periodic: readonly [boolean, boolean, boolean];
  /** Type names in order of first appearance, or the list the reader was given. */
  readonly species: readonly string[];
  /** Index into `species` for every particle. */
  readonly type: Uint32Array;
  readonly position: Float64Array;
  readonly velocity: Float64Array | null;
  readonly id: Float64Array | null;
  /** Whether a particle of the run has, or had, id 0, also one that is not in the frame. Absent: where one of the frame has. */
  readonly hasIdZero?: boolean;
  readonly mass: Float64Array | null;
  readonly charge: Float64Array | null;
  readonly force?: Float64Array | null;
  /** Of each particle. */
  readonly energy?: Float64Array | null;
  /** Boxes along a, b and c that a particle has left after: its unwrapped position is `position + image · lattice`. */
  readonly image?: Int32Array | null;
  /** Numbers of molecules, 0 for none. */
  readonly molecule?: Float64Array | null;
  readonly bonds?: readonly Bond[] | null;
  /** Where the file says so. */
  readonly step?: number | undefined;
  readonly time?: number | undefined;
  /** Columns asked for with `keep`, by their name in the file. */
  readonly extra: ReadonlyMap<string, ExtraColumn>;
  /** Every other `key=value` of the comment line. */
  readonly properties: ReadonlyMap<string, string>;
  /** Where particles are made up: arrays of all of them are made when they are first read. */
  readonly made?: MadeParticles;
  /** Where the first particle stands: particle k is on line `firstLine + k`. */
  readonly source?: { readonly file: string; readonly firstLine: number };
}
