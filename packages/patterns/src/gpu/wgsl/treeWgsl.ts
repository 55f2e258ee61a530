import { plus } from './numberText.js';
import { combinerOf, type DeviceResult } from './reduceWgsl.js';

/** Threads of a workgroup that combine what the first of them hold. */
export interface TreeShape {
  /** Threads that hold something, the first ones: a power of two. */
  readonly leaves: number;
  readonly threads: number;
}

/** Of a workgroup whose threads all hold something. */
export const wholeTree = (lanes: number): TreeShape => ({ leaves: lanes, threads: lanes });

/** Where the outcome of a tree goes. */
export interface TreeEnd {
  /** The condition under which it is stored; empty for none. */
  readonly when: string;
  /** A statement that stores result k. */
  store(k: number, outcome: string): string;
}

/** Stores outcomes in `to[k · stride + at]`: workgroups spread over two dimensions may be more than were asked for. */
export const partialsEnd = (to: string, stride: string, at: string): TreeEnd => ({
  when: `${at} < ${stride}`,
  store: (k, outcome) => `${to}[${partOf(k, stride)}${at}] = ${outcome};`,
});

/** Before the place of a number among those of result k. */
export const partOf = (k: number, stride: string): string =>
  k === 0 ? '' : `${k === 1 ? '' : `${k}u * `}${stride} + `;

/** Numbers of two words that workgroup memory has room for: 8 KiB. */
const ROOM = 1024;
/** Leaves that one thread combines by itself. */
const FEW = 8;

/** Leaves that a thread combines at first, and threads that do so for one result. */
function levelsOf({ leaves }: TreeShape): { readonly first: number; readonly nodes: number } {
  const first = leaves <= FEW ? leaves : 2 ** Math.ceil(Math.log2(leaves) / 2);
  return { first, nodes: leaves / first };
}

/** Results that share barriers. */
const togetherOf = (shape: TreeShape): number =>
  Math.max(1, Math.min(shape.threads / levelsOf(shape).nodes, ROOM / shape.leaves));

/** Workgroup memory for `treeWgsl`. */
export const treeMemoryWgsl = (shape: TreeShape, results: number): string =>
  `var<workgroup> tree: array<array<vec2u, ${shape.leaves}>, ${Math.min(togetherOf(shape), results)}>;\n`;

/** Results of the same kind in a row, from slot `at` of the memory. */
interface Alike {
  readonly at: number;
  readonly count: number;
  /** The first of them. */
  readonly k: number;
  /** The function that combines two. */
  readonly combine: string;
}

function alikeOf(results: readonly DeviceResult[], first: number, end: number): Alike[] {
  const runs: Alike[] = [];
  for (let k = first; k < end; k++) {
    const last = runs.at(-1);
    const combine = combinerOf(results[k]!);
    if (last?.combine === combine) runs[runs.length - 1] = { ...last, count: last.count + 1 };
    else runs.push({ at: k - first, count: 1, k, combine });
  }
  return runs;
}

/**
 * Statements that combine `own_<k>` of the first threads and store the outcomes. Neighbors are combined first, always in the same
 * order: so halves of a tree are trees of fewer threads. Control flow must be uniform. Results are stored by threads of their own.
 *
 *   threads   0 1 2 3  4 5 6 7  8 9 …        each leaves what it holds in workgroup memory
 *             └──┬──┘  └──┬──┘  └──…         a thread combines some of them, for every result at once
 *                └───┬────┘                  one thread combines what those have found, and stores it
 */
export function treeWgsl(results: readonly DeviceResult[], shape: TreeShape, end: TreeEnd): string {
  const { leaves, threads } = shape;
  const { first: each, nodes } = levelsOf(shape);
  const together = togetherOf(shape);
  // Threads at work next to each other find their numbers next to each other.
  const leaf =
    nodes === 1 ? 'lane' : `(lane & ${each - 1}u) * ${nodes}u + (lane >> ${Math.log2(each)}u)`;
  const text: string[] = [];
  for (let first = 0; first < results.length; first += together) {
    const slots = [...results.keys()].slice(first, first + together);
    const runs = alikeOf(results, first, first + slots.length);
    const leave = slots.map((k) => `tree[${k - first}][leaf] = own_${k};`);
    text.push(`
  // Combine the threads of the workgroup in a tree, and store one result.
  ${first > 0 ? 'workgroupBarrier();' : ''}
  ${leaves < threads ? `if (lane < ${leaves}u)` : ''} {
    let leaf = ${leaf};
    ${leave.join('\n    ')}
  }
  workgroupBarrier();
  ${nodes > 1 ? `${runs.map((run) => firstLevel(run, each, nodes)).join('\n  ')}\n  workgroupBarrier();` : ''}
  ${runs.map((run) => lastLevel(run, nodes > 1 ? nodes : each, end)).join('\n  ')}`);
  }
  return text.join('\n');
}

/** Many threads combine some leaves each. */
function firstLevel({ at, count, combine }: Alike, each: number, nodes: number): string {
  const node = count > 1 ? `lane & ${nodes - 1}u` : 'lane';
  return `if (lane < ${count * nodes}u) {
    let slot = ${slotOf(at, count, `(lane >> ${Math.log2(nodes)}u)`)};
    let node = ${node};
    tree[slot][node] = ${folded(combine, each, (m) => `tree[slot][node${plus(nodes * m)}]`)};
  }`;
}

/** One thread a result combines what is left. */
function lastLevel(
  { at, count, k, combine }: Alike,
  left: number,
  { when, store }: TreeEnd,
): string {
  const slot = slotOf(at, count, 'lane');
  const stores = Array.from({ length: count }, (_, n) => {
    const text = store(k + n, 'outcome');
    return count > 1 ? `if (lane == ${n}u) { ${text} }` : text;
  });
  return `if (lane < ${count}u${when && ` && ${when}`}) {
    let slot = ${slot};
    let outcome = ${folded(combine, left, (m) => `tree[slot][${m}u]`)};
    ${stores.join('\n    ')}
  }`;
}

const slotOf = (at: number, count: number, n: string): string => {
  if (count === 1) return `${at}u`;
  return at === 0 ? n : `${at}u + ${n}`;
};

/**
 * An expression that combines so many numbers, neighbors first; by four a line where they are many.
 * @param combine the function of two, see `combinerOf`. @param count a power of two
 */
export function folded(
  combine: string,
  count: number,
  number: (m: number) => string,
  from = 0,
): string {
  if (count === 1) return number(from);
  const parts = Math.log2(count) % 2 === 0 ? 4 : 2;
  const each = count / parts;
  const texts = Array.from({ length: parts }, (_, k) =>
    folded(combine, each, number, from + k * each),
  );
  const name = parts === 4 ? `${combine}4` : combine;
  return each > 1 ? `${name}(\n${texts.join(',\n')}\n)` : `${name}(${texts.join(', ')})`;
}
