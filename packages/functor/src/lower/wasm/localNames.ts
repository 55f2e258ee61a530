import { derivedNames } from './derivedNames.js';
import type { FunctionBuilder } from './FunctionBuilder.js';
import type { WasmType } from './WasmNode.js';

/** First letters of locals without a name. */
const LETTERS: Readonly<Record<WasmType, string>> = {
  i32: 'i',
  i64: 'l',
  f32: 's',
  f64: 'd',
  v128: 'v',
};

/**
 * Names of the arguments and locals of a function in the text form: those that its builder gave, then those that follow
 * from values, told apart by numbers where two are equal, and a letter for the type with the local's number for all others.
 */
export function localNames(f: FunctionBuilder): (local: number) => string {
  const taken = new Set<string>();
  const names = new Map<number, string>();
  for (const [local, given] of new Map([...f.names, ...derivedNames(f)])) {
    const plain = given.replace(/[^\w.+\-*/<>=!?@#%&|:']/g, '_');
    let name = plain;
    for (let k = 2; taken.has(name); k++) name = `${plain}#${k}`;
    taken.add(name);
    names.set(local, name);
  }
  return (local) => `$${names.get(local) ?? `${LETTERS[f.typeOfLocal(local)]}${local}`}`;
}
