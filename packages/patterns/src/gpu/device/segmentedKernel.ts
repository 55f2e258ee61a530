import type { KernelBuffer, KernelSource } from './GpuKernel.js';
import { bufferMeaning } from './kernelGlossary.js';

/** How many bindings each buffer of a kernel takes, in their order. */
export type Segments = readonly number[];

/**
 * A kernel whose large buffers are bound in segments, because one binding can hold only so much of them:
 *
 *   position[row]             position_0[row] or position_1[row − rows of a segment]
 *   position[row] = …         the same by a function; and so atomics
 *
 * All segments but the last have `segmentBytes`.
 */
export function segmentedKernel(
  source: KernelSource,
  segments: Segments,
  segmentBytes: number,
): KernelSource {
  const split = new Map<string, Split>();
  const buffers = source.buffers.flatMap((buffer, k): KernelBuffer[] => {
    const count = segments[k] ?? 1;
    if (count === 1) return [buffer];
    const { name, type } = buffer;
    const element = /^array<(.*)>$/.exec(type)![1]!;
    const rows = segmentBytes / bytesOfRow(type);
    split.set(name, { name, element, count, rows, helpers: new Map() });
    const holds = buffer.holds ?? bufferMeaning(name);
    return Array.from({ length: count }, (_, part) => ({
      ...buffer,
      name: `${name}_${part}`,
      holds: `${holds}${holds ? '; ' : ''}rows from ${part * rows} on`,
    }));
  });
  const body = rewritten(source.body, split);
  const declarations = rewritten(source.declarations ?? '', split);
  const helpers = [...split.values()].flatMap((one) => [...one.helpers.values()]);
  return { ...source, buffers, body, declarations: `${declarations}\n${helpers.join('\n')}` };
}

/** Bindings that a kernel takes beyond one a buffer, where a grid has so many particles. */
export function moreBindings(
  buffers: readonly KernelBuffer[],
  count: number,
  segmentBytes: number,
): number {
  let more = 0;
  for (const { name, type } of buffers) {
    const bytes = bytesOfParticle(name, type) * count;
    more += Math.max(0, Math.ceil(bytes / segmentBytes) - 1);
  }
  return more;
}

/** Words of a sort for each particle at most: chains, and cells. */
const SORT_WORDS = 5;

/** 0 for buffers that have no rows of particles; lists are in several buffers. */
function bytesOfParticle(name: string, type: string): number {
  if (name === 'scratch') return 4 * SORT_WORDS;
  return name.startsWith('b_') || name === 'reference' ? bytesOfRow(type) : 0;
}

/** Bytes of an element of `array<…>`, by its WGSL type. */
export function bytesOfRow(type: string): number {
  if (type.includes('mat2x4')) return 32;
  if (type.includes('vec4')) return 16;
  return type.includes('vec2') ? 8 : 4;
}

/** A buffer in segments, and the functions that reach into it. */
interface Split {
  readonly name: string;
  readonly element: string;
  readonly count: number;
  /** Of a segment. */
  readonly rows: number;
  readonly helpers: Map<string, string>;
}

/** A text with other words for what reaches into these buffers. */
function rewritten(text: string, split: ReadonlyMap<string, Split>): string {
  const names = [...split.keys()].join('|');
  const reach = new RegExp(`(?<![\\w.])(${names})\\[`, 'g');
  let out = '';
  let at = 0;
  for (let found = reach.exec(text); found; found = reach.exec(text)) {
    const one = split.get(found[1]!)!;
    const close = closingBracket(text, reach.lastIndex - 1);
    const index = `u32(${rewritten(text.slice(reach.lastIndex, close), split)})`;
    const before = text.slice(at, found.index);
    const atomic = /(atomic\w+)\(&$/.exec(before)?.[1];
    const stored = STORE.exec(text.slice(close + 1));
    at = close + 1;
    if (atomic) {
      out += `${before.slice(0, -`${atomic}(&`.length)}${helper(one, atomic)}(${index}`;
    } else if (stored) {
      const [head, member, operator] = stored;
      const end = text.indexOf(';', at);
      const value = rewritten(text.slice(at + head.length, end), split);
      out += `${before}${storeText(one, index, member!, operator!, value)}`;
      at = end + 1;
    } else out += `${before}${helper(one, 'at')}(${index})`;
    reach.lastIndex = at;
  }
  return out + text.slice(at);
}

/** What makes an element the left side of an assignment: members of it, and the operator. */
const STORE = /^((?:\.\w+|\[\w+\])*)\s*([-+*/|&^]?=)(?!=)/;

function storeText(one: Split, index: string, member: string, operator: string, value: string) {
  if (member === '' && operator === '=') return `${helper(one, 'set')}(${index}, ${value.trim()});`;
  return inSegments(one, index, (part, row) => `${part}[${row}]${member} ${operator}${value};`);
}

/** A statement for the segment that an index lies in. */
function inSegments(
  { name, count, rows }: Split,
  index: string,
  statement: (part: string, row: string) => string,
): string {
  const parts = Array.from({ length: count }, (_, k) => {
    const row = k === 0 ? index : `${index} - ${k * rows}u`;
    const text = `{ ${statement(`${name}_${k}`, row)} }`;
    return k < count - 1 ? `if (${index} < ${(k + 1) * rows}u) ${text}` : text;
  });
  return parts.join(' else ');
}

/** The name of the function that does so with an element: `at`, `set`, or an atomic function. */
function helper(one: Split, what: string): string {
  const name = `${one.name}_${what}`;
  if (!one.helpers.has(what)) one.helpers.set(what, helperText(one, name, what));
  return name;
}

function helperText(one: Split, name: string, what: string): string {
  const { element } = one;
  const text = (parameters: string, result: string, statement: (place: string) => string) =>
    `fn ${name}(${['i: u32', parameters].filter(Boolean).join(', ')})${result} {\n  ${inSegments(one, 'i', (part, row) => statement(`${part}[${row}]`))}\n}`;
  if (what === 'at') return text('', ` -> ${element}`, (place) => `return ${place};`);
  if (what === 'set') return text(`value: ${element}`, '', (place) => `${place} = value;`);
  const held = element.replace(/^atomic<(.*)>$/, '$1');
  if (what === 'atomicLoad')
    return text('', ` -> ${held}`, (place) => `return atomicLoad(&${place});`);
  const isStore = what === 'atomicStore';
  const call = (place: string) => `${isStore ? '' : 'return '}${what}(&${place}, value);`;
  return text(`value: ${held}`, isStore ? '' : ` -> ${held}`, call);
}

/** Where the bracket that opens at `open` is closed. */
export function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '[') depth++;
    else if (text[at] === ']' && --depth === 0) return at;
  }
  throw new Error(`no ] in '${text.slice(open, open + 40)}'`);
}
