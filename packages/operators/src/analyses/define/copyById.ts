import { type Grid, idNumbers } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { sumOfAll } from '../../run/sumOfAll.js';

/**
 * Copies a block from one grid to the particles of another one that have the same ids; the other one gets the block if it has none.
 * Where all values are there already, nothing is written: on no process, or on all that share a run.
 */
export async function copyById(
  name: string,
  from: Grid,
  to: Grid,
  ctx: ExecutionContext,
): Promise<void> {
  const source = from.block(name);
  const { width, members } = source.spec;
  const fields = members.filter((member) => member !== null);
  const target = to.addBlock(source.spec);
  await newestOnHost(from, ctx, [...fields, 'id']);
  await newestOnHost(to, ctx, [...fields, 'id']);
  const [read, written] = [source.array as Float64Array, target.array as Float64Array];
  const [idsFrom, idsTo] = [idsOf(from), idsOf(to)];
  const rows = from.rowsById();
  let isChanged = false;
  let k = 0;
  for (const row of to.rowsById()) {
    while (idsFrom[rows[k]!]! < idsTo[row]!) k++;
    for (let part = 0; part < width; part++) {
      const value = read[rows[k]! * width + part]!;
      if (written[row * width + part] === value) continue;
      written[row * width + part] = value;
      isChanged = true;
    }
  }
  if (sumOfAll(ctx, Number(isChanged)) === 0) return;
  target.rewritten();
}

const idsOf = (grid: Grid): Float64Array =>
  idNumbers(grid.block('id').array as BigUint64Array, grid.count);
