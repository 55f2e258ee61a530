import { cpus, totalmem } from 'node:os';
import { exitCode } from '../exitCodes.js';
import type { Streams } from '../Streams.js';

/** `corpuscle info`: what there is to run on, and why the rest is not there. */
export async function info(streams: Streams): Promise<number> {
  const { availableThreads, probeGpu } = await import('@corpuscle/patterns');
  const line = (name: string, text: string) => streams.out(`${name.padEnd(12)}${text}\n`);
  line('corpuscle', '0.1.0');
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
  line('', 'precisions: f32 (f64 and mixed: not in this version, as WebGPU has no doubles)');
  line(
    '',
    `limits: buffer ${mebibytes(maxBufferSize)}, binding ${mebibytes(maxStorageBufferBindingSize)}, ${maxComputeInvocationsPerWorkgroup} invocations a workgroup`,
  );
  line('', `features: ${gpu.features.join(', ')}`);
  return exitCode.done;
}
