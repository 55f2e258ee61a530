import { BinaryWriter } from './BinaryWriter.js';
import type { FunctionBuilder } from './FunctionBuilder.js';
import { lane, laneMemory, memory, type Opcode, plain, typeCode } from './opcodes.js';
import type { WasmNode } from './WasmNode.js';

/** Index of the function a `call` names, given its number of arguments (imports are keyed by both). */
export type FunctionIndex = (name: string, args: number) => number;

/** Encodes one function: its locals and its instructions. */
export function encodeBody(builder: FunctionBuilder, indexOf: FunctionIndex): BinaryWriter {
  const out = new BinaryWriter();
  const runs: { type: string; count: number }[] = [];
  for (const type of builder.locals) {
    const last = runs.at(-1);
    if (last?.type === type) last.count++;
    else runs.push({ type, count: 1 });
  }
  out.unsigned(runs.length);
  for (const { type, count } of runs) {
    out.unsigned(count);
    out.byte(typeCode[type as keyof typeof typeCode]);
  }
  new Encoder(out, indexOf).all(builder.code);
  out.byte(0x0b);
  return out;
}

class Encoder {
  /** Labels of the open blocks, innermost last; null for an `if`. */
  readonly #open: (number | null)[] = [];

  constructor(
    readonly out: BinaryWriter,
    readonly indexOf: FunctionIndex,
  ) {}

  all(nodes: readonly WasmNode[]): void {
    for (const node of nodes) this.node(node);
  }

  node(node: WasmNode): void {
    const { out } = this;
    const [op, first] = node;
    switch (op) {
      case 'local.get':
      case 'local.set':
      case 'local.tee':
        this.#operands(node, 2);
        out.byte(op === 'local.get' ? 0x20 : op === 'local.set' ? 0x21 : 0x22);
        out.unsigned(first as number);
        return;
      case 'i32.const':
        out.byte(0x41);
        out.signed(BigInt((first as number) | 0));
        return;
      case 'i64.const':
        out.byte(0x42);
        out.signed(BigInt.asIntN(64, BigInt(first as bigint | number)));
        return;
      case 'f32.const':
        out.byte(0x43);
        out.float32(first as number);
        return;
      case 'f64.const':
        out.byte(0x44);
        out.float64(first as number);
        return;
      case 'v128.const':
        this.#op({ prefix: 0xfd, code: 12 });
        out.bytes(first as Uint8Array);
        return;
      case 'i8x16.shuffle':
        this.#operands(node, 2);
        this.#op({ prefix: 0xfd, code: 13 });
        out.bytes(first as Uint8Array);
        return;
      case 'block':
      case 'loop':
        out.byte(op === 'block' ? 0x02 : 0x03);
        out.byte(0x40);
        this.#inside(first as number, node[2] as readonly WasmNode[]);
        out.byte(0x0b);
        return;
      case 'if': {
        const otherwise = node[3] as readonly WasmNode[];
        this.node(first as WasmNode);
        out.byte(0x04);
        out.byte(0x40);
        this.#inside(null, node[2] as readonly WasmNode[]);
        if (otherwise.some(([kind]) => kind !== 'comment')) {
          out.byte(0x05);
          this.#inside(null, otherwise);
        }
        out.byte(0x0b);
        return;
      }
      case 'br':
      case 'br_if': {
        this.#operands(node, 2);
        const depth = this.#open.length - 1 - this.#open.lastIndexOf(first as number);
        if (depth === this.#open.length)
          throw new Error(`jump out of block ${first as number}, which is not open`);
        out.byte(op === 'br' ? 0x0c : 0x0d);
        out.unsigned(depth);
        return;
      }
      case 'return':
        this.#operands(node, 1);
        out.byte(0x0f);
        return;
      case 'call':
        this.#operands(node, 2);
        out.byte(0x10);
        out.unsigned(this.indexOf(first as string, node.length - 2));
        return;
      case 'memory.size':
      case 'memory.grow':
        this.#operands(node, 1);
        out.bytes([op === 'memory.size' ? 0x3f : 0x40, 0]);
        return;
      case 'memory.copy':
      case 'memory.fill':
        this.#operands(node, 1);
        this.#op({ prefix: 0xfc, code: op === 'memory.copy' ? 10 : 11 });
        out.bytes(op === 'memory.copy' ? [0, 0] : [0]);
        return;
      case 'comment':
        return;
      case 'address':
        this.node(first as WasmNode);
        return;
      case 'atomic.fence':
        out.bytes([0xfe, 0x03, 0]);
        return;
    }
    this.#table(node);
  }

  #table(node: WasmNode): void {
    const { out } = this;
    const [op, first, second] = node;
    const simple = plain.get(op);
    if (simple) {
      this.#operands(node, 1);
      this.#op(simple);
      return;
    }
    const access = memory.get(op);
    if (access) {
      this.#operands(node, 2);
      this.#op(access);
      out.unsigned(access.align);
      out.unsigned(first as number);
      return;
    }
    const laneOp = lane.get(op);
    if (laneOp) {
      this.#operands(node, 2);
      this.#op(laneOp);
      out.byte(first as number);
      return;
    }
    const laneAccess = laneMemory.get(op);
    if (laneAccess) {
      this.#operands(node, 3);
      this.#op(laneAccess);
      out.unsigned(laneAccess.align);
      out.unsigned(first as number);
      out.byte(second as number);
      return;
    }
    throw new Error(`unknown WebAssembly instruction '${op}'`);
  }

  #operands(node: WasmNode, from: number): void {
    for (let k = from; k < node.length; k++) this.node(node[k] as WasmNode);
  }

  #inside(label: number | null, nodes: readonly WasmNode[]): void {
    this.#open.push(label);
    this.all(nodes);
    this.#open.pop();
  }

  #op({ prefix, code }: Opcode): void {
    if (prefix) {
      this.out.byte(prefix);
      this.out.unsigned(code);
    } else this.out.byte(code);
  }
}
