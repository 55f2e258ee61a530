import { joinDouble } from '@corpuscle/functor/wgsl';
import type { GpuDevice } from '../device/GpuDevice.js';

/** What a device can do, and what to say if it cannot. */
export interface DoubleProbe {
  /** Null when double-single arithmetic is exact where it must be; otherwise the reason as one clause. */
  readonly reason: string | null;
  /** fma(a, b, -a·b) is the exact error of a product. */
  readonly fused: boolean;
}

const PAIRS = 4096;

/** Pairs over 2^±20, both signs, all bits of the mantissas in use; every eighth nearly cancels. */
function probePairs(): Float32Array<ArrayBuffer> {
  let state = 0x2545f491;
  const next = (): number => {
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
  const number = (): number => (next() < 0.5 ? -1 : 1) * 2 ** (40 * next() - 20);
  const pairs = new Float32Array(2 * PAIRS);
  for (let k = 0; k < PAIRS; k++) {
    pairs[2 * k] = number();
    pairs[2 * k + 1] = k % 8 === 0 ? -pairs[2 * k]! * (1 + 2 ** -(22 * next())) : number();
  }
  return pairs;
}

/**
 * Finds out whether the transforms under double-single arithmetic are exact on a device: sums, products from halves, and
 * products with a fused operation. Shader compilers that rearrange additions make them worthless, and only a run shows it.
 */
export async function probeDoubles(gpu: GpuDevice): Promise<DoubleProbe> {
  const sum = (a: number, b: number) => a + b;
  const product = (a: number, b: number) => a * b;
  const fused = await exact(gpu, true, { text: 'ds_product(v.x, v.y)', of: product });
  const failed: string[] = [];
  for (const each of [
    { what: 'sums', text: 'ds_sum(v.x, v.y)', of: sum },
    { what: 'products', text: 'ds_product(v.x, v.y)', of: product },
    // A chain, as functors have them: what is exact alone may be rearranged in company.
    {
      what: 'chains of operations',
      text: 'ds_sub(ds_add(ds_mul_f32(ds_sum(v.x, 0.0), v.y), ds_sum(v.y, 0.0)), ds_product(v.x, v.y))',
      of: (_a: number, b: number) => b,
      against: (a: number, b: number) => Math.abs(a * b) + Math.abs(b),
    },
    // Compilers cancel divisions by constants, and squares of roots.
    {
      what: 'divisions',
      text: 'ds_div(ds_div(vec2f(v.x, 0.0), vec2f(v.y, 0.0)), vec2f(-7.0, 0.0))',
      of: (a: number, b: number) => a / b / -7,
    },
    {
      what: 'reciprocals',
      text: 'ds_mul_f32(ds_inverse(vec2f(v.y, 0.0)), v.x)',
      of: (a: number, b: number) => a / b,
    },
    {
      what: 'sums with products',
      text: 'ds_mul_add(vec2f(v.x, 0.0), vec2f(v.x, 0.0), vec2f(v.y, 0.0))',
      of: (a: number, b: number) => a + a * b,
      against: (a: number, b: number) => Math.abs(a) + Math.abs(a * b),
    },
    {
      what: 'sums of squares',
      text: 'ds_length2(vec2f(v.x, 0.0), vec2f(v.y, 0.0), vec2f(v.x, 0.0))',
      of: (a: number, b: number) => 2 * a * a + b * b,
    },
    {
      what: 'roots',
      text: 'ds_sqrt(vec2f(abs(v.x), 0.0))',
      of: (a: number) => Math.sqrt(Math.abs(a)),
    },
  ])
    if (!(await exact(gpu, fused, each))) failed.push(each.what);
  if (failed.length === 0) return { reason: null, fused };
  return {
    fused,
    reason: `its shader compiler makes ${failed.join(' and ')} of double-single arithmetic inexact`,
  };
}

interface Transform {
  /** WGSL of a vec2f in terms of `v`, a pair of floats. */
  readonly text: string;
  readonly of: (a: number, b: number) => number;
  /** What errors are measured against; the result itself by default. */
  readonly against?: (a: number, b: number) => number;
}

async function exact(
  gpu: GpuDevice,
  fused: boolean,
  { text, of, against = of }: Transform,
): Promise<boolean> {
  const before = gpu.fusedProducts;
  gpu.fusedProducts = fused;
  const kernel = gpu.kernel({
    label: 'probe of double-single arithmetic',
    workgroupSize: 64,
    buffers: [{ name: 'pairs', type: 'array<vec2f>', access: 'read_write' }],
    params: { count: 'u32' },
    body: `
  if (index >= P.count) { return; }
  let v = pairs[index];
  pairs[index] = ${text};`,
  });
  gpu.fusedProducts = before;
  const pairs = probePairs();
  const buffer = gpu.buffer('probe', pairs.byteLength);
  gpu.stream.upload(buffer, new Uint8Array(pairs.buffer.slice(0)));
  gpu.stream.dispatchThreads(kernel, [buffer], { count: PAIRS }, PAIRS);
  const readback = gpu.stream.read(buffer, pairs.byteLength);
  readback.flush();
  const found = new Float32Array(await readback.data);
  gpu.release(buffer);
  for (let k = 0; k < PAIRS; k++) {
    const [a, b] = [pairs[2 * k]!, pairs[2 * k + 1]!];
    const wanted = of(a, b);
    const value = joinDouble(found[2 * k]!, found[2 * k + 1]!);
    if (!(Math.abs(value - wanted) <= TOLERANCE * Math.abs(against(a, b)))) return false;
  }
  return true;
}

/** Arithmetic that has collapsed to floats is off by 2^-25; the host's own doubles by 2^-53. */
const TOLERANCE = 2 ** -42;
