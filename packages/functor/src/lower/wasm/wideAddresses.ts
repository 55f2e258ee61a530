import { FunctionBuilder } from './FunctionBuilder.js';
import { laneMemory, memory } from './opcodes.js';
import { i32, i64 } from './ops.js';
import type { WasmList, WasmNode, WasmOperand } from './WasmNode.js';

/** What a wide word counts: four bytes, so that 32 bits name 16 GiB, which is all that a memory may have. */
export const WIDE_WORD_SHIFT = 2;

const arithmetic = /^i32\.(add|sub|mul|and|or|xor|shl|shr_[su]|div_[su]|rem_[su])$/;
const comparison = /^i32\.(eqz|eq|ne|[lg][te]_[su])$/;
/** Numbers that are scaled on the way to an address: what they become need not fit 32 bits. */
const scaling = /^i32\.(shl|mul)$/;

/**
 * The same function for a memory whose addresses have 64 bits. Words of addresses, which `address` marks, and all that is
 * computed from them become i64; numbers that meet them are extended, as signed ones, but as unsigned ones (which costs nothing)
 * where they come from memory as they are: those are row numbers and counts. Everything else stays as it is:
 *
 *   (i32.add (address w) (i32.shl k 5))   ──►   (i64.add (i64.shl (i64.extend_i32_u w) 2) (i64.shl (i64.extend_i32_s k) 5))
 */
export function wideAddresses(f: FunctionBuilder): FunctionBuilder {
  const wide = wideLocals(f);
  const to = new FunctionBuilder(f.name, f.params, f.results);
  to.locals.push(
    ...f.locals.map((type, k) => (wide.has(f.params.length + k) ? ('i64' as const) : type)),
  );
  for (const [local, name] of f.names) to.names.set(local, name);
  for (const [place, bytes] of f.data) to.data.set(place, bytes);
  to.body = new Widening(wide, loadedLocals(f.code)).list(f.code);
  return to;
}

/** The locals that hold addresses, or what is computed from them. @throws Error for an argument among them: it is a word. */
function wideLocals(f: FunctionBuilder): ReadonlySet<number> {
  const wide = new Set<number>();
  const { code } = f;
  for (let size = -1; size !== wide.size; ) {
    size = wide.size;
    noteWide(code, wide);
  }
  for (const local of wide)
    if (local < f.params.length)
      throw new Error(`argument ${local} of ${f.name} is set to an address`);
  return wide;
}

function noteWide(nodes: WasmList, wide: Set<number>): void {
  eachSet(nodes, (local, value) => {
    if (isWide(value, wide)) wide.add(local);
  });
}

/** Locals that are only ever set to what has been loaded. */
function loadedLocals(code: WasmList): ReadonlySet<number> {
  const loaded = new Set<number>();
  const others = new Set<number>();
  eachSet(code, (local, [op]) => (op === 'i32.load' ? loaded : others).add(local));
  return new Set([...loaded].filter((local) => !others.has(local)));
}

/** Calls back for what locals are set to, at any depth. */
function eachSet(nodes: WasmList, met: (local: number, value: WasmNode) => void): void {
  for (const node of nodes) {
    const [op, local, value] = node;
    if (op === 'local.set' || op === 'local.tee') met(local as number, value as WasmNode);
    for (const part of node)
      if (isNode(part)) eachSet([part], met);
      else if (isList(part)) eachSet(part, met);
  }
}

/** Whether a value is an address, or is computed from one. */
function isWide(node: WasmNode, wide: ReadonlySet<number>): boolean {
  const [op, first, second] = node;
  if (op === 'address') return true;
  if (op === 'local.get' || op === 'local.tee') return wide.has(first as number);
  if (op === 'select' || arithmetic.test(op))
    return isWide(first as WasmNode, wide) || isWide(second as WasmNode, wide);
  return false;
}

const isNode = (part: WasmOperand): part is WasmNode =>
  Array.isArray(part) && typeof part[0] === 'string';
const isList = (part: WasmOperand): part is WasmList =>
  Array.isArray(part) && typeof part[0] !== 'string';

/** Rewrites instructions, given the locals that are wide, and those that hold numbers from memory. */
class Widening {
  readonly #wide: ReadonlySet<number>;
  readonly #loaded: ReadonlySet<number>;

