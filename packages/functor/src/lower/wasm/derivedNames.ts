import type { FunctionBuilder } from './FunctionBuilder.js';
import type { WasmList, WasmNode } from './WasmNode.js';

/** Longer names tell less than a letter. */
const LONGEST = 28;

/**
 * Names of locals that their builder gave none, from what they are set to, where that is once:
 *
 *   row.force@16      16 bytes after the address row.force       dt.lanes     dt in every lane
 *   positions:j       element j of the array positions           begin        the value of another local
 */
export function derivedNames(f: FunctionBuilder): ReadonlyMap<number, string> {
  const values = new Map<number, WasmNode[]>();
  collect(f.code, values);
  const known = new Map<number, string | null>(f.names);
  const nameOf = (local: number): string | null => {
    if (local < f.params.length) return known.get(local) ?? null;
    const present = known.get(local);
    if (present !== undefined) return present;
    known.set(local, null); // where it depends on itself
    const [value, ...others] = values.get(local) ?? [];
    const name = value && others.length === 0 ? describe(value, nameOf) : null;
    known.set(local, name && name.length <= LONGEST ? name : null);
    return known.get(local)!;
  };
  const names = new Map<number, string>();
  for (const local of values.keys()) {
    const name = nameOf(local);
    if (name !== null) names.set(local, name);
  }
  return names;
}

/** What a value is, in a word; null where that would not be short. */
function describe(node: WasmNode, nameOf: (local: number) => string | null): string | null {
  const [op, first, second] = node;
  const of = (part: unknown): string | null => describe(part as WasmNode, nameOf);
  if (op === 'local.get' || op === 'local.tee') return nameOf(first as number);
  if (op === 'address') return of(first);
  if (/\.load(\d+_splat)?$/.test(op)) return suffixed(of(second), `@${first}`);
  if (op.endsWith('.splat')) return suffixed(of(first), '.lanes');
  if (op !== 'i32.add') return null;
  const [base, index] = [of(first), indexOf(second as WasmNode, of)];
  return base !== null && index !== null ? `${base}:${index}` : null;
}

/** The number of an element, from how many bytes it is away. */
function indexOf(node: WasmNode, of: (part: unknown) => string | null): string | null {
  const [op, value] = node;
  return op === 'i32.shl' || op === 'i32.mul' ? of(value) : null;
}

const suffixed = (name: string | null, suffix: string): string | null =>
  name === null ? null : `${name}${suffix}`;

/** What locals are set to, at any depth. */
function collect(nodes: WasmList, values: Map<number, WasmNode[]>): void {
  for (const node of nodes) {
    const [op, local, value] = node;
    if (op === 'local.set' || op === 'local.tee') {
      const all = values.get(local as number) ?? [];
      all.push(value as WasmNode);
      values.set(local as number, all);
    }
    for (const part of node) {
      if (!Array.isArray(part)) continue;
      collect((typeof part[0] === 'string' ? [part] : part) as WasmList, values);
    }
  }
}
