import type { HaloFrame, HaloOrigin } from '../../engine/DeviceHalo.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { ExactFrames, shiftBetween } from './ExactFrames.js';
import { ORIGIN_ROWS } from './haloKernels.js';

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
      const { high, low } = exact.parts(vector);
      words.set(high, 4 * (ORIGIN_ROWS * n + 2 * k));
      words.set(low, 4 * (ORIGIN_ROWS * n + 2 * k + 1));
    });
  });
  return { words, params: paramsOf(to, exact) };
}

const edgesOf = ({ edges }: HaloFrame): number[][] => [0, 3, 6].map((k) => edges.slice(k, k + 3));

function paramsOf(frame: PositionFrame, exact: ExactFrames): PlaceParams {
  const { dims, inverse } = frame;
  const [a, b, c] = edgesOf(frame).map((edge) => exact.parts(edge)) as [Two, Two, Two];
  return {
    dims: [...dims, 0],
    edgeA: [...a.high, 0],
    edgeB: [...b.high, 0],
    edgeC: [...c.high, 0],
    edgeALow: [...a.low, 0],
    edgeBLow: [...b.low, 0],
    edgeCLow: [...c.low, 0],
    inverseX: [inverse[0]!, inverse[3]!, inverse[6]!, 0],
    inverseY: [inverse[1]!, inverse[4]!, inverse[7]!, 0],
    inverseZ: [inverse[2]!, inverse[5]!, inverse[8]!, 0],
  };
}

type Two = ReturnType<ExactFrames['parts']>;
