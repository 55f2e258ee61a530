import { cpus, totalmem } from 'node:os';
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
export async function info(streams: Streams): Promise<number> {
  const { availableThreads, probeGpu, probePrecisions } = await import('@corpuscle/patterns');
  const line = (name: string, text: string) => streams.out(`${name.padEnd(12)}${text}\n`);
  line('corpuscle', version);
  line('node', `${process.version} on ${process.platform} ${process.arch}`);
  line('cpu', cpus()[0]?.model.trim() ?? 'unknown');
  line('threads', `${availableThreads()} of ${cpus().length} cores`);
  line('memory', `${(totalmem() / 2 ** 30).toFixed(1)} GiB; one run addresses at most 4 GiB`);
  line('precision', 'cpu: f64; mixed and f32 (pair kernels in single precision, state in double)');
  const gpu = await probeGpu();
  if (!gpu.available) {
    line('webgpu', `not available: ${gpu.reason}`);
    return exitCode.done;
  }
  const { maxBufferSize, maxStorageBufferBindingSize, maxComputeInvocationsPerWorkgroup } =
    gpu.limits;
  const mebibytes = (bytes: number | undefined) => `${Math.floor((bytes ?? 0) / 2 ** 20)} MiB`;
  line('webgpu', `${gpu.adapter}${gpu.software ? ' (in software: slower than the CPU)' : ''}`);
  const found = await probePrecisions();
  const missing = found?.reason ? `; f64 and mixed: not here, ${found.reason}` : '';
  line(
    '',
    `precisions: ${(found?.precisions ?? ['f32']).map((name) => PRECISIONS[name]).join(', ')}${missing}`,
  );
  line(
    '',
    `limits: buffer ${mebibytes(maxBufferSize)}, binding ${mebibytes(maxStorageBufferBindingSize)}, ${maxComputeInvocationsPerWorkgroup} invocations a workgroup`,
  );
  line('', `features: ${gpu.features.join(', ')}`);
  return exitCode.done;
}
