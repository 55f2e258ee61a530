import type { Simulation } from '@corpuscle/core';
import type { ExecutionContext, ExecutionContextOptions } from '@corpuscle/patterns';
import type { RunOptions } from '../program/options.js';

/** Engines that several processes put around those of a context. */
export type EnginesAround = Required<Pick<ExecutionContextOptions, 'around' | 'aroundDevice'>>;

/** The backend of a run: options win over the configuration of the file, and ranks take cards only where these are asked for. */
export function backendFor(
  { configuration }: Simulation,
  options: Pick<RunOptions, 'backend'>,
  onRanks: boolean,
): string | undefined {
  const { backend = configuration.backend ?? 'auto' } = options;
  return onRanks && backend === 'auto' ? 'cpu' : backend;
}

/** The execution context of a run: options win over the configuration of the file. */
export async function contextFor(
  simulation: Simulation,
  options: Pick<RunOptions, 'backend' | 'threads' | 'precision' | 'lowering' | 'kernelLimit'>,
  around?: EnginesAround,
): Promise<ExecutionContext> {
  const { createExecutionContext } = await import('@corpuscle/patterns');
  const { configuration } = simulation;
  return createExecutionContext({
    backend: backendFor(simulation, options, around !== undefined),
    threads: options.threads ?? configuration.threads,
    precision: options.precision ?? configuration.precision,
    lowering: options.lowering,
    ...around,
    deterministic: configuration.deterministic,
    kernelLimit: options.kernelLimit || Number.POSITIVE_INFINITY,
  });
}
