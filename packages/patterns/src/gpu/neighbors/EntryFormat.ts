import { CorpuscleError } from '@corpuscle/core';

/**
 * How an entry of a list is divided: the neighbor's row in the low bits, its image in the high ones, 0 for none.
 *
 *   one box away at most       row 27 | index 0 … 26, with 13, no image, exchanged for 0
 *   farther                    row 32 − 3 b | kc b | kb b | ka b      whole boxes along each axis, two's complement
 *   many particles             row 32      the image is the one that brings the cells of both near to each other
 */
export interface EntryFormat {
  readonly rowBits: number;
  /** b; 0 where images are one box away at most. */
  readonly imageBits: number;
  /** Whether entries have no bits for images: they follow from the cells of both particles. */
  readonly isOfCells: boolean;
}

/** Of images one box away at most. */
export const NEAR: EntryFormat = { rowBits: 27, imageBits: 0, isOfCells: false };
/** For more particles, in boxes that are much wider than lists reach. */
export const OF_CELLS: EntryFormat = { rowBits: 32, imageBits: 0, isOfCells: true };
const formats = new Map<number, EntryFormat>();

/** The format for images so many boxes away. */
export function entryFormat(reach: readonly number[]): EntryFormat {
  const most = Math.max(...reach);
  if (most <= 1) return NEAR;
  const imageBits = Math.ceil(Math.log2(most + 1)) + 1;
  let format = formats.get(imageBits);
  if (!format) {
    format = { rowBits: 32 - 3 * imageBits, imageBits, isOfCells: false };
    formats.set(imageBits, format);
  }
  return format;
}

/** Rows that entries can name; some numbers are kept for dummies. */
export const mostRows = ({ rowBits }: EntryFormat): number => 2 ** rowBits - 32;

/** @throws CorpuscleError OUT_OF_MEMORY where there are more particles than entries can name. */
export function checkRows(count: number, format: EntryFormat): void {
  const most = mostRows(format);
  if (count <= most) return;
  const why = format.imageBits > 0 ? ' where the cutoff reaches over several boxes' : '';
  throw new CorpuscleError(
    'OUT_OF_MEMORY',
    `${count} particles exceed the ${most} that neighbor lists on the GPU can number${why}: use backend cpu`,
  );
}

/** The image of a list entry as whole cells, to be added to the cell of the central particle; and its code from boxes. */
export const imageWgsl = ({ imageBits: b, isOfCells }: EntryFormat): string =>
  isOfCells ? '' : b === 0 ? nearWgsl : farWgsl(b);

/** Whether entry `e` is of an image, so many cells away. */
export const isImageWgsl = ({ rowBits, isOfCells }: EntryFormat, cells: string): string =>
  isOfCells ? `any(${cells} != vec3f(0.0))` : `e >= ${2 ** rowBits}u`;

/** The high bits of entries whose neighbors are so many boxes away, `vec3i`. */
export const imageOfEntries = ({ rowBits, isOfCells }: EntryFormat, boxes: string): string =>
  isOfCells ? '0u' : `imageCode(${boxes}) << ${rowBits}u`;

/** Products and shifts stand for divisions by nine and three; they are exact for 0 … 26. */
const nearWgsl = `
// The periodic image of a list entry, as whole cells.
fn imageCells(code: u32) -> vec3i {
  let image = code ^ 13u;
  let c = (image * 57u) >> 9u;
  let rest = image - 9u * c;
  let b = (rest * 11u) >> 5u;
  return (vec3i(i32(rest - 3u * b), i32(b), i32(c)) - 1) * P.dims.xyz;
}
// The code of an image from boxes along each axis.
fn imageCode(k: vec3i) -> u32 {
  return u32((k.x + 1) + 3 * (k.y + 1) + 9 * (k.z + 1)) ^ 13u;
}
`;

const farWgsl = (b: number): string => `
// The periodic image of a list entry, ${b} bits an axis, as whole cells.
fn imageCells(code: u32) -> vec3i {
  let high = vec3u(code << ${32 - b}u, code << ${32 - 2 * b}u, code << ${32 - 3 * b}u);
  return (bitcast<vec3i>(high) >> vec3u(${32 - b}u)) * P.dims.xyz;
}
// The code of an image from boxes along each axis.
fn imageCode(k: vec3i) -> u32 {
  let low = bitcast<vec3u>(k) & vec3u(${2 ** b - 1}u);
  return low.x | (low.y << ${b}u) | (low.z << ${2 * b}u);
}
`;
