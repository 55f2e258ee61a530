/** A workgroup that sorts a tile of cells; see `permuteKernel`. */
export interface TileShape {
  readonly lanes: number;
  /** Cells that each takes. */
  readonly perLane: number;
  /** A tile has 2^bits cells: lanes · perLane. */
  readonly bits: number;
}

/** Few cells are many small tiles, since the work that a thread does one after another takes the time. */
const SMALL: TileShape = { lanes: 128, perLane: 1, bits: 7 };
/** Many cells are larger ones, since each workgroup reads the totals of all tiles before its own. */
const LARGE: TileShape = { lanes: 256, perLane: 2, bits: 9 };
/** Tiles are large from so many cells on: enough of them for the largest devices. */
const MANY = 2 ** 17;

export const shapeFor = (cells: number): TileShape => (cells < MANY ? SMALL : LARGE);

export const tilesOf = (cells: number, shape: TileShape): number =>
  Math.ceil(cells / 2 ** shape.bits);

/** The most tiles that so many cells or fewer are. */
export const mostTiles = (cells: number): number =>
  Math.max(tilesOf(cells, LARGE), tilesOf(Math.min(cells, MANY), SMALL));
