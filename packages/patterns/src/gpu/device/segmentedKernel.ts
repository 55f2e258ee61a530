import { type ElementAccess, withElements } from '../wgsl/elements.js';
import { type KernelBuffer, type KernelSource, withTexts } from './GpuKernel.js';
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
  const access = new Map([...split].map(([name, one]) => [name, accessOf(one)]));
  const kernel = withTexts(source, (text) => withElements(text, access));
  const helpers = [...split.values()].flatMap((one) => [...one.helpers.values()]);
  return { ...kernel, buffers, declarations: `${kernel.declarations}\n${helpers.join('\n')}` };
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

/** How a text reaches into a buffer in segments. */
const accessOf = (one: Split): ElementAccess => ({
  at: (index) => `${helper(one, 'at')}(u32(${index}))`,
  atomic: (call, index) => `${helper(one, call)}(u32(${index})`,
  store: (index, value, member, operator) =>
    storeText(one, `u32(${index})`, member, operator, value),
});

function storeText(one: Split, index: string, member: string, operator: string, value: string) {
  if (member === '' && operator === '=') return `${helper(one, 'set')}(${index}, ${value});`;
  return inSegments(one, index, (part, row) => `${part}[${row}]${member} ${operator} ${value};`);
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
