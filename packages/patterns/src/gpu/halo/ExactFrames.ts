import type { HaloFrame, HaloOrigin } from '../../engine/DeviceHalo.js';

/** Most cells along an axis, and as many more for images. */
const MOST = 2048;

/** Numbers in three parts. */
interface Parts {
  readonly high: number[];
  readonly low: number[];
  readonly rest: number[];
}

/**
 * Divides numbers of frames into high parts, whole multiples of one number so large that a cell number times three of them is a sum
 * without rounding in single precision, and low parts, which are small.
 *
 *   12.345678 = 12.34375 + 0.001928     high parts are multiples of 2^−k
 */
export class ExactFrames {
  readonly #unit: number;

  /** @param frames all that are looked at together. @param shifts between them */
  constructor(frames: readonly HaloFrame[], shifts: readonly (readonly number[])[]) {
    let most = 0;
    for (const { edges } of frames)
      for (let k = 0; k < 3; k++) {
        const sum = Math.abs(edges[k]!) + Math.abs(edges[k + 3]!) + Math.abs(edges[k + 6]!);
        most = Math.max(most, MOST * sum);
      }
    const farthest = Math.max(0, ...shifts.flat().map(Math.abs));
    this.#unit = 2 ** (Math.ceil(Math.log2(most + farthest)) - 23);
  }

  /** The parts of some numbers. The rest is what single precision leaves out of the low ones. */
  parts(numbers: readonly number[]): Parts {
    const high = numbers.map((x) => Math.round(x / this.#unit) * this.#unit);
    const low = numbers.map((x, k) => x - high[k]!);
    return { high, low, rest: low.map((x) => x - Math.fround(x)) };
  }
}

/** How far ghosts of an origin lie from the first cell of a frame. */
export const shiftBetween = ({ frame, shift }: HaloOrigin, to: HaloFrame): number[] =>
  shift.map((x, k) => x + frame.center[k]! - to.center[k]!);
