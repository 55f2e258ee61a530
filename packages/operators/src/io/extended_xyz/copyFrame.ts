import type { WriteColumn, WriteFrame } from './formatExtendedXyz.js';

/** A frame whose columns are copies in the order of the file: it may be given to another thread while particles move on. */
export function copyFrame(frame: WriteFrame): WriteFrame {
  const { order, count } = frame;
  const columns = frame.columns.map((column): WriteColumn => {
    const { values, width, stride = width, from = 0, ...rest } = column;
    const out =
      values instanceof BigUint64Array
        ? new BigUint64Array(count * width)
        : new Float64Array(count * width);
    for (let k = 0; k < count; k++) {
      const at = (order ? order[k]! : k) * stride + from;
      for (let c = 0; c < width; c++) out[k * width + c] = values[at + c]!;
    }
    return { ...rest, width, values: out };
  });
  return { ...frame, columns, order: undefined };
}
