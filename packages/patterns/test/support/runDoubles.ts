import { joinDouble, splitDouble } from '@corpuscle/functor/wgsl';
import type { GpuDevice } from '../../src/gpu/device/GpuDevice.js';

/** An expression in `x` and `y` (vec2f) of type vec2f, and its arguments: one or two numbers each. */
export interface DoubleCase {
  readonly text: string;
  readonly x: ArrayLike<number>;
  readonly y?: ArrayLike<number>;
}

/** Evaluates expressions of double-single arithmetic on the device, each for all of its arguments; one pipeline with each text once. */
export async function runDoubles(
  gpu: GpuDevice,
  cases: readonly DoubleCase[],
): Promise<Float64Array[]> {
  const texts = [...new Set(cases.map(({ text }) => text))];
  const kernel = gpu.kernel({
    label: 'double-single',
    workgroupSize: 64,
    buffers: [
      { name: 'x_', type: 'array<vec2f>', access: 'read' },
      { name: 'y_', type: 'array<vec2f>', access: 'read' },
      { name: 'out', type: 'array<vec2f>', access: 'read_write' },
    ],
    params: { count: 'u32', which: 'u32' },
    body: `
  if (index >= P.count) { return; }
  let x = x_[index];
  let y = y_[index];
  switch P.which {
    ${texts.map((text, k) => `case ${k}u: { out[index] = ${text}; }`).join('\n    ')}
    default: {}
  }`,
  });
  const results: Float64Array[] = [];
  for (const { text, x, y = x } of cases) {
    const which = texts.indexOf(text);
    const count = x.length;
    const buffers = [x, y].map((values, k) => {
      const buffer = gpu.buffer(`argument ${k}`, 8 * count);
      const words = new Float32Array(2 * count);
      for (let n = 0; n < count; n++) words.set(splitDouble(values[n]!), 2 * n);
      gpu.stream.upload(buffer, new Uint8Array(words.buffer));
      return buffer;
    });
    const out = gpu.buffer('results', 8 * count);
    gpu.stream.dispatchThreads(kernel, [...buffers, out], { count, which }, count);
    const readback = gpu.stream.read(out, 8 * count);
    readback.flush();
    const words = new Float32Array(await readback.data);
    results.push(
      Float64Array.from({ length: count }, (_, n) => joinDouble(words[2 * n]!, words[2 * n + 1]!)),
    );
    for (const buffer of [...buffers, out]) gpu.release(buffer);
  }
  return results;
}
