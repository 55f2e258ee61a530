import { type KernelSource, wholeBody } from '../device/GpuKernel.js';

/** A kernel with a binding of the context's values, if its text looks at them. */
export function withValues(source: KernelSource): KernelSource {
  const text = source.declarations + wholeBody(source);
  if (!/\bvalues\[/.test(text)) return source;
  const access = /\bvalues\[[^\]]*\] = /.test(text) ? 'read_write' : 'read';
  const values = { name: 'values', type: 'array<vec2f>', access } as const;
  return { ...source, buffers: [...source.buffers, values] };
}
