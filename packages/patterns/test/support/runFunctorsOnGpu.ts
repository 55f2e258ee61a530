import { joinDouble, lowerToWgsl, splitDouble } from '@corpuscle/functor/wgsl';
import {
  outputs,
  type RandomFunctor,
  randomParams,
  type Sample,
} from '../../../functor/test/support/randomFunctor.js';
import type { GpuDevice } from '../../src/gpu/device/GpuDevice.js';

const SLOTS = 16;
const I = ['u', 'v', 'w', 'n', 'q', 'type'] as const;
const J = ['q', 'vx', 'type'] as const;
const slot = (role: 'i' | 'j', field: string): number =>
  role === 'i' ? I.indexOf(field as 'u') : I.length + J.indexOf(field as 'q');
const D = I.length + J.length;
const isInt = (field: string): boolean => field === 'n' || field === 'type';

/**
 * Runs many functors, each on its own samples, in one pipeline and one dispatch: thread t runs sample t % samples of
 * functor t / samples, through a switch over all functors.
 *
 * @returns the outputs of functor f and sample s at [f][s].
 */
export async function runFunctorsOnGpu(
  gpu: GpuDevice,
  functors: readonly RandomFunctor[],
  samples: readonly (readonly Sample[])[],
  real: 'f32' | 'f64' = 'f32',
): Promise<number[][][]> {
  // Every slot has two words in double-single.
  const each = real === 'f64' ? 2 : 1;
  const WORDS = each * SLOTS;
  const scalar = real === 'f64' ? 'vec2f' : 'f32';
  const word = (slot: number) => `data[at + ${each * slot}u]`;
  const pair = (slot: number) =>
    `bitcast<vec2f>(vec2u(${word(slot)}, data[at + ${each * slot + 1}u]))`;
  const perFunctor = samples[0]!.length;
  const threads = functors.length * perFunctor;
  const texts = functors.map(({ functor, kind, seed }) => {
    const lowered = lowerToWgsl(functor.ir!, {
      name: `functor_${seed}`,
      real,
      env: {
        param: (field) => ({ a: 'P.a', b: 'P.b', m: 'P.m' })[field]!,
        item: (_role, field, index) =>
          `${field === 'table' ? `array<${scalar}, 4>(P.t0, P.t1, P.t2, P.t3)` : 'P.marks'}[min(${index}, 3u)]`,
        writeItem: () => '',
      },
    });
    const load = (role: 'i' | 'j') =>
      lowered.fields[role]
        .map(({ field, member, type }) => {
          const at = slot(role, field);
          const value =
            type === 'vec2f'
              ? pair(at)
              : type === 'u32'
                ? word(at)
                : `bitcast<${type}>(${word(at)})`;
          return `${role}.${member} = ${value};`;
        })
        .join(' ');
    const store = lowered.fields.i
      .filter(({ written }) => written)
      .map(({ field, member, type }) => {
        const at = slot('i', field);
        return type === 'vec2f'
          ? `${word(at)} = bitcast<u32>(i.${member}.x); data[at + ${each * at + 1}u] = bitcast<u32>(i.${member}.y);`
          : `${word(at)} = bitcast<u32>(i.${member});`;
      });
    const column = (part: number) =>
      `vec4f(${[0, 1, 2, 3].map((k) => `bitcast<f32>(data[at + ${each * (D + k) + part}u])`).join(', ')})`;
    const vector = real === 'f64' ? `mat2x4f(${column(0)}, ${column(1)})` : column(0);
    const call =
      kind === 'pair'
        ? `var j: ${lowered.name}_j; ${load('j')} ${lowered.name}(&i, j, ${vector});`
        : `${lowered.name}(&i);`;
    return `${lowered.structs}${lowered.functions}
fn run_${seed}(at: u32) { var i: ${lowered.name}_i; ${load('i')} ${call} ${store.join(' ')} }`;
  });
  const kernel = gpu.kernel({
    label: `random functors ${functors[0]!.seed} …`,
    workgroupSize: 32,
    buffers: [{ name: 'data', type: 'array<u32>', access: 'read_write' }],
    params: {
      marks: 'vec4i',
      ...Object.fromEntries(['a', 'b', 't0', 't1', 't2', 't3'].map((name) => [name, scalar])),
      m: 'i32',
      threads: 'u32',
    },
    declarations: texts.join('\n'),
    body: `
  if (index >= P.threads) { return; }
  let at = index * ${WORDS}u;
  switch index / ${perFunctor}u {
    ${functors.map(({ seed }, k) => `case ${k}u: { run_${seed}(at); }`).join('\n    ')}
    default: {}
  }`,
  });
  const buffer = gpu.buffer('samples', 4 * WORDS * threads);
  gpu.stream.upload(buffer, pack(samples.flat(), each));
  const params = {
    a: randomParams.a,
    b: randomParams.b,
    m: randomParams.m,
    ...Object.fromEntries(Array.from(randomParams.table, (value, k) => [`t${k}`, value])),
    marks: Array.from(randomParams.marks),
    threads,
  };
  gpu.stream.dispatchThreads(kernel, [buffer], params, threads);
  const readback = gpu.stream.read(buffer, 4 * WORDS * threads);
  readback.flush();
  const data = await readback.data;
  gpu.release(buffer);
  const [reals, ints] = [new Float32Array(data), new Int32Array(data)];
  const result = (thread: number) =>
    outputs.map((field) => {
      const at = thread * WORDS + each * slot('i', field);
      if (field === 'n') return ints[at]!;
      return each === 2 ? joinDouble(reals[at]!, reals[at + 1]!) : reals[at]!;
    });
  return functors.map((_, f) =>
    Array.from({ length: perFunctor }, (_unused, s) => result(f * perFunctor + s)),
  );
}

function pack(samples: readonly Sample[], each: 1 | 2): Uint8Array<ArrayBuffer> {
  const buffer = new ArrayBuffer(4 * each * SLOTS * samples.length);
  const [reals, ints] = [new Float32Array(buffer), new Int32Array(buffer)];
  samples.forEach((sample, k) => {
    const put = (at: number, field: string, value: number) => {
      const word = each * (k * SLOTS + at);
      if (isInt(field)) ints[word] = value;
      else if (each === 2) reals.set(splitDouble(value), word);
      else reals[word] = value;
    };
    for (const field of I) put(slot('i', field), field, sample.i[field]);
    for (const field of J) put(slot('j', field), field, sample.j[field]);
    (['x', 'y', 'z', 'r2'] as const).forEach((field, c) => {
      put(D + c, field, sample.d[field]);
    });
  });
  return new Uint8Array(buffer);
}
