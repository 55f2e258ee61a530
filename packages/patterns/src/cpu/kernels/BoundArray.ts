import type { SharedArray } from '../../plan/createArray.js';

/** An array of a block functor and how it is stored; the code depends on nothing else of it. */
export interface BoundArray {
  readonly name: string;
  readonly storage: 'f64' | 'f32' | 'u32' | 'i32';
}

/** Binds the arrays of a call, in the order of their names in the functor. */
export function bindArrays(
  names: readonly string[],
  arrays: Readonly<Record<string, SharedArray>>,
): BoundArray[] {
  return names.map((name) => {
    const { type } = arrays[name]!;
    return { name, storage: type === 'real' ? 'f64' : type };
  });
}
