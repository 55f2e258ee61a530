import { type DeviceResult, identityOf, packedWgsl } from './reduceWgsl.js';

/** Threads that combine partial results. */
export const GATHER_LANES = 256;
/** Rows whose partial results are combined before those of others. */
export const BLOCK_ROWS = 128;

/** Partial results of one kind that a thread loads at a time: what waits for memory waits once for all. */
const loadsOf = (results: number): number => (results > 2 ? 8 : 16);

/**
 * Statements that leave in `own_<k>` what a thread finds of `partials[k · groups + g]`. Partial results of 128 rows are combined as the
 * tree of a workgroup of 128 threads would, then blocks that are 256 apart, in their order. So the outcome does not depend on how many
 * rows a workgroup had.
 *
 *   g         0 1 │ 2 3 │ 4 5 │ …          2 partial results for 128 rows
 *   block      0  │  1  │  2  │ …          thread 0 has blocks 0, 256, 512, …
 *
 * @param perBlock partial results for 128 rows: 1, 2, 4 or 8.
 * @param lanes threads that do; up to as many blocks the outcome is the same for any number
 */
export function gatherPartials(
  results: readonly DeviceResult[],
  perBlock: number,
  lanes = GATHER_LANES,
): string {
  const together = Math.max(1, loadsOf(results.length) / perBlock);
  const identity = (k: number) => packedWgsl(results[k]!, identityOf(results[k]!));
  const each = (statement: (k: number) => string): string =>
    results.map((_, k) => statement(k)).join('\n    ');
  const numbers = [...Array(together).keys()];
  return `
  // Combine the partial results of some blocks of rows.
  ${each((k) => `var own_${k} = ${identity(k)};`)}
  let blocks = (P.groups + ${perBlock - 1}u) / ${perBlock}u;
  let rounds = (blocks + ${lanes * together - 1}u) / ${lanes * together}u;
  for (var left = select(0u, rounds, lane < blocks); left > 0u; left--) {
    let first = (rounds - left) * ${lanes * together}u + lane;
    ${numbers.map((n) => `let at_${n} = ${perBlock}u * (first + ${lanes * n}u);`).join('\n    ')}
    ${each((k) => numbers.flatMap((n) => loadBlock(k, n, perBlock, identity(k))).join('\n    '))}
    ${each((k) =>
      numbers
        .map((n) => `own_${k} = combine_${k}(own_${k}, ${blockTree(k, n, perBlock)});`)
        .join('\n    '),
    )}
  }`;
}

/** Loads partial results of result k of block n. */
function loadBlock(k: number, n: number, perBlock: number, identity: string): string[] {
  return [...Array(perBlock).keys()].map((m) => {
    const at = `at_${n} + ${m}u`;
    const loaded = `partials[${k}u * P.groups + min(${at}, P.groups - 1u)]`;
    return `let part_${k}_${n}_${m} = select(${identity}, ${loaded}, ${at} < P.groups);`;
  });
}

/** An expression that combines them, neighbors first. */
function blockTree(k: number, n: number, perBlock: number): string {
  let nodes = [...Array(perBlock).keys()].map((m) => `part_${k}_${n}_${m}`);
  while (nodes.length > 1)
    nodes = nodes.flatMap((node, m) =>
      m % 2 === 0 ? [`combine_${k}(${node}, ${nodes[m + 1]})`] : [],
    );
  return nodes[0]!;
}
