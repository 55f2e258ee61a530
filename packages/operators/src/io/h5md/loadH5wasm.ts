import { CorpuscleError } from '@corpuscle/core';
import { guardHeaps } from './guardHeaps.js';
import { limitMemory } from './limitMemory.js';

/** What is said where the optional package is not installed. */
export const NO_H5WASM =
  'files of H5MD need the optional package h5wasm, which is not installed (npm install h5wasm)';

/** What is used of `h5wasm`. */
export type H5wasm = typeof import('h5wasm/node');

/**
 * HDF5 as WebAssembly. It reads and writes files of the system itself, piece by piece.
 * @throws CorpuscleError BACKEND_UNAVAILABLE when the optional package is not installed.
 */
export async function loadH5wasm(): Promise<H5wasm> {
  let h5: H5wasm;
  try {
    h5 = await import('h5wasm/node');
  } catch (cause) {
    throw new CorpuscleError('BACKEND_UNAVAILABLE', NO_H5WASM, { cause });
  }
  const module = await h5.ready;
  module.activate_throwing_error_handler(); // Errors are thrown, not printed.
  guardHeaps(module);
  limitMemory(module);
  return h5;
}

/** What HDF5 says of an error, in one line: its own messages are a stack, the cause last. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/abort/i.test(text)) return 'HDF5 gives it up';
  if (/no space left/i.test(text)) return 'the disk is full';
  if (/no such file/i.test(text)) return 'it has been removed or renamed';
  const causes = [...text.matchAll(/^\s*#\d+: .*?\(\): (.+)$/gm)];
  return (
    causes.at(-1)?.[1] ?? text.split('\n').find((line) => line.trim() !== '') ?? 'HDF5 has failed'
  );
}
