import { memory } from './opcodes.js';
import type { WasmNode } from './WasmNode.js';

type NameOf = (local: number) => string;

/** Longest line that an instruction is put on together with its operands. */
const WIDTH = 100;

/** Statements in the folded text form, one or more lines each. */
export function printBody(nodes: readonly WasmNode[], nameOf: NameOf, indent: string): string[] {
  return nodes.flatMap((node) => statement(node, nameOf, indent));
}

function statement(node: WasmNode, nameOf: NameOf, indent: string): string[] {
  const [op, first] = node;
  const inside = (list: unknown) => printBody(list as readonly WasmNode[], nameOf, `${indent}  `);
  switch (op) {
    case 'comment':
      return String(first)
        .split('\n')
        .map((line) => `${indent};; ${line}`.trimEnd());
    case 'block':
    case 'loop':
      return closed([`${indent}(${op} $b${first}`, ...inside(node[2])]);
    case 'if': {
      const otherwise = node[3] as readonly WasmNode[];
      const parts = [
        `${indent}(if`,
        ...folded(first as WasmNode, nameOf, `${indent}  `),
        ...closed([`${indent}  (then`, ...deeper(inside(node[2]))]),
      ];
      if (otherwise.some(([kind]) => kind !== 'comment'))
        parts.push(...closed([`${indent}  (else`, ...deeper(inside(otherwise))]));
      return closed(parts);
    }
    default:
      return folded(node, nameOf, indent);
  }
}

const deeper = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/** Closes what the first line has opened; a comment at the end keeps its line. */
function closed(lines: readonly string[]): string[] {
  const last = lines.at(-1)!;
  if (!last.trimStart().startsWith(';;')) return [...lines.slice(0, -1), `${last})`];
  return [...lines, `${/^ */.exec(lines[0]!)![0]})`];
}

/** An instruction and its operands on one line, or below each other. */
function folded(node: WasmNode, nameOf: NameOf, indent: string): string[] {
  const { head, operands } = partsOf(node, nameOf);
  const line = oneLine(node, nameOf);
  if (indent.length + line.length <= WIDTH || operands.length === 0) return [`${indent}${line}`];
  const lines = operands.flatMap((operand) => folded(operand, nameOf, `${indent}  `));
  return closed([`${indent}(${head}`, ...lines]);
}

function oneLine(node: WasmNode, nameOf: NameOf): string {
  const { head, operands } = partsOf(node, nameOf);
  return `(${[head, ...operands.map((operand) => oneLine(operand, nameOf))].join(' ')})`;
}

/** An instruction with its immediates, and its operands. */
function partsOf(
  node: WasmNode,
  nameOf: NameOf,
): { readonly head: string; readonly operands: readonly WasmNode[] } {
  const [op, first, second] = node;
  if (op === 'address') return partsOf(first as WasmNode, nameOf);
  const from = (count: number) => node.slice(count) as unknown as readonly WasmNode[];
  if (op.startsWith('local.'))
    return { head: `${op} ${nameOf(first as number)}`, operands: from(2) };
  if (op === 'br' || op === 'br_if') return { head: `${op} $b${first}`, operands: from(2) };
  if (op === 'call') return { head: `call $${first}`, operands: from(2) };
  if (op === 'v128.const')
    return { head: `v128.const ${words(first as Uint8Array)}`, operands: [] };
  if (op === 'i8x16.shuffle')
    return { head: `${op} ${Array.from(first as Uint8Array).join(' ')}`, operands: from(2) };
  if (op.endsWith('.const')) return { head: `${op} ${number(op, first)}`, operands: [] };
  if (/^v128\.(load|store)\d+_lane$/.test(op))
    return { head: `${op}${offset(first)} ${second}`, operands: from(3) };
  if (/\.(extract|replace)_lane/.test(op)) return { head: `${op} ${first}`, operands: from(2) };
  if (memory.has(op)) {
    // Whole vectors are promised to lie at multiples of 4 only.
    const align = op === 'v128.load' || op === 'v128.store' ? ' align=4' : '';
    return { head: `${op}${offset(first)}${align}`, operands: from(2) };
  }
  return { head: op, operands: from(1) };
}

const offset = (bytes: unknown): string => (bytes ? ` offset=${bytes}` : '');

function number(op: string, value: unknown): string {
  if (op === 'i32.const') return String((value as number) | 0);
  if (op === 'i64.const') return String(BigInt.asIntN(64, BigInt(value as bigint | number)));
  const real = op === 'f32.const' ? Math.fround(value as number) : (value as number);
  if (Number.isNaN(real)) return 'nan';
  if (!Number.isFinite(real)) return real > 0 ? 'inf' : '-inf';
  return Object.is(real, -0) ? '-0' : String(real);
}

/** Sixteen bytes as four words. */
function words(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  const hex = [0, 4, 8, 12].map(
    (at) => `0x${view.getUint32(at, true).toString(16).padStart(8, '0')}`,
  );
  return `i32x4 ${hex.join(' ')}`;
}
