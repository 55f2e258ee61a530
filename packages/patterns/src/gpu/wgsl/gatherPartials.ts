import { plus, times } from './numberText.js';
import { combinerOf, type DeviceResult, emptyWgsl } from './reduceWgsl.js';
import { folded, partOf } from './treeWgsl.js';

/**
 * Statements that leave in `own_<k>` what a thread finds of `partials[k · groups + g]`: a few in a row, neighbors first, as a workgroup
 * of more rows would have. All loads are under way at the same time.
 *
 *   g         0 1 │ 2 3 │ 4 5 │ …          2 partial results for a thread
 *   unit       0  │  1  │  2  │ …          one for each thread
 *
 * @param count partial results of a thread: a power of two. @param unit which of them a thread has, as text
 */
export function gatherPartials(
  results: readonly DeviceResult[],
  count: number,
  unit: string,
): string {
  const partial = (k: number, m: number): string => {
    const at = `first${plus(m)}`;
    const loaded = `partials[${partOf(k, 'P.groups')}min(${at}, last)]`;
    return `select(${emptyWgsl(results[k]!)}, ${loaded}, ${at} <= last)`;
  };
  const loads = results.flatMap((_, k) =>
    Array.from({ length: count }, (_, m) => `let part_${k}_${m} = ${partial(k, m)};`),
  );
  const own = results.map((result, k) => {
    const parts = folded(combinerOf(result), count, (m) => `part_${k}_${m}`);
    return `let own_${k} = ${count === 1 ? partial(k, 0) : parts};`;
  });
  return `
  // Combine a few partial results.
  let last = P.groups - 1u;
  let first = ${unit}${times(count)};
  ${(count === 1 ? [] : loads).join('\n  ')}
  ${own.join('\n  ')}`;
}
