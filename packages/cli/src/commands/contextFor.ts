import type { Simulation } from '@corpuscle/core';
import type { ExecutionContext, ExecutionContextOptions } from '@corpuscle/patterns';
import type { RunOptions } from '../program/options.js';

/** Engines that several processes put around those of a context. */
export type EnginesAround = Required<Pick<ExecutionContextOptions, 'around' | 'aroundDevice'>>;

/** The execution context of a run: options win over the configuration of the file. */
export async function contextFor(
  { configuration }: Simulation,
  options: Pick<RunOptions, 'backend' | 'threads' | 'precision' | 'lowering' | 'kernelLimit'>,
  around?: EnginesAround,
): Promise<ExecutionContext> {
  const { createExecutionContext } = await import('@corpuscle/patterns');
  const asked = options.backend ?? configuration.backend;
  return createExecutionContext({
    // Ranks take cards where these are asked for.
    backend: around && (asked ?? 'auto') === 'auto' ? 'cpu' : asked,
    threads: options.threads ?? configuration.threads,
    precision: options.precision ?? configuration.precision,
    lowering: options.lowering,
    ...around,
    deterministic: configuration.deterministic,
    kernelLimit: options.kernelLimit || Number.POSITIVE_INFINITY,
  });
}
