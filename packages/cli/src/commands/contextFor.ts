import type { Simulation } from '@corpuscle/core';
import type { ExecutionContext, HostEngine } from '@corpuscle/patterns';
import type { RunOptions } from '../program/options.js';

/** The execution context of a run: options win over the configuration of the file. */
export async function contextFor(
  { configuration }: Simulation,
  options: Pick<RunOptions, 'backend' | 'threads' | 'precision' | 'lowering' | 'kernelLimit'>,
  around?: (engine: HostEngine) => HostEngine,
): Promise<ExecutionContext> {
  const { createExecutionContext } = await import('@corpuscle/patterns');
  return createExecutionContext({
    // Ranks divide what the CPU computes.
    backend: around ? 'cpu' : (options.backend ?? configuration.backend),
    threads: options.threads ?? configuration.threads,
    precision: options.precision ?? configuration.precision,
    lowering: options.lowering,
    around,
    deterministic: configuration.deterministic,
    kernelLimit: options.kernelLimit || Number.POSITIVE_INFINITY,
  });
}
