import { type DeviceResult, identityOf, packedWgsl } from './reduceWgsl.js';
import { folded } from './treeWgsl.js';

/** Partial results that a thread combines where there may be so many for 128 rows. */
export const unitOf = (perBlock: number): number => (perBlock > 8 ? 4 : perBlock);

/**
 * Statements that leave in `own_<k>` what a thread finds of `partials[k · groups + g]`: a few in a row, neighbors first, as a workgroup
 * of more rows would have. All loads are under way at the same time.
 *
 *   g         0 1 │ 2 3 │ 4 5 │ …          2 partial results for 128 rows
 *   unit       0  │  1  │  2  │ …          one for each thread
 *
 * @param perBlock partial results for 128 rows: a power of two. @param unit which of them a thread has, as text
 */
export function gatherPartials(
  results: readonly DeviceResult[],
  perBlock: number,
  unit: string,
): string {
  const count = unitOf(perBlock);
  const loads = results.flatMap((result, k) =>
    Array.from({ length: count }, (_, m) => {
      const at = `first + ${m}u`;
      const loaded = `partials[${k}u * P.groups + min(${at}, P.groups - 1u)]`;
      return `let part_${k}_${m} = select(${packedWgsl(result, identityOf(result))}, ${loaded}, ${at} < P.groups);`;
    }),
  );
  const own = results.map((_, k) => `let own_${k} = ${folded(k, count, (m) => `part_${k}_${m}`)};`);
  return `
  // Combine a few partial results.
  let first = ${count}u * ${unit};
  ${loads.join('\n  ')}
  ${own.join('\n  ')}`;
}
