import { Domain } from '@corpuscle/core';
import { expect } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { describeImages, FreeFlight } from '../../shared/imageBodies.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

describeGpu('on the device', () => {
  // Flights go some hundred lengths from cells: rounding of f32.
  describeImages('webgpu', () => gpuContext(), 1e-3);
  const boxes = runs<Parameters<typeof describeImages>[3]>(['a cube'], undefined);
  describeImages('webgpu, f64', () => gpuContext(undefined, 'f64'), 1e-9, boxes);

  itOnce('counts boxes once where steps are made again', async () => {
    const ctx = await gpuContext();
    const flight = new FreeFlight(ctx, Domain.orthorhombic([9, 9, 9]), 300);
    for (let step = 0; step < 120; step++) {
      flight.fly(step % 40 < 31 ? 0.001 : 0.02);
      updateNeighbors(flight.grid, ctx, { rcut: 1.5, skin: 0.3, ahead: true });
      if (!engineOf(ctx).idle) await engineOf(ctx).started();
    }
    expect(await flight.error()).toBeLessThan(1e-4);
    expect(engineOf(ctx).speculation.repeats).toBeGreaterThan(0);
    await ctx.close();
  });
});
