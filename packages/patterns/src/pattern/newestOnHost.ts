import { CorpuscleError, type FieldBlock, Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { completed } from '../handles/handles.js';
import { atCaller } from '../plan/atCaller.js';
import { checkCall } from '../plan/checkCall.js';
import { SharedArray } from '../plan/createArray.js';
import { fetchNewest } from './dispatch.js';

/**
 * Makes host copies current: after it, `grid.values('vx')` or `array.values` show what the last pattern call has written,
 * wherever it ran. Nothing is transferred that the host already has.
 * @param fieldNames fields of a grid; default all.
 * @throws CorpuscleError UNKNOWN_FIELD.
 * @example
 * await newestOnHost(grid, ctx, ['fx', 'fy', 'fz']);
 */
export async function newestOnHost(
  what: Grid | SharedArray,
  ctx: ExecutionContext,
  fieldNames?: readonly string[],
): Promise<void> {
  if (!(what instanceof SharedArray)) atCaller(newestOnHost, () => checkCall({ grid: what, ctx }));
  if (ctx.closed)
    throw new CorpuscleError('CLOSED', 'the execution context is closed: make a new one');
  const grid = what instanceof Grid ? what : undefined;
  const blocks = what instanceof SharedArray ? [what.block] : blocksOf(what, fieldNames);
  const { host, accelerator } = ctx.engines;
  await ctx.lanes.others();
  ctx.enter();
  await ctx.order.run(
    () => {
      host.finish();
      return accelerator?.device ? fetchNewest(accelerator.device, blocks, grid) : null;
    },
    () => completed(),
  );
}

function blocksOf(grid: Grid, fieldNames: readonly string[] | undefined): FieldBlock[] {
  if (!fieldNames) return [...grid.blocks.values()];
  return [...new Set(fieldNames.map((name) => grid.block(grid.field(name).block)))];
}
