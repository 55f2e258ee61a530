import { Domain, Grid } from '@corpuscle/core';
import { type ExecutionContext, readOnDevice } from '@corpuscle/patterns';
import { Pipelines } from './draw/Pipelines.js';
import type { Look } from './Look.js';

/**
 * Compiles what pictures are drawn by on the device of a context, before there are particles: the first picture comes sooner.
 *
 * @param look of the pictures: without a box a third of the work is left out.
 * @throws CorpuscleError BACKEND_UNAVAILABLE where the context has no WebGPU.
 * @example
 * const compiled = compileView(ctx);
 * await setUpParticles();
 * await compiled;
 */
export async function compileView(
  context: ExecutionContext,
  { box = true }: Pick<Look, 'box'> = {},
): Promise<void> {
  const nothing = new Grid(context.heap, Domain.orthorhombic([1, 1, 1]));
  let compiled: Promise<void> | null = null;
  await readOnDevice(nothing, context, [], ({ device }) => {
    compiled = Pipelines.of(device).compile({ hasSegments: box });
  });
  nothing.free();
  await compiled;
}
