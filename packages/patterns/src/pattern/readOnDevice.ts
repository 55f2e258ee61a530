import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { DeviceParticles } from '../engine/DeviceParticles.js';
import type { PatternHandle } from '../handles/PatternHandle.js';

/**
 * Lets a program read particles where they are on a device, to draw them for instance: nothing comes to the host.
 * @param read called once, in the order of calls; what it submits to the queue finds the state after all calls before.
 * @throws CorpuscleError BACKEND_UNAVAILABLE where the context has no WebGPU; UNKNOWN_FIELD.
 * @example
 * readOnDevice(grid, ctx, ['position', 'type'], ({ device, blocks }) => draw(device, blocks));
 */
export function readOnDevice(
  grid: Grid,
  ctx: ExecutionContext,
  blockNames: readonly string[],
  read: (particles: DeviceParticles) => void,
): PatternHandle<void> {
  if (ctx.closed)
    throw new CorpuscleError('CLOSED', 'the execution context is closed: make a new one');
  ctx.enter();
  const blocks = blockNames.map((name) => grid.block(name));
  const { host, accelerator } = ctx.engines;
  const device = accelerator?.device;
  if (!device?.readBlocks)
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      `particles are read on a device of WebGPU, and this context has none (${ctx.engines.reason}): make it with backend webgpu`,
    );
  return ctx.order.run(
    () => {
      host.finish(blocks);
      return null;
    },
    () => device.readBlocks!(grid, blocks, read),
  );
}
