import { splitDouble } from '@corpuscle/functor/wgsl';
import type { KernelParams, ParamSlot, ParamType } from './GpuKernel.js';

/** Writes parameters into a record that begins at a word. */
export type ParamWriter = (
  f32: Float32Array,
  u32: Uint32Array,
  first: number,
  values: KernelParams,
) => void;

/**
 * Makes the writer of a kernel's parameters as text of its own: values of different kernels have different shapes, and one
 * function for all of them would look every name up in a dictionary, at every dispatch. Where a page forbids code made from
 * text (Content-Security-Policy) there is one function for all.
 *
 * @param label of the kernel, for the error of the writer when a value is missing
 */
export function paramWriter(label: string, slots: readonly ParamSlot[]): ParamWriter {
  const missing = (name: string): number => {
    if (name === 'one') return 1;
    throw new Error(`${label}: parameter ${name} has no value`);
  };
  if (!mayEvaluate) return slotBySlot(slots, missing);
  try {
    const make = new Function('missing', 'vector', writerText(slots));
    return make(missing, writeVector) as ParamWriter;
  } catch {
    mayEvaluate = false; // browsers report each try
    return slotBySlot(slots, missing);
  }
}

let mayEvaluate = true;

function writerText(slots: readonly ParamSlot[]): string {
  const lines = slots.map(({ name, type, word }) => {
    const key = JSON.stringify(name);
    const store = type.startsWith('vec')
      ? `vector(${arrayOf(type)}, first + ${word}, value);`
      : `${arrayOf(type)}[first + ${word}] = value;`;
    return `value = values[${key}];\nif (value === undefined) value = missing(${key});\n${store}`;
  });
  return `return (f32, u32, first, values) => {\nlet value;\n${lines.join('\n')}\n};`;
}

function slotBySlot(slots: readonly ParamSlot[], missing: (name: string) => number): ParamWriter {
  return (f32, u32, first, values) => {
    for (const { name, type, word } of slots) {
      const target = arrayOf(type) === 'f32' ? f32 : u32;
      const value = values[name] ?? missing(name);
      if (type.startsWith('vec')) writeVector(target, first + word, value);
      else target[first + word] = value as number;
    }
  };
}

/** In the array of words negative numbers wrap, as they should. */
const arrayOf = (type: ParamType): 'f32' | 'u32' => (type.includes('f') ? 'f32' : 'u32');

function writeVector(
  target: Float32Array | Uint32Array,
  first: number,
  value: number | readonly number[],
): void {
  const parts = typeof value === 'number' ? splitDouble(value) : value;
  for (let k = 0; k < parts.length; k++) target[first + k] = parts[k]!;
}
