import type { SharedHeap } from '@corpuscle/core';
import { afterEach, describe } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { findAdapter } from '../../src/gpu/device/findAdapter.js';
import type { GpuDevice } from '../../src/gpu/device/GpuDevice.js';
import type { GpuEngine } from '../../src/gpu/GpuEngine.js';
import { type GpuEngineOptions, openGpuEngine } from '../../src/gpu/openGpuEngine.js';
import type { Precision } from '../../src/plan/chooseBackend.js';

const { info } = await findAdapter({ software: true });

/**
 * Tests that need WebGPU. They run on hardware, or on the software adapter from npm; without either they are skipped on a
 * developer's machine and fail where CI=true.
 */
export const describeGpu: (name: string, body: () => void) => void =
  info.available || process.env.CI === 'true' ? describe : describe.skip;

/** An engine without a context; its caller closes it. */
export async function openEngine(options: GpuEngineOptions = {}): Promise<GpuEngine> {
  const engine = await openGpuEngine({ software: true, ...options });
  if ('unavailable' in engine) throw new Error(engine.unavailable);
  return engine;
}

/** A context on WebGPU; its caller closes it. */
export function gpuContext(
  heap?: SharedHeap,
  precision: Precision = 'f32',
): Promise<ExecutionContext> {
  return createExecutionContext({ backend: 'webgpu', precision, ...(heap ? { heap } : {}) });
}

/** A context on a device that allows less. */
export async function contextWith(
  limits: Partial<GpuDevice['limits']>,
  precision: Precision = 'f32',
): Promise<ExecutionContext> {
  const ctx = await gpuContext(undefined, precision);
  const { gpu } = engineOf(ctx);
  Object.defineProperty(gpu, 'limits', { value: { ...gpu.limits, ...limits } });
  return ctx;
}

/** Notes contexts, which are closed after each test of the suite that calls this. */
export function closedBehindTests(): (
  context: Promise<ExecutionContext>,
) => Promise<ExecutionContext> {
  const contexts: ExecutionContext[] = [];
  afterEach(async () => {
    for (const ctx of contexts.splice(0)) await ctx.close();
  });
  return async (context) => {
    contexts.push(await context);
    return context;
  };
}

/** Words of a buffer as they are after everything recorded so far. */
export async function wordsOf(
  ctx: ExecutionContext,
  buffer: GPUBuffer,
  count: number,
): Promise<ArrayBuffer> {
  const readback = engineOf(ctx).gpu.stream.read(buffer, 4 * count);
  readback.flush();
  return readback.data;
}

/** The engine of a GPU context, with its counters. */
export const engineOf = (ctx: ExecutionContext): GpuEngine => ctx.engines.accelerator as GpuEngine;
