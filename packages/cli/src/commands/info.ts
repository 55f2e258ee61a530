import { cpus, totalmem } from 'node:os';
import type { DevicePrecisions, GpuInfo } from '@corpuscle/patterns';
import { type Card, cardsOf } from '../cards/cardsOf.js';
import { exitCode } from '../exitCodes.js';
import { version } from '../program/version.js';
import type { Streams } from '../Streams.js';

/** What they mean on WebGPU. */
const PRECISIONS = {
  f32: 'f32',
  mixed: 'mixed (pairs in f32, state and sums in pairs of floats)',
  f64: 'f64 (pairs of floats, 48 bits)',
} as const;

/** `corpuscle info`: what there is to run on, and why the rest is not there. */
export async function info(
  { json }: { readonly json: boolean },
  streams: Streams,
): Promise<number> {
  const { SharedHeap, withoutWideAddresses } = await import('@corpuscle/core');
  const { availableThreads, probeGpu, probePrecisions } = await import('@corpuscle/patterns');
  const gpu = await probeGpu();
  const cards = cardsOf();
  const found = gpu.available ? await probePrecisions() : null;
  const machine = {
    corpuscle: version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    threads: availableThreads(),
    cores: cpus().length,
    memory: totalmem(),
    addressed: new SharedHeap(1).largestLimit,
  };
  if (json) {
    const webgpu = { ...gpu, ...(gpu.available && { precisions: found?.precisions ?? ['f32'] }) };
    const numbered = cards.map(({ number, model }) => ({ number, model }));
    streams.out(`${JSON.stringify({ ...machine, webgpu, cards: numbered }, null, 2)}\n`);
    return exitCode.done;
  }
  const { node, platform, cpu, threads, cores, memory, addressed } = machine;
  const rows: [string, string][] = [
    ['corpuscle', version],
    ['node', `${node} on ${platform}`],
    ['cpu', cpu],
    ['threads', `${threads} of ${cores} cores`],
    [
      'memory',
      `${(memory / 2 ** 30).toFixed(1)} GiB; one run addresses at most ${addressed / 2 ** 30} GiB${withoutWideAddresses && ` (${withoutWideAddresses})`}`,
    ],
    ['precision', 'cpu: f64; mixed and f32 (pair kernels in single precision, state in double)'],
    ...gpuRows(gpu, found),
    ...cardRows(cards),
  ];
  for (const [name, text] of rows) streams.out(`${name.padEnd(12)}${text}\n`);
  return exitCode.done;
}

/** Where there are several: runs choose one, and ranks take one each. */
function cardRows(cards: readonly Card[]): [string, string][] {
  if (cards.length < 2) return [];
  const text = cards.map(({ number, model }) => `${number} ${model ?? 'NVIDIA'}`).join(', ');
  return [
    ['cards', `${text}; --ranks ${cards.length} takes all, CORPUSCLE_DEVICE=1 that of number 1`],
  ];
}

function gpuRows(gpu: GpuInfo, found: DevicePrecisions | null): [string, string][] {
  if (!gpu.available) return [['webgpu', `not available: ${gpu.reason}`]];
  const { maxBufferSize, maxStorageBufferBindingSize, maxComputeInvocationsPerWorkgroup } =
    gpu.limits;
  const mebibytes = (bytes: number | undefined) => `${Math.floor((bytes ?? 0) / 2 ** 20)} MiB`;
  const missing = found?.reason ? `; f64 and mixed: not here, ${found.reason}` : '';
  const precisions = (found?.precisions ?? ['f32']).map((name) => PRECISIONS[name]).join(', ');
  return [
    ['webgpu', `${gpu.adapter}${gpu.software ? ' (in software: slower than the CPU)' : ''}`],
    ['', `precisions: ${precisions}${missing}`],
    [
      '',
      `limits: buffer ${mebibytes(maxBufferSize)}, binding ${mebibytes(maxStorageBufferBindingSize)}, ${maxComputeInvocationsPerWorkgroup} invocations a workgroup`,
    ],
    ['', `features: ${gpu.features.join(', ')}`],
  ];
}
