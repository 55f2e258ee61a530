import { BinaryWriter } from './BinaryWriter.js';
import { encodeBody } from './encodeBody.js';
import type { FunctionBuilder } from './FunctionBuilder.js';
import type { AddressType } from './memories.js';
import { functionsOf, importsOf, memoryOf } from './moduleParts.js';
import { typeCode } from './opcodes.js';
import type { WasmType } from './WasmNode.js';

/** What a module consists of. */
export interface ModuleSpec {
  /** Functions of the module; those they {@link FunctionBuilder.uses} are added by themselves. */
  readonly functions: readonly FunctionBuilder[];
  /** Names of the functions to export. Default: all of `functions`. */
  readonly exports?: readonly string[];
  /** Default 'i32'. With 'i64' the code is that of {@link wideAddresses}, and the memory has addresses of 64 bits. */
  readonly addresses?: AddressType;
  /** Default: shared, 1 page or more: any SharedHeap's memory with such addresses fits. */
  readonly memory?: {
    readonly minimum: number;
    readonly maximum?: number;
    readonly shared: boolean;
  };
}

interface Signature {
  readonly params: readonly WasmType[];
  readonly results: readonly WasmType[];
}

/**
 * Writes a WebAssembly module that imports `env.memory`. Every `['call', 'math.<name>', …]` imports `math.<name>` as a function
 * of f64s giving an f64 (see {@link mathImports}). Equal input gives equal bytes.
 *
 * @throws Error for an unknown instruction, a jump to a block that is not open, or a call of a missing function.
 * @example
 * const bytes = assembleModule({ functions: [kernel] });
 * const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory }, math: mathImports });
 */
export function assembleModule(spec: ModuleSpec): Uint8Array {
  const functions = functionsOf(spec);
  const imports = importsOf(functions);
  const types: Signature[] = [];
  const typeIndex = (signature: Signature): number => {
    const same = (t: Signature) =>
      `${t.params}>${t.results}` === `${signature.params}>${signature.results}`;
    const present = types.findIndex(same);
    return present >= 0 ? present : types.push(signature) - 1;
  };
  const importTypes = imports.map(({ args }) =>
    typeIndex({ params: Array(args).fill('f64'), results: ['f64'] }),
  );
  const functionTypes = functions.map((f) => typeIndex(f));
  const indexOf = (name: string, args: number): number => {
    const imported = imports.findIndex((i) => i.name === name && i.args === args);
    if (imported >= 0) return imported;
    const own = functions.findIndex((f) => f.name === name);
    if (own < 0) throw new Error(`call of function '${name}', which is not in the module`);
    return imports.length + own;
  };

  const out = new BinaryWriter();
  out.bytes([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  section(out, 1, types, (s, { params, results }) => {
    s.byte(0x60);
    for (const list of [params, results]) {
      s.unsigned(list.length);
      for (const type of list) s.byte(typeCode[type]);
    }
  });
  const memory = memoryOf(spec);
  const isWide = spec.addresses === 'i64';
  const memoryImport = (s: BinaryWriter) => {
    s.name('env');
    s.name('memory');
    const limits = memory.shared ? 3 : memory.maximum === undefined ? 0 : 1;
    s.bytes([2, limits + (isWide ? 4 : 0)]);
    s.unsigned(memory.minimum);
    if (memory.maximum !== undefined) s.unsigned(memory.maximum);
  };
  const importEntries = imports.map(({ name }, k) => (s: BinaryWriter) => {
    s.name('math');
    s.name(name.slice('math.'.length));
    s.byte(0);
    s.unsigned(importTypes[k] ?? 0);
  });
  section(out, 2, [...importEntries, memoryImport], (s, write) => write(s));
  section(out, 3, functionTypes, (s, type) => s.unsigned(type));
  section(out, 7, spec.exports ?? spec.functions.map((f) => f.name), (s, name) => {
    s.name(name);
    s.byte(0);
    s.unsigned(indexOf(name, -1));
  });
  section(out, 10, functions, (s, f) => s.sized(encodeBody(f, indexOf)));
  const data = new Map(functions.flatMap((f) => [...f.data]));
  if (data.size > 0) {
    section(out, 11, [...data], (s, [address, bytes]) => {
      s.bytes([0, isWide ? 0x42 : 0x41]); // active, at a constant address
      s.signed(BigInt(address));
      s.byte(0x0b);
      s.unsigned(bytes.length);
      s.bytes(bytes);
    });
  }
  return out.toBytes();
}

function section<T>(
  out: BinaryWriter,
  id: number,
  entries: readonly T[],
  write: (s: BinaryWriter, entry: T) => void,
): void {
  const content = new BinaryWriter();
  content.unsigned(entries.length);
  for (const entry of entries) write(content, entry);
  out.byte(id);
  out.sized(content);
}
