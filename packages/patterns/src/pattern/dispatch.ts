import { CorpuscleError, type FieldBlock, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { GpuBackend } from '../context/loadGpuEngine.js';
import type { BackendName } from './chooseBackend.js';
import type { PatternEngine } from './PatternEngine.js';
import type { PatternHandle } from './PatternHandle.js';

/** What every pattern call takes besides its own options. */
export interface CallOptions {
  /** `false` keeps this call on the CPU. Default true. */
  readonly enableGpu?: boolean;
  /** Return before the work is done, where that is possible. Default false. */
  readonly asynchronous?: boolean;
  /** Overrides the backend the context was asked for. */
  readonly backend?: 'auto' | BackendName;
}

/**
 * Hands a call to its engine, in program order and with the newest data: a CPU call first gets what the device has
 * written since (its handle is then pending), a GPU call first lets background CPU jobs on the same blocks finish.
 *
 * @param ready what else must be there before the call starts; null when it is.
 */
export function dispatch<R>(
  ctx: ExecutionContext,
  backend: BackendName,
  blocks: readonly FieldBlock[],
  grid: Grid | undefined,
  start: (engine: PatternEngine) => PatternHandle<R>,
  ready: () => Promise<void> | null = nothing,
): PatternHandle<R> {
  if (ctx.closed)
    throw new CorpuscleError('CLOSED', 'the execution context is closed: make a new one');
  const { cpu, gpu, webgl } = ctx;
  if (backend === 'webgl' && webgl) {
    cpu.finish(blocks);
    return start(webgl);
  }
  if (gpu === null) {
    const waiting = ready();
    return waiting === null
      ? start(cpu)
      : ctx.order.run(
          () => waiting,
          () => start(cpu),
        );
  }
  if (backend === 'webgpu') {
    return ctx.order.run(ready, () => {
      cpu.finish(blocks);
      return start(gpu);
    });
  }
  return ctx.order.run(
    () => inTurn(ready, () => fetchNewest(gpu, blocks, grid)),
    () => start(cpu),
  );
}

const nothing = (): null => null;

/** One wait after the other; null when there is nothing to wait for. */
export function inTurn(
  first: () => Promise<void> | null,
  second: () => Promise<void> | null,
): Promise<void> | null {
  const waiting = first();
  return waiting === null ? second() : waiting.then(() => second() ?? undefined);
}

/** Starts to fetch the blocks that the device has written since the host last had them; null when there are none. */
export function fetchNewest(
  gpu: GpuBackend,
  blocks: readonly FieldBlock[],
  grid: Grid | undefined,
): Promise<void> | null {
  if (!gpu.idle) return gpu.started().then(() => fetchNewest(gpu, blocks, grid) ?? undefined);
  const stale = blocks.filter((block) => block.deviceVersion > block.hostVersion);
  return stale.length === 0 ? null : gpu.newestOnHost(stale, grid);
}
