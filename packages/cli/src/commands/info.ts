import { cpus, totalmem } from 'node:os';
import { exitCode } from '../exitCodes.js';
import type { Streams } from '../Streams.js';

/** `corpuscle info`: what there is to run on, and why the rest is not there. */
export async function info(streams: Streams): Promise<number> {
  const { availableThreads, createExecutionContext } = await import('@corpuscle/patterns');
  const line = (name: string, text: string) => streams.out(`${name.padEnd(12)}${text}\n`);
  line('corpuscle', '0.1.0');
  line('node', `${process.version} on ${process.platform} ${process.arch}`);
  line('cpu', cpus()[0]?.model.trim() ?? 'unknown');
  line('threads', `${availableThreads()} of ${cpus().length} cores`);
  line('memory', `${(totalmem() / 2 ** 30).toFixed(1)} GiB; one run addresses at most 4 GiB`);
  await using ctx = await createExecutionContext({ backend: 'auto', threads: 1 });
  const { gpu } = ctx;
  line('precision', 'cpu: f64; mixed and f32 (pair kernels in single precision, state in double)');
  if (!gpu) {
    line('webgpu', `not available: ${ctx.gpuReason}`);
    return exitCode.done;
  }
  line('webgpu', gpu.description);
  line('', `precisions: ${gpu.precisions.join(', ')}`);
  return exitCode.done;
}
