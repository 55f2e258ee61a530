import { type BlockArray, type Domain, Grid, orderOfIds } from '@corpuscle/core';
import type { GatheredRows } from './gatherRows.js';

/** A grid with the fields of another one and gathered rows of them, in the order of ids. */
export function wholeGrid(like: Grid, domain: Domain, { count, rows }: GatheredRows): Grid {
  const whole = new Grid(like.heap, domain);
  whole.resize(count);
  const names = [...like.blocks.keys()];
  const ids = new BigUint64Array(rows[names.indexOf('id')]!);
  const order = orderOfIds(ids, count);
  names.forEach((name, k) => {
    const { spec, array: kind } = like.block(name);
    const from = new (kind.constructor as new (buffer: ArrayBuffer) => BlockArray)(rows[k]!);
    const block = whole.addBlock(spec);
    const { array: to } = block;
    const { width } = spec;
    for (let row = 0; row < count; row++)
      for (let part = 0; part < width; part++)
        to[row * width + part] = from[order[row]! * width + part]!;
    block.hostWritten();
  });
  return whole;
}
