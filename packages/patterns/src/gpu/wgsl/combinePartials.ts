import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import { gatherPartials } from './gatherPartials.js';
import { combinerOf, combineWgsl, type DeviceResult, emptyWgsl } from './reduceWgsl.js';
import { partOf, type TreeEnd, treeMemoryWgsl, treeWgsl, wholeTree } from './treeWgsl.js';

/** Threads of a workgroup that combines partial results. */
export const COMBINE_LANES = 256;
const SHAPE = wholeTree(COMBINE_LANES);

/** Partial results that a thread combines where there may be so many for 128 rows. */
const unitOf = (perBlock: number): number => (perBlock > 8 ? 4 : perBlock);

/** Workgroups that combine so many partial results. @param perBlock those for 128 rows */
export const chunksOf = (groups: number, perBlock: number): number =>
  Math.max(1, Math.ceil(groups / (COMBINE_LANES * unitOf(perBlock))));

/** Bytes of what several workgroups leave for the last of them. */
export const chunkBytes = (results: number, chunks: number): number => 4 + 8 * results * chunks;

const PARTIALS: KernelBuffer = { name: 'partials', type: 'array<vec2u>', access: 'read' };
const PARAMS = { groups: 'u32', one: 'f32' } as const;

/** Parts of a kernel of 256 threads that combines partial results of reductions. */
export interface CombineText {
  readonly buffers: readonly KernelBuffer[];
  readonly params: Readonly<Record<string, ParamType>>;
  readonly declarations: string;
  /** Statements that combine them, after which one workgroup goes on. */
  readonly body: string;
  /** One line on it. */
  readonly about: string;
}

/**
 * Partial results `partials[k · groups + g]` of many workgroups become one: in a binary tree over the rows, whatever the size of those
 * workgroups. Where there are many, several workgroups have a part each, and the one that is done last combines what they have left:
 *
 *   partials      ░░░░░░░░ │ ░░░░░░░░ │ ░░░░     256 threads, a few partial results each
 *   chunkSums        ░     │    ░     │  ░       what those threads have found; counted on the way
 *   outcome                     ░                by the workgroup that counts the last of them
 *
 * @param perBlock partial results for 128 rows. @param isSpread whether workgroups may be several. @param end where outcomes go
 */
export function combinePartials(
  results: readonly DeviceResult[],
  perBlock: number,
  isSpread: boolean,
  end: TreeEnd,
): CombineText {
  const memory = treeMemoryWgsl(SHAPE, results.length) + combineWgsl(results);
  const gather = gatherPartials(results, unitOf(perBlock), isSpread ? 'index' : 'lane');
  return {
    buffers: [
      PARTIALS,
      ...(isSpread
        ? [{ name: 'chunkSums', type: 'array<atomic<u32>>', access: 'read_write' } as const]
        : []),
    ],
    params: PARAMS,
    declarations: memory + (isSpread ? spreadDeclarations : ''),
    body: isSpread
      ? spreadBody(results, unitOf(perBlock), gather, end)
      : gather + treeWgsl(results, SHAPE, end),
    about: isSpread
      ? 'Each workgroup combines some of the partial results; the last one done combines the rest, in a fixed order.'
      : 'One workgroup combines the partial results of all others, in a fixed order.',
  };
}

/** The same for any workgroup of a kernel, which has so many of them and so many threads. */
export function combineWithin(
  results: readonly DeviceResult[],
  workgroups: number,
  threads: number,
  end: TreeEnd,
): CombineText {
  const shape = wholeTree(threads);
  const each = 2 ** Math.max(0, Math.ceil(Math.log2(workgroups / threads)));
  return {
    buffers: [PARTIALS],
    params: PARAMS,
    declarations: treeMemoryWgsl(shape, results.length) + combineWgsl(results),
    body: gatherPartials(results, each, 'lane') + treeWgsl(results, shape, end),
    about: 'Each workgroup combines the partial results of all, in a fixed order.',
  };
}

/**
 * Workgroups see what others leave by atomic operations only, and each is certain to be done when its answer is there. So the count
 * waits for the answers: what they say is or-ed to it, masked by a sign that is never set.
 */
const spreadDeclarations = `
var<workgroup> answers: atomic<u32>;
var<workgroup> isLast: u32;
// Leaves a number for the workgroup that is done last.
fn leaveChunk(at: u32, sum: vec2u) {
  let low = atomicExchange(&chunkSums[1u + 2u * at], sum.x);
  let high = atomicExchange(&chunkSums[2u + 2u * at], sum.y);
  atomicOr(&answers, low | high);
}
fn chunkSum(at: u32) -> vec2u {
  return vec2u(atomicLoad(&chunkSums[1u + 2u * at]), atomicLoad(&chunkSums[2u + 2u * at]));
}`;

/**
 * The same statements combine the partial results, and then what workgroups have left. The driver cannot know how often they are made,
 * so that there is one copy of them: a workgroup that runs alone waits for most of its instructions.
 */
function spreadBody(
  results: readonly DeviceResult[],
  unit: number,
  gather: string,
  { store }: TreeEnd,
): string {
  const each = (text: (k: number) => string, gap = '\n      '): string =>
    results.map((_, k) => text(k)).join(gap);
  const end: TreeEnd = {
    when: '(group < chunks || !isFirst)',
    store: (k, sum) =>
      `if (isFirst) { leaveChunk(${partOf(k, 'chunks')}group, ${sum}); } else { ${store(k, sum)} }`,
  };
  return `
  let chunks = (P.groups + ${COMBINE_LANES * unit - 1}u) / ${COMBINE_LANES * unit}u;
  for (var left = 2u + (P.groups >> 31u); left > 0u; left--) {
    let isFirst = left > 1u;
    ${each((k) => `var sum_${k} = ${emptyWgsl(results[k]!)};`, '\n    ')}
    if (isFirst) {${gather}
      ${each((k) => `sum_${k} = own_${k};`)}
    } else {
      for (var few = (chunks + ${COMBINE_LANES - 1}u) / ${COMBINE_LANES}u; few > 0u; few--) {
        let chunk = ((chunks + ${COMBINE_LANES - 1}u) / ${COMBINE_LANES}u - few) * ${COMBINE_LANES}u + lane;
        if (chunk < chunks) {
          ${each((k) => `sum_${k} = ${combinerOf(results[k]!)}(sum_${k}, chunkSum(${partOf(k, 'chunks')}chunk));`, '\n          ')}
        }
      }
    }
    ${each((k) => `let own_${k} = sum_${k};`, '\n    ')}${treeWgsl(results, SHAPE, end)}
    if (isFirst) {
      // The workgroup that counts the last of them goes on.
      workgroupBarrier();
      if (lane == 0u && group < chunks) {
        let counted = 1u + ((atomicLoad(&answers) & bitcast<u32>(P.one)) >> 31u);
        let before = atomicAdd(&chunkSums[0], counted);
        isLast = select(0u, 1u, before + 1u == chunks);
        if (isLast != 0u) { atomicStore(&chunkSums[0], 0u); }
      }
      if (workgroupUniformLoad(&isLast) == 0u) { return; }
    }
  }`;
}
