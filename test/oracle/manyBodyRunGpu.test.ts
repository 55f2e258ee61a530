import {
  createGrid,
  initTemperature,
  lattice,
  molecularDynamics,
  silicon,
  stillingerWeberForce,
} from '@corpuscle/operators';
import { createExecutionContext, type Precision } from '@corpuscle/patterns';
import { beforeAll, describe, expect } from 'vitest';
import { largestDifference, vectorsById } from '../support/particlesOf.js';
import { itLong } from '../support/runs.js';

const STEPS = 100;

/** Steps of silicon; pairs, triplets and what neighbors receive together. */
async function run(backend: 'cpu' | 'webgpu', precision: Precision) {
  await using ctx = await createExecutionContext({ backend, precision, threads: 1 });
  const crystal = lattice({ structure: 'diamond', latticeConstant: 5.431, repeat: [2, 2, 2] });
  const grid = createGrid(crystal, [{ name: 'A', mass: 28.085 }], ctx.heap);
  initTemperature(grid, { temperature: 0.1, seed: 11 });
  const { rows } = await molecularDynamics(grid, ctx, {
    forces: [stillingerWeberForce({ types: ['A'], triplets: [silicon] })],
    dt: 0.05,
    steps: STEPS,
    skin: 0.4,
    thermoFrequency: 25,
  });
  const velocities = await vectorsById(grid, ctx, 'velocity');
  const momentum = [0, 1, 2].map((axis) =>
    Math.abs(velocities.reduce((sum, v, k) => (k % 3 === axis ? sum + v : sum), 0)),
  );
  const energies = rows.map((row) => row.total_energy / grid.count);
  return { energies, potential: rows.map((row) => row.potential_energy), momentum };
}

describe(`${STEPS} steps of NVE, 64 particles of silicon, on WebGPU`, () => {
  let exact: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    exact = await run('cpu', 'f64');
  });

  itLong('in double-single are those of doubles', async () => {
    const gpu = await run('webgpu', 'f64');
    expect(exact.potential.at(-1)! - exact.potential[0]!).toBeGreaterThan(1);
    expect(largestDifference(gpu.energies, exact.energies)).toBeLessThan(1e-11);
    expect(Math.max(...gpu.momentum)).toBeLessThan(1e-11);
  });

  itLong('in mixed precision add the rounding of floats and no drift', async () => {
    const gpu = await run('webgpu', 'mixed');
    expect(largestDifference(gpu.energies, exact.energies)).toBeLessThan(2e-6);
    // A corner's recoil is a rounded sum of two forces.
    expect(Math.max(...gpu.momentum)).toBeLessThan(1e-7);
  });
});
