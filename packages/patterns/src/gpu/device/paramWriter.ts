import { splitDouble } from '../../lower/wgsl/double/splitDouble.js';
import type { KernelParams, ParamSlot } from './GpuKernel.js';

/** Writes parameters into a record that begins at a word. */
export type ParamWriter = (
  f32: Float32Array,
  u32: Uint32Array,
  first: number,
  values: KernelParams,
) => void;

/**
 * Makes the writer of a kernel's parameters as text of its own: values of different kernels have different shapes, and one
 * function for all of them would look every name up in a dictionary, at every dispatch.
 *
 * @param label of the kernel, for the error of the writer when a value is missing
 */
export function paramWriter(label: string, slots: readonly ParamSlot[]): ParamWriter {
  const lines = slots.map(({ name, type, word }) => {
    const key = JSON.stringify(name);
    const array = type === 'f32' || type.endsWith('f') ? 'f32' : 'u32';
    const store = type.startsWith('vec')
      ? `vector(${array}, first + ${word}, value);`
      : `${array}[first + ${word}] = value;`; // negative numbers wrap, as they should
    return `value = values[${key}];\nif (value === undefined) value = missing(${key});\n${store}`;
  });
  const missing = (name: string): number => {
    if (name === 'one') return 1;
    throw new Error(`${label}: parameter ${name} has no value`);
  };
  const body = `return (f32, u32, first, values) => {\nlet value;\n${lines.join('\n')}\n};`;
  return new Function('missing', 'vector', body)(missing, writeVector) as ParamWriter;
}

function writeVector(
  target: Float32Array | Uint32Array,
  first: number,
  value: number | readonly number[],
): void {
  const parts = typeof value === 'number' ? splitDouble(value) : value;
  for (let k = 0; k < parts.length; k++) target[first + k] = parts[k]!;
}
