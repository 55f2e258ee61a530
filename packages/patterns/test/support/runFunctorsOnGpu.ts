import type { GpuDevice } from '../../src/gpu/device/GpuDevice.js';
import { lowerToWgsl } from '../../src/lower/wgsl/lowerToWgsl.js';
import { outputs, type RandomFunctor, randomParams, type Sample } from './randomFunctor.js';

const WORDS = 16;
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
): Promise<number[][][]> {
  const perFunctor = samples[0]!.length;
  const threads = functors.length * perFunctor;
  const texts = functors.map(({ functor, kind, seed }) => {
    const lowered = lowerToWgsl(functor.ir!, {
      name: `functor_${seed}`,
      env: {
        param: (field) => ({ a: 'P.a', b: 'P.b', m: 'P.m' })[field]!,
        item: (_role, field, index) =>
          `${field === 'table' ? 'P.table' : 'P.marks'}[min(${index}, 3u)]`,
        writeItem: () => '',
      },
    });
    const load = (role: 'i' | 'j') =>
      lowered.fields[role]
        .map(({ field, member, type }) => {
          const word = `data[at + ${slot(role, field)}u]`;
          return `${role}.${member} = ${type === 'u32' ? word : `bitcast<${type}>(${word})`};`;
        })
        .join(' ');
    const store = lowered.fields.i
      .filter(({ written }) => written)
      .map(({ field, member }) => `data[at + ${slot('i', field)}u] = bitcast<u32>(i.${member});`);
    const vector = [0, 1, 2, 3].map((k) => `bitcast<f32>(data[at + ${D + k}u])`).join(', ');
    const call =
      kind === 'pair'
        ? `var j: ${lowered.name}_j; ${load('j')} ${lowered.name}(&i, j, vec4f(${vector}));`
        : `${lowered.name}(&i);`;
    return `${lowered.structs}${lowered.functions}
fn run_${seed}(at: u32) { var i: ${lowered.name}_i; ${load('i')} ${call} ${store.join(' ')} }`;
  });
  const kernel = gpu.kernel({
    label: `random functors ${functors[0]!.seed} …`,
    workgroupSize: 32,
    buffers: [{ name: 'data', type: 'array<u32>', access: 'read_write' }],
    params: { table: 'vec4f', marks: 'vec4i', a: 'f32', b: 'f32', m: 'i32', threads: 'u32' },
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
  gpu.stream.upload(buffer, pack(samples.flat()));
  const params = {
    ...randomParams,
    table: Array.from(randomParams.table),
    marks: Array.from(randomParams.marks),
    threads,
  };
  gpu.stream.dispatchThreads(kernel, [buffer], params, threads);
  const readback = gpu.stream.read(buffer, 4 * WORDS * threads);
  readback.hurry();
  const data = await readback.data;
  gpu.release(buffer);
  const [reals, ints] = [new Float32Array(data), new Int32Array(data)];
  const result = (thread: number) =>
    outputs.map((field) => (field === 'n' ? ints : reals)[thread * WORDS + slot('i', field)]!);
  return functors.map((_, f) =>
    Array.from({ length: perFunctor }, (_unused, s) => result(f * perFunctor + s)),
  );
}

function pack(samples: readonly Sample[]): Uint8Array<ArrayBuffer> {
  const buffer = new ArrayBuffer(4 * WORDS * samples.length);
  const [reals, ints] = [new Float32Array(buffer), new Int32Array(buffer)];
  samples.forEach((sample, k) => {
    const put = (at: number, field: string, value: number) => {
      (isInt(field) ? ints : reals)[k * WORDS + at] = value;
    };
    for (const field of I) put(slot('i', field), field, sample.i[field]);
    for (const field of J) put(slot('j', field), field, sample.j[field]);
    (['x', 'y', 'z', 'r2'] as const).forEach((field, c) => {
      put(D + c, field, sample.d[field]);
    });
  });
  return new Uint8Array(buffer);
}
