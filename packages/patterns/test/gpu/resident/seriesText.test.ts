import { Domain } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { listKernels } from '../../../src/kernels/listKernels.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { prepareReduction } from '../../../src/pattern/reduceCellParticles.js';
import { prepareNeighborLists, updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { prepareValues } from '../../../src/value/prepareValues.js';
import { attract, clear, control, drift, kick, rescale, speeds } from '../../golden/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { engineOf } from '../../support/gpu.js';

/** Steps of 400 particles on a device that runs nothing, so many. @param isControlled whether their kinetic energy is kept */
async function stepsOf(isControlled: boolean) {
  const { context } = await listKernels({ target: 'wgsl' });
  const next = sequence(3);
  const places = Array.from({ length: 400 }, () => [9 * next(), 9 * next(), 9 * next()] as const);
  const grid = gridOf(context.heap, Domain.orthorhombic([9, 9, 9]), places);
  const lists = { rcut: 1.5, skin: 0.5, ahead: true };
  await updateNeighbors(grid, context, lists);
  const sums = context.value({ energy: 0, fastest: 0 });
  const found = context.value({ scale: 1 });
  const [energy, scale] = [sums.of('energy'), found.of('scale')];
  const controlled = [
    prepareReduction(grid, speeds, {}, context, { into: sums }),
    prepareValues(control, context, { values: { energy, scale }, params: { target: 1 } }),
    prepareCellParticles(grid, rescale, context, { params: { scale } }),
  ];
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
    ...(isControlled ? controlled : []),
  ]);
  const run = async (steps: number) => {
    for (let k = 0; k < steps; k++) await step.run();
    await context.device!.finished();
  };
  const { counters, resident } = engineOf(context).gpu;
  return { context, run, device: counters, counters: resident.counters };
}

describe('a series of steps', () => {
  it('has one text with builds of lists and one without, however many there are', async () => {
    const { context, run, device, counters } = await stepsOf(false);
    const made = async (steps: number) => {
      await run(steps);
      return device.pipelines;
    };
    const first = await made(3000);
    const { series } = counters;
    expect(await made(3000)).toBe(first);
    expect(counters.series).toBeGreaterThan(series + 10);
    await context.close();
  });

  it('has no fewer steps where a step is several kernels', async () => {
    const lengths: number[] = [];
    for (const isControlled of [false, true]) {
      const { context, run, counters } = await stepsOf(isControlled);
      await run(4000);
      const { series, steps } = counters;
      await run(6000);
      lengths.push((counters.steps - steps) / (counters.series - series));
      await context.close();
    }
    const [alone, several] = lengths;
    expect(alone).toBeGreaterThan(100);
    expect(several).toBeGreaterThan(0.9 * alone!);
  });
});
