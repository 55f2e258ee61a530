import { BitReader } from './BitReader.js';
import {
  bitsOf,
  bitsOfThree,
  firstSmall,
  type Packed,
  smallSizes,
  unpack,
} from './coordinateBits.js';
import { largestPacked } from './encodeCoordinates.js';

/** The head of compressed coordinates. */
export interface CoordinateHead {
  readonly count: number;
  readonly precision: number;
  readonly least: readonly number[];
  readonly sizes: readonly [number, number, number];
  /** Index into `smallSizes`. */
  readonly small: number;
}

/**
 * Coordinates from their bits. A particle is stored by itself; up to eight may follow as small differences, each to the one before.
 * The first of them stands before the particle it is told by, so that oxygen comes first in water:
 *
 *   stored    B  1 run  A−B  C−A  D−C …        gives    A B C D …
 *
 * `run` also says whether differences have one bit in three less or more from the next particle on; a flag 0 keeps both.
 *
 * @param fail called when the bits do not fit
 */
export function decodeCoordinates(
  head: CoordinateHead,
  bytes: Uint8Array,
  fail: (message: string) => never,
): Float64Array {
  const { count, precision, least, sizes } = head;
  const bits = new BitReader(bytes, () => fail('the coordinates end too early'));
  const out = new Float64Array(3 * count);
  const apart = sizes.some((size) => size > largestPacked) ? sizes.map(bitsOf) : null;
  const together = apart ? 0 : bitsOfThree(sizes);
  const packed: Packed = { high: 0, low: 0 };
  const before = [0, 0, 0];
  const here = [0, 0, 0];
  let { small } = head;
  let run = 0;
  let at = 0;
  const put = (values: readonly number[]) => {
    if (at >= out.length) fail('there are more coordinates than particles');
    for (let axis = 0; axis < 3; axis++) out[at++] = values[axis]! / precision;
  };
  while (at < out.length) {
    if (apart) for (let axis = 0; axis < 3; axis++) here[axis] = bits.readLong(apart[axis]!);
    else {
      bits.readPacked(together, packed);
      unpack(packed, sizes[1], sizes[2], here);
    }
    for (let axis = 0; axis < 3; axis++) before[axis] = here[axis]! + least[axis]!;
    let change = 0;
    if (bits.read(1) === 1) {
      const code = bits.read(5);
      run = Math.floor(code / 3);
      change = (code % 3) - 1;
    }
    const size = smallSizes[small]!;
    const half = Math.floor(size / 2);
    if (run === 0) put(before);
    for (let k = 0; k < run; k++) {
      bits.readPacked(small, packed);
      unpack(packed, size, size, here);
      for (let axis = 0; axis < 3; axis++) here[axis]! += before[axis]! - half;
      put(here);
      if (k === 0) put(before);
      for (let axis = 0; axis < 3; axis++) before[axis] = here[axis]!;
    }
    small += change;
    if (small < firstSmall || small >= smallSizes.length) fail('the size of differences is wrong');
  }
  return out;
}
