import type { FieldBlock } from '@corpuscle/core';

/** The cells that positions on a device are told from: edges by rows, nine numbers, and the center of the first. */
export interface HaloFrame {
  readonly edges: readonly number[];
  readonly center: readonly number[];
}

/** Which rows of one grid are which rows of another. */
export interface RowPairs {
  readonly from: Uint32Array<ArrayBuffer>;
  readonly to: Uint32Array<ArrayBuffer>;
}

/** Where ghosts come from: the frame of the rank that sends them, and how far away the image is that is seen. */
export interface HaloOrigin {
  readonly frame: HaloFrame;
  readonly shift: readonly number[];
}

/** Which rows are which, from one build of the lists to the next. */
export interface HaloRows {
  /** Rows of the own grid that other ranks see, in the order in which they are sent. */
  readonly sent: Uint32Array<ArrayBuffer>;
  /** Particles at the border: their rows in the own grid, and here. */
  readonly border: RowPairs;
  /** Ghosts in the order in which they arrive: `from` names their origins, `to` their rows here. */
  readonly ghosts: RowPairs;
  readonly origins: readonly HaloOrigin[];
}

/** Rows on their way from a device to other ranks. */
export interface SentRows {
  /** The bytes, in memory that can be read until `release`. */
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
  release(): void;
}

/** Memory that bytes from other ranks are written to, and which a device then takes. */
export interface ArrivingRows {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Puts them in their rows of a block, and those of the border beside them. */
  take(): void;
}

/**
 * The particles at the border of a rank and its ghosts, in a grid on the device beside that of the particles of the rank. Rows travel
 * between devices and not through the fields of the host:
 *
 *   own grid ── gather ──▶ buffer ──▶ other ranks        other ranks ──▶ buffer ── scatter ──▶ ghosts
 *            └─ copy ────▶ border rows ◀── add ── what they receive
 */
export interface DeviceHalo {
  /** The frame of the own grid. */
  readonly frame: HaloFrame;
  /** Bytes that a row of a block has on the device. */
  bytesPerRow(block: FieldBlock): number;
  /** Which rows are which from now on, after the lists of both grids have been built. Pairs of two border particles leave the lists. */
  place(rows: HaloRows): void;
  /** Starts to send the rows of a block of the own grid that others see. */
  send(block: FieldBlock): SentRows;
  /** Memory for the ghosts of a block of the own grid. */
  arriving(block: FieldBlock): ArrivingRows;
  /** The farthest way of a particle of the own grid since its lists were built. @throws CorpuscleError NOT_FINITE */
  moved(): Promise<number>;
  /** Makes blocks of this grid zero. */
  clear(names: readonly string[]): void;
  /** Adds what border particles have received here to what they have. */
  collect(names: readonly string[]): void;
  /** Gives its memory back. */
  free(): void;
}
