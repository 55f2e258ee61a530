import { doubleLibrary, doubleUses } from '@corpuscle/functor/wgsl';
import type { KernelSource } from '../device/GpuKernel.js';

/**
 * A kernel with the functions of the double-single library that its text calls, and their parameter `one`. Kernels that
 * call none come back as they are.
 */
export function withDoubles(source: KernelSource, fused: boolean): KernelSource {
  const { declarations = '', body } = source;
  const text = declarations + body;
  if (doubleUses(text).size === 0) return source;
  return {
    ...source,
    params: { ...source.params, one: 'f32' },
    declarations: `${doubleLibrary(text, fused)}\n${declarations}`,
  };
}
