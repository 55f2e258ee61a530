import { CorpuscleError } from '@corpuscle/core';

/**
 * How an entry of a list is divided: the neighbor's row in the low bits, its image in the high ones, 0 for none.
 *
 *   one box away at most       row 26 | kc + 1, kb + 1, ka + 1, two bits each, by exclusive or with 21: 0 for no image
 *   farther                    row 32 − 3 b | kc b | kb b | ka b      whole boxes along each axis, two's complement
 *   many particles             row 32      the image is the one that brings the cells of both near to each other
 */
export interface EntryFormat {
  /** Tells kernels apart. */
  readonly name: string;
  readonly rowBits: number;
  /** b; 0 where images are one box away at most. */
  readonly imageBits: number;
  /** Whether entries have no bits for images: they follow from the cells of both particles. */
  readonly isOfCells: boolean;
  /** Whether few neighbors are images: kernels look first whether one is. */
  readonly isRare: boolean;
}

/** Of images one box away at most. */
export const NEAR: EntryFormat = {
  name: 'near',
  rowBits: 26,
  imageBits: 0,
  isOfCells: false,
  isRare: false,
};
/** The same where there are many particles, of which few are near a border. */
export const RARE: EntryFormat = { ...NEAR, name: 'rare', isRare: true };
/** For more particles, in boxes that are much wider than lists reach. */
export const OF_CELLS: EntryFormat = { ...NEAR, name: 'of cells', rowBits: 32, isOfCells: true };
const formats = new Map<number, EntryFormat>();

/** The format for images so many boxes away. */
export function entryFormat(reach: readonly number[]): EntryFormat {
  const most = Math.max(...reach);
  if (most <= 1) return NEAR;
  const imageBits = Math.ceil(Math.log2(most + 1)) + 1;
  let format = formats.get(imageBits);
  if (!format) {
    format = { ...NEAR, name: `far ${imageBits}`, rowBits: 32 - 3 * imageBits, imageBits };
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

/** Finds the high bits of an entry from boxes along each axis. */
export const imageCodeWgsl = ({ imageBits: b, isOfCells }: EntryFormat): string =>
  isOfCells ? '' : b === 0 ? nearCodeWgsl : farCodeWgsl(b);

/** Finds the image of entry `e` as whole cells in the mantissa, to be added to the cell of the central particle. */
export const imagePartsWgsl = (format: EntryFormat): string => {
  const { imageBits, isOfCells } = format;
  return isOfCells
    ? PARTS_OF_CELLS
    : imageBits === 0
      ? nearPartsWgsl(format)
      : farPartsWgsl(format);
};

/** Whether entry `e` is of an image, so many cells away. */
export const isImageWgsl = ({ rowBits, isOfCells }: EntryFormat, cells: string): string =>
  isOfCells ? `any(${cells} != vec3f(0.0))` : `e >= ${2 ** rowBits}u`;

/** The high bits of entries whose neighbors are so many boxes away, `vec3i`. */
export const imageOfEntries = ({ rowBits, isOfCells }: EntryFormat, boxes: string): string =>
  isOfCells ? '0u' : `imageCode(${boxes}) << ${rowBits}u`;

const nearCodeWgsl = `
// The code of an image from boxes along each axis.
fn imageCode(k: vec3i) -> u32 {
  let biased = vec3u(k + 1);
  return (biased.x | (biased.y << 2u) | (biased.z << 4u)) ^ 21u;
}
`;

const nearPartsWgsl = ({ rowBits, isRare }: EntryFormat): string => `
// Image of a list entry, as cells in the mantissa. No shift and no conversion for an axis: whole numbers, four and sixteen times too large
// along the second and the third.
fn imageParts(e: u32, apart: vec3f) -> vec3f {${
  isRare
    ? `
  if (e < ${2 ** rowBits}u) { return vec3f(0.0); }`
    : ''
}
  let code = (e >> ${rowBits}u) ^ 21u;
  let biased = bitcast<vec3f>((vec3u(code) & vec3u(3u, 12u, 48u)) | vec3u(0x4b000000u));
  return (biased - vec3f(8388609.0, 8388612.0, 8388624.0)) * (vec3f(P.dims.xyz) * vec3f(1.0, 256.0, 0.0625));
}`;

const farCodeWgsl = (b: number): string => `
// The code of an image from boxes along each axis, ${b} bits each.
fn imageCode(k: vec3i) -> u32 {
  let low = bitcast<vec3u>(k) & vec3u(${2 ** b - 1}u);
  return low.x | (low.y << ${b}u) | (low.z << ${2 * b}u);
}
`;

const farPartsWgsl = ({ rowBits, imageBits: b }: EntryFormat): string => `
// Image of a list entry, ${b} bits an axis, as cells in the mantissa.
fn imageParts(e: u32, apart: vec3f) -> vec3f {
  let code = e >> ${rowBits}u;
  let high = vec3u(code << ${32 - b}u, code << ${32 - 2 * b}u, code << ${32 - 3 * b}u);
  return vec3f((bitcast<vec3i>(high) >> vec3u(${32 - b}u)) * P.dims.xyz) * vec3f(1.0, 1024.0, 1.0);
}`;

const PARTS_OF_CELLS = `
// The image that brings cells so far apart near to each other, as cells in the mantissa.
fn imageParts(e: u32, apart: vec3f) -> vec3f {
  let box = vec3f(P.dims.xyz) * vec3f(1.0, 1024.0, 1.0);
  return -round(apart / box) * box;
}`;
