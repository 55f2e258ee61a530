import { Domain } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { RandomSource } from '../../../../functor/test/support/RandomSource.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { fly } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { closedBehindTests, describeGpu, gpuContext } from '../../support/gpu.js';

describeGpu('a particle that leaves the cells along an open axis', () => {
  const opened = closedBehindTests();

  // Windows of 16 updates: later ones know where particles were two windows before.
  it.each([
    [false, 6, 1e-4],
    [true, 6, 1e-4],
    [true, 70, 1e-3],
  ])(
    'keeps its position through sorts on the device (ahead %s, %i steps)',
    async (ahead, steps, tolerance) => {
      const ctx = await opened(gpuContext());
      const random = new RandomSource(6);
      const places = Array.from(
        { length: 60 },
        () => [random.between(0, 6), random.between(0, 6), random.between(0, 6)] as const,
      );
      const domain = Domain.orthorhombic([6, 6, 6], { periodic: [false, true, false] });
      const grid = gridOf(ctx.heap, domain, places);
      const speeds = places.map((_, id) => (id === 7 ? 5.5 : id === 8 ? -4.25 : 0));
      grid.setValues('vx', speeds);
      grid.setValues(
        'vz',
        speeds.map((v) => -v),
      );
      const step = () =>
        updateNeighbors(grid, ctx, { rcut: 1.4, skin: 0.2, ...(ahead ? { ahead } : {}) });
      await step();
      for (let k = 0; k < steps; k++) {
        computeCellParticles(grid, fly, ctx, {});
        await step();
      }
      await newestOnHost(grid, ctx);
      const ids = grid.values('id');
      for (const [name, axis] of [
        ['rx', 0],
        ['rz', 2],
      ] as const) {
        const found = grid.values(name);
        ids.forEach((id, row) => {
          const wanted = places[id]![axis]! + (axis === 0 ? steps : -steps) * speeds[id]!;
          expect(Math.abs(found[row]! - wanted)).toBeLessThan(tolerance);
        });
      }
      grid.free();
    },
  );
});
