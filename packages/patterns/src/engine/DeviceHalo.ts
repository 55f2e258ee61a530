import type { BlockSpec, FieldBlock, Grid } from '@corpuscle/core';

/** The cells that positions on a device are told from: edges by rows, nine numbers, and the center of the first. */
export interface HaloFrame {
  readonly edges: readonly number[];
  readonly center: readonly number[];
}

/** Where particles of ghosts come from: the frame of the rank that sends them, and how far away the image is that is seen. */
export interface HaloOrigin {
  readonly frame: HaloFrame;
  readonly shift: readonly number[];
}

/** A part of the box, in lattice coordinates. */
export interface HaloRegion {
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

/** How far lists reach. */
export interface HaloReach {
  readonly rcut: number;
  readonly skin: number;
}

/** How the box is divided between ranks. */
export interface HaloBricks {
  /** By rank. */
  readonly bricks: readonly HaloRegion[];
  readonly rank: number;
  /** Periodic axes along which images are ghosts. */
  readonly wrapped: readonly [boolean, boolean, boolean];
}

/** Particles on their way from one rank to another: all that a device has of them, block after block. */
export interface MovingRows {
  readonly count: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Rows on their way from a device to other ranks. */
export interface SentRows {
  /** The bytes, in memory that can be read until `release`. */
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
  /** Gives the memory back. */
  release(): void;
}

/** Memory that bytes from other ranks are written to, and which a device then takes. */
export interface ArrivingRows {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Puts them in their rows of a block, and those of the border beside them. */
  take(): void;
}

/** A `StepCall` of the device. */
export interface HaloCall {
  readonly call: object;
  readonly args: object;
}

/**
 * Pairs of own particles and the cell calls after them. Forces of border particles are complete when their pairs with ghosts have been added:
 *
 *   meet      pairs of own particles; cell calls for all that no other rank sees, into second buffers
 *   goOn      cell calls for border particles; second buffers take over
 *
 * Until then nothing is lost: where lists turn out not to serve, the pairs are met again.
 */
export interface HaloMove {
  /** Meets pairs of own particles, and moves those that no other rank sees. It may be made again. */
  meet(): void;
  /** Moves border particles, whose forces are complete now. */
  goOn(): void;
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
  /** Bytes that a row of a block has on its way now. */
  bytesPerRow(block: FieldBlock): number;
  /**
   * Finds the particles of the own grid that are in the bricks of others now, or outside of the box. They stay until `arrive`.
   * @returns what goes to each rank
   */
  leave(division: HaloBricks): Promise<readonly MovingRows[]>;
  /**
   * Takes particles, by the rank that sends them, in place of those that have left.
   * @param frames of these ranks. @returns how many particles there are now; the caller resizes the grid
   */
  arrive(arriving: readonly MovingRows[], frames: readonly HaloFrame[]): number;
  /** All own particles are in this region until the lists of the own grid are next built. */
  setRegion(region: HaloRegion): void;
  /**
   * Sorts the own grid within its region, or the halo, for lists that reach so far.
   * @returns builds the lists, before the other grid is sorted, and does not wait: they can be used at once. It tells later whether they
   *   had room. If not, they have it now, and must be built again, as must be made what has used them
   */
  sort(which: 'own' | 'halo', reach: HaloReach): Promise<() => Promise<boolean>>;
  /** Another halo of the own grid has sorted it, for lists that reach so far. */
  restart(reach: HaloReach): void;
  /** Finds the rows of the own grid that others see, after its sort. @returns how many are in each region, and in all, each once */
  select(
    regions: readonly HaloRegion[],
  ): Promise<{ readonly counts: readonly number[]; readonly border: number }>;
  /**
   * Begins a halo with these ghosts after those border particles; the grid has been resized. Then come an exchange of positions, the
   * lists of the grid, and `sorted`.
   * @param origins with the ghosts of each, in the order of their arrival. @param region where all are
   */
  begin(origins: readonly (HaloOrigin & { readonly ghosts: number })[], region: HaloRegion): void;
  /**
   * Finds the rows that border particles and ghosts have after the sort. Pairs of two of the same kind leave the lists, which have been built;
   * where all own particles are here, the neighbors of ghosts do.
   * From now on positions travel as ways since then. All ranks call it, those without ghosts too.
   */
  sorted(): void;
  /**
   * Particles follow a strain of the box in their cells; lists stay, and ways are those beside it. The grids have the box after it.
   * @param numbers see `strainNames`. @param which the halo alone where another has done so with the own grid
   */
  strain(numbers: readonly number[], which: 'all' | 'halo'): void;
  /** Starts to send the rows of a block of the own grid that others see. */
  send(block: FieldBlock): SentRows;
  /** Memory for the ghosts of a block of the own grid. */
  arriving(block: FieldBlock): ArrivingRows;
  /** The farthest way of a particle of the own grid since its lists were built. @throws CorpuscleError NOT_FINITE */
  moved(): Promise<number>;
  /**
   * Calls of a step on the own grid: what clears forces, pairs of own particles, and cell calls that move them. Their lists have been built.
   * @returns null where they cannot be one kernel
   */
  prepareMove(calls: readonly HaloCall[]): HaloMove | null;
  /** Submits what has been recorded. */
  submit(): void;
  /** Makes blocks of this grid zero. */
  clear(names: readonly string[]): void;
  /** Adds what border particles have received here to what they have. */
  collect(names: readonly string[]): void;
  /** Starts to send what ghosts have received of a block back to those who own them. */
  sendBack(block: FieldBlock): SentRows;
  /** Memory for what own particles have received of a block elsewhere: it is added to what they have. */
  arrivingBack(block: FieldBlock): ArrivingRows;
  /** Gives its memory back. */
  free(): void;
}

/** A device that can exchange ghosts with others. */
export interface HaloDevice {
  /**
   * The border of a rank and its ghosts on the device.
   * @param seen a grid for them
   * @param whole a block of that grid which shall tell the particles of the rank, 1, from ghosts, 0: all of them are in it then, not those of
   *   the border alone
   */
  openHalo(own: Grid, seen: Grid, whole?: BlockSpec): DeviceHalo;
}
