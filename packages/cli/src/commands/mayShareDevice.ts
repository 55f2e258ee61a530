import type { Simulation } from '@corpuscle/core';
import type { RunOptions } from '../program/options.js';
import { backendFor } from './contextFor.js';

/** Whether the simulations of a matrix may take their steps together on a device: all ask for WebGPU, and none for what only a run by itself has. */
export const mayShareDevice = (
  simulations: readonly Simulation[],
  options: Pick<
    RunOptions,
    'backend' | 'precision' | 'threads' | 'profile' | 'trace' | 'plot' | 'retries' | 'log'
  >,
): boolean =>
  !options.profile &&
  options.trace === undefined &&
  options.plot === undefined &&
  options.log === undefined &&
  options.threads === undefined &&
  options.retries === 0 &&
  simulations.every((one) => {
    const { precision = 'f32', deterministic } = one.configuration;
    const isWebGpu = backendFor(one, options, false) === 'webgpu';
    return isWebGpu && (options.precision ?? precision) === 'f32' && !deterministic;
  });