  constructor(wide: ReadonlySet<number>, loaded: ReadonlySet<number>) {
    this.#wide = wide;
    this.#loaded = loaded;
  }

  list(nodes: WasmList): WasmNode[] {
    return nodes.map((node) => this.#same(node));
  }

  /** The node as it is now: i64 where it is wide. */
  #same(node: WasmNode): WasmNode {
    const [op, first, second, third] = node;
    switch (op) {
      case 'address': {
        const word = i64.extend_i32_u(this.#narrow(first as WasmNode));
        return i64.shl(word, i64.const(BigInt(WIDE_WORD_SHIFT)));
      }
      case 'local.set':
      case 'local.tee': {
        const value = second as WasmNode;
        const isSet = this.#wide.has(first as number);
        return [op, first as number, isSet ? this.#extended(value) : this.#narrow(value)];
      }
      case 'select': {
        const of = (value: WasmNode) =>
          this.#isWide(node) ? this.#extended(value) : this.#narrow(value);
        return [
          op,
          of(first as WasmNode),
          of(second as WasmNode),
          this.#condition(third as WasmNode),
        ];
      }
      case 'if':
        return [
          op,
          this.#condition(first as WasmNode),
          this.list(second as WasmList),
          this.list(third as WasmList),
        ];
      case 'br_if':
        return [op, first as number, this.#condition(second as WasmNode)];
      case 'memory.fill':
        return [
          op,
          this.#extended(first as WasmNode),
          this.#narrow(second as WasmNode),
          this.#extended(third as WasmNode),
        ];
      case 'memory.copy':
        return [op, ...[first, second, third].map((part) => this.#extended(part as WasmNode))];
      case 'i64.extend_i32_s':
      case 'i64.extend_i32_u':
        if (this.#isWide(first as WasmNode)) return this.#same(first as WasmNode);
    }
    const operands = node.slice(1);
    if (memory.has(op)) return this.#access(op, operands, 1);
    if (laneMemory.has(op)) return this.#access(op, operands, 2);
    const isMeeting =
      comparison.test(op) && operands.some((part) => this.#isWide(part as WasmNode));
    if (isMeeting || this.#isWide(node)) return this.#inWide(op, operands);
    return [op, ...operands.map((part) => this.#operand(part))];
  }

  /** A load or store, whose address comes after `immediates`. */
  #access(op: string, operands: readonly WasmOperand[], immediates: number): WasmNode {
    const values = operands.slice(immediates + 1).map((part) => this.#operand(part));
    const place = this.#extended(operands[immediates] as WasmNode);
    return [op, ...operands.slice(0, immediates), place, ...values];
  }

  /** The same instruction on 64 bits. */
  #inWide(op: string, operands: readonly WasmOperand[]): WasmNode {
    if (op === 'local.get') return [op, ...operands];
    return [
      op.replace('i32.', 'i64.'),
      ...operands.map((part) => this.#extended(part as WasmNode)),
    ];
  }

  #operand(part: WasmOperand): WasmOperand {
    if (isNode(part)) return this.#narrow(part);
    return isList(part) ? this.list(part) : part;
  }

  /** As an i64. */
  #extended(node: WasmNode): WasmNode {
    const [op, first] = node;
    if (this.#isWide(node)) return this.#same(node);
    if (op === 'i32.const') return i64.const(BigInt((first as number) | 0));
    if (scaling.test(op)) return this.#inWide(op, node.slice(1));
    const isLoaded = op === 'i32.load' || (op === 'local.get' && this.#loaded.has(first as number));
    return (isLoaded ? i64.extend_i32_u : i64.extend_i32_s)(this.#same(node));
  }

  /** As what it was. */
  #narrow(node: WasmNode): WasmNode {
    return this.#isWide(node) ? i32.wrap_i64(this.#same(node)) : this.#same(node);
  }

  #condition(node: WasmNode): WasmNode {
    return this.#isWide(node) ? i64.ne(this.#same(node), i64.const(0n)) : this.#same(node);
  }

  #isWide(node: WasmNode): boolean {
    return isNode(node) && isWide(node, this.#wide);
  }
}
