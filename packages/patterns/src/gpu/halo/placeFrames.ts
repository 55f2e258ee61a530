import type { HaloFrame, HaloOrigin } from '../../engine/DeviceHalo.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { ExactFrames, shiftBetween } from './ExactFrames.js';
import { ORIGIN_ROWS } from './placeKernel.js';

/** Parameters of kernels that place positions. */
export type PlaceParams = Readonly<Record<string, number | readonly number[]>>;

/** Exact parts of all frames that positions come in, which kernels read, and of that they go to, which are parameters. */
export function placeFrames(
  all: readonly HaloOrigin[],
  to: PositionFrame,
): { readonly words: Float32Array<ArrayBuffer>; readonly params: PlaceParams } {
  const shifts = all.map((origin) => shiftBetween(origin, to));
  const exact = new ExactFrames([to, ...all.map((origin) => origin.frame)], shifts);
  const words = new Float32Array(4 * ORIGIN_ROWS * all.length);
  all.forEach((origin, n) => {
    const vectors = [...edgesOf(origin.frame), shifts[n]!];
    vectors.forEach((vector, k) => {
      const { high, low, rest } = exact.parts(vector);
      for (const [part, numbers] of [high, low, rest].entries())
        words.set(numbers, 4 * (ORIGIN_ROWS * n + 3 * k + part));
    });
  });
  return { words, params: paramsOf(to, exact) };
}

const edgesOf = ({ edges }: HaloFrame): number[][] => [0, 3, 6].map((k) => edges.slice(k, k + 3));

function paramsOf(frame: PositionFrame, exact: ExactFrames): PlaceParams {
  const { dims, inverse } = frame;
  const edges = edgesOf(frame).flatMap((edge, k) => {
    const { high, low, rest } = exact.parts(edge);
    const name = `edge${'ABC'[k]}`;
    return [
      [name, [...high, 0]],
      [`${name}Low`, [...low, 0]],
      [`${name}Rest`, [...rest, 0]],
    ];
  });
  return {
    ...Object.fromEntries(edges),
    dims: [...dims, 0],
    inverseX: [inverse[0]!, inverse[3]!, inverse[6]!, 0],
    inverseY: [inverse[1]!, inverse[4]!, inverse[7]!, 0],
    inverseZ: [inverse[2]!, inverse[5]!, inverse[8]!, 0],
  };
}
