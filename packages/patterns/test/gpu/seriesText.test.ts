import { Domain } from '@corpuscle/core';
import { describe, expect, it, vi } from 'vitest';
import { residentSource } from '../../src/gpu/resident/residentSource.js';
import { listKernels } from '../../src/kernels/listKernels.js';
import { prepareCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../src/pattern/computeCellParticles.js';
import { prepareStep } from '../../src/pattern/prepareStep.js';
import { prepareNeighborLists, updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import { attract, clear, drift, kick } from '../golden/functors.js';
import { gridOf } from '../shared/grids.js';
import { sequence } from '../shared/oracle.js';
import { engineOf } from '../support/gpu.js';

vi.mock('../../src/gpu/resident/residentSource.js', { spy: true });

describe('a series of steps', () => {
  it('has one text with builds of lists and one without, however many there are', async () => {
    const { context } = await listKernels({ target: 'wgsl' });
    const next = sequence(3);
    const places = Array.from({ length: 400 }, () => [9 * next(), 9 * next(), 9 * next()] as const);
    const grid = gridOf(context.heap, Domain.orthorhombic([9, 9, 9]), places);
    const lists = { rcut: 1.5, skin: 0.5, ahead: true };
    await updateNeighbors(grid, context, lists);
    const step = prepareStep(context, [
      prepareCellParticles(grid, kick, context, { params: { halfDt: 0.1 } }),
      prepareCellParticles(grid, drift, context, { params: { dt: 0.1 } }),
      prepareNeighborLists(grid, context, lists),
      prepareCellParticles(grid, clear, context),
      prepareCellParticlePairs(grid, attract, context, {
        rcut: lists.rcut,
        params: { epsilon: 1, sigma2: 1 },
        outputs: { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'none' },
      }),
    ]);
    const made = async (steps: number) => {
      for (let k = 0; k < steps; k++) await step.run();
      await context.device!.finished();
      return vi.mocked(residentSource).mock.calls.length;
    };
    const first = await made(1000);
    const { series } = engineOf(context).gpu.resident.counters;
    expect(await made(3000)).toBe(first);
    expect(engineOf(context).gpu.resident.counters.series).toBeGreaterThan(series + 10);
    await context.close();
  });
});
