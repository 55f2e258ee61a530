import { CorpuscleError, SharedHeap } from '@corpuscle/core';
import { openSharedDevice } from './builtinEngines.js';
import { createExecutionContext } from './createExecutionContext.js';
import type { ExecutionContext } from './ExecutionContext.js';
import type { ExecutionContextOptions } from './ExecutionContextOptions.js';

/** What the context of a replica is made with: the device is shared, and so is memory. */
export type ReplicaOptions = Pick<ExecutionContextOptions, 'lowering' | 'kernelLimit'>;

/**
 * Simulations side by side on one WebGPU device: up to 4,096 particles each, in boxes that are periodic. Steps that need nothing of the
 * host are taken by all of one kind in one dispatch. What each computes is its own: a context, random numbers, files.
 */
export interface Replicas extends AsyncDisposable {
  /** Resolves when the first of them begins to wait for the others, and says true; false where it takes its steps alone. */
  readonly mayShare: Promise<boolean>;
  /** Makes the context of one of them, whose precision is f32; its caller closes it. Others do not wait for it from then on. */
  context(options?: ReplicaOptions): Promise<ExecutionContext>;
  /** So many will not come: the others do not wait for them. */
  expectLess(count: number): void;
}

/**
 * Opens a device for so many simulations.
 *
 * @throws CorpuscleError NO_ADAPTER where there is no device, INVALID_VALUE for less than one.
 * @example
 * import { openReplicas } from '@corpuscle/patterns/replicas';
 * await using replicas = await openReplicas(64);
 * await Promise.all(simulations.map(async (simulation, k) => {
 *   await using context = await replicas.context();
 *   await runSimulation(simulation, { context, outputDirectory: `seed=${k}` });
 * }));
 */
export async function openReplicas(count: number): Promise<Replicas> {
  if (!Number.isInteger(count) || count < 1)
    throw new CorpuscleError('INVALID_VALUE', `${count} replicas: give a whole number from 1 on`);
  const shared = await openSharedDevice(count);
  if ('unavailable' in shared)
    throw new CorpuscleError(
      'NO_ADAPTER',
      `replicas take their steps on a WebGPU device, but ${shared.unavailable}`,
    );
  const { device, group, close } = shared;
  const heap = new SharedHeap();
  return {
    mayShare: group.mayShare,
    context: (options = {}) =>
      createExecutionContext({
        ...options,
        ...{ backend: 'webgpu', precision: 'f32', threads: 1, heap, device },
        aroundDevice: shared.join,
      }),
    expectLess: (less) => group.expectLess(less),
    [Symbol.asyncDispose]: close,
  };
}
