import { Grid } from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';

/** All fields in a grid of their own. Host copies must be current. */
export function copyOf(grid: Grid, { engines }: ExecutionContext): Grid {
  const { host } = engines;
  if (host.copyWhole) return host.copyWhole(grid);
  const copy = new Grid(grid.heap, grid.domain);
  copy.resize(grid.count);
  for (const [name, { spec, array }] of grid.blocks) {
    const block = copy.addBlock(spec);
    const values = array.subarray(0, spec.width * grid.count);
    (block.array as Float64Array).set(values as Float64Array);
    copy.block(name).hostWritten();
  }
  return copy;
}
