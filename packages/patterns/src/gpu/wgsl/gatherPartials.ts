import { type DeviceResult, identityOf, packedWgsl } from './reduceWgsl.js';

/** Partial results that a thread loads at a time: what waits for memory waits once for all. */
const TOGETHER = 8;
/** Levels of the tree above those: partial results of any number of particles that fits. */
const LEVELS = 24;

/** Threads that combine partial results. */
export const GATHER_LANES = 256;

/** Partial results of each thread, a power of two. */
export const gatherRun = (groups: number): number =>
  2 ** Math.max(0, Math.ceil(Math.log2(groups / GATHER_LANES)));

/**
 * Statements that leave in `own_<k>` what a thread finds in its run of `partials[k · groups + g]`, combined as a binary tree in which
 * neighbors come first: so `treeWgsl` goes on.
 *
 *   g     0 1 2 3 4 5 6 7 │ 8 … 15 │ 16 … 23 │ …       eight at a time, a tree each
 *               a         │   b    │    c    │         ab as soon as b is there, then cd, then abcd: `kept` holds a, ab, c, …
 */
export function gatherPartials(results: readonly DeviceResult[]): string {
  const each = (statement: (k: number) => string): string =>
    results.map((_, k) => statement(k)).join('\n    ');
  const identity = (k: number) => packedWgsl(results[k]!, identityOf(results[k]!));
  return `
  // Combine a run of partial results, neighbors first.
  ${each((k) => `var own_${k} = ${identity(k)};\n  var kept_${k}: array<vec2u, ${LEVELS}>;`)}
  let blocks = max(1u, P.run / ${TOGETHER}u);
  let leaves = min(P.run, ${TOGETHER}u);
  for (var left = blocks; left > 0u; left--) {
    let block = blocks - left;
    let start = lane * P.run + block * ${TOGETHER}u;
    let rest = select(0u, min(leaves, P.groups - start), start < P.groups);
    var level = 0u;
    ${each((k) => gatherBlock(k, identity(k)))}
    for (var done = countTrailingZeros(~block); done > 0u; done--) {
      ${each((k) => `own_${k} = combine_${k}(kept_${k}[level], own_${k});`)}
      level++;
    }
    ${each((k) => `kept_${k}[level] = own_${k};`)}
  }`;
}

/** Loads some partial results of result k, and combines them. */
function gatherBlock(k: number, identity: string): string {
  const lines: string[] = [];
  let nodes: string[] = [];
  for (let n = 0; n < TOGETHER; n++) {
    const loaded = `partials[${k}u * P.groups + min(start + ${n}u, P.groups - 1u)]`;
    lines.push(`let part_${k}_${n} = select(${identity}, ${loaded}, ${n}u < rest);`);
    nodes.push(`part_${k}_${n}`);
  }
  while (nodes.length > 1)
    nodes = nodes.flatMap((node, n) =>
      n % 2 === 0 ? [`combine_${k}(${node}, ${nodes[n + 1]})`] : [],
    );
  lines.push(`own_${k} = ${nodes[0]};`);
  return lines.join('\n    ');
}
