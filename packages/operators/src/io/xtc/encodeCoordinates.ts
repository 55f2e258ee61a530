import { CorpuscleError } from '@corpuscle/core';
import { BitWriter } from './BitWriter.js';
import { bitsOf, bitsOfThree, firstSmall, type Packed, pack } from './coordinateBits.js';

/** Up to so many particles, coordinates are plain f32. */
export const fewest = 9;
/** Above this size, the three numbers of a particle are stored one by one. */
export const largestPacked = 0xffffff;

/**
 * The compressed coordinates of a frame: multiples of 1/precision, counted from the least along each axis. Each particle is stored
 * by itself, and a bit 0 says that no differences to it follow: every reader takes that.
 *
 *   [ N | precision | least ×3 | most ×3 | index of small sizes | bytes | bits … 0-padded to 4 ]
 *
 * @throws CorpuscleError INVALID_VALUE for coordinates of more than 31 bits.
 */
export function encodeCoordinates(position: Float64Array, precision: number): Uint8Array {
  const count = position.length / 3;
  if (count <= fewest) return plain(position);
  const whole = new Int32Array(position.length);
  const least = [2 ** 31, 2 ** 31, 2 ** 31];
  const most = [-(2 ** 31), -(2 ** 31), -(2 ** 31)];
  for (let k = 0; k < whole.length; k++) {
    const scaled = Math.fround(position[k]!) * precision;
    const value = Math.sign(scaled) * Math.floor(Math.abs(scaled) + 0.5);
    if (!(Math.abs(value) < 2 ** 31 - 2))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `a position of ${position[k]} nm has no place in an XTC file of precision ${precision}: lower the precision`,
      );
    whole[k] = value;
    const axis = k % 3;
    if (value < least[axis]!) least[axis] = value;
    if (value > most[axis]!) most[axis] = value;
  }
  const sizes = least.map((low, axis) => most[axis]! - low + 1) as [number, number, number];
  const bits = pieces(whole, least, sizes);
  const out = new Uint8Array(40 + Math.ceil(bits.length / 4) * 4);
  const view = new DataView(out.buffer);
  view.setInt32(0, count);
  view.setFloat32(4, precision);
  for (let axis = 0; axis < 3; axis++) {
    view.setInt32(8 + 4 * axis, least[axis]!);
    view.setInt32(20 + 4 * axis, most[axis]!);
  }
  view.setInt32(32, firstSmall);
  view.setInt32(36, bits.length);
  out.set(bits, 40);
  return out;
}

function pieces(
  whole: Int32Array,
  least: readonly number[],
  sizes: readonly [number, number, number],
): Uint8Array {
  const count = whole.length / 3;
  const apart = sizes.some((size) => size > largestPacked) ? sizes.map(bitsOf) : null;
  const together = apart ? 0 : bitsOfThree(sizes);
  const each = apart ? apart.reduce((sum, bits) => sum + bits, 0) : together;
  const out = new BitWriter(count * (each + 1));
  const packed: Packed = { high: 0, low: 0 };
  for (let k = 0; k < whole.length; k += 3) {
    const [x, y, z] = [whole[k]! - least[0]!, whole[k + 1]! - least[1]!, whole[k + 2]! - least[2]!];
    if (apart) {
      out.writeLong(x, apart[0]!);
      out.writeLong(y, apart[1]!);
      out.writeLong(z, apart[2]!);
    } else {
      pack(x, y, z, sizes[1], sizes[2], packed);
      out.writePacked(packed, together);
    }
    out.write(0, 1);
  }
  return out.finish();
}

function plain(position: Float64Array): Uint8Array {
  const out = new Uint8Array(4 + 4 * position.length);
  const view = new DataView(out.buffer);
  view.setInt32(0, position.length / 3);
  position.forEach((value, k) => {
    view.setFloat32(4 + 4 * k, value);
  });
  return out;
}
