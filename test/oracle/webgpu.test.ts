import { ForceLedger, molecularDynamics, sampleThermo } from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lammpsCase, lammpsCases } from '../support/lammpsCase.js';
import {
  gridOf,
  largest,
  largestDifference,
  relativeRms,
  vectorsById,
} from '../support/particlesOf.js';

// The same functors on WebGPU, single precision: what f32 can give is 6e-8 a number, some ten operations deep.
describe.each(lammpsCases)('LAMMPS %s on WebGPU, f32', (name) => {
  const reference = lammpsCase(name);
  let ctx: ExecutionContext;
  beforeAll(async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    ctx = await createExecutionContext({ backend: 'webgpu', precision: 'f32' });
  });
  afterAll(() => ctx?.close());

  it('step 0 agrees', async () => {
    const grid = gridOf(reference.frame, ctx);
    const { term, thermo } = reference;
    await updateNeighbors(grid, ctx, { rcut: term.rcut, skin: 0.3 });
    const ledger = new ForceLedger(grid, ctx);
    ledger.begin({ totals: true });
    ledger.add(term);
    const row = await sampleThermo(grid, ctx, { step: 0, time: 0, totals: ledger.totals() });
    const forces = await vectorsById(grid, ctx, 'force');
    const [first] = thermo;
    expect(Math.abs(row.potential_energy / first!.potential - 1)).toBeLessThan(2e-6);
    expect(Math.abs(row.temperature / first!.temperature - 1)).toBeLessThan(2e-6);
    const pressure = [row.pressure, row.pxx, row.pyy, row.pzz, row.pxy, row.pxz, row.pyz];
    expect(largestDifference(pressure, first!.pressure) / largest(first!.pressure)).toBeLessThan(
      2e-5,
    );
    expect(relativeRms(forces, reference.forces)).toBeLessThan(1e-5);
  });

  it('keeps to the energy of the reference for 20 steps', async () => {
    const grid = gridOf(reference.frame, ctx);
    const { rows } = await molecularDynamics(grid, ctx, {
      forces: [reference.term],
      dt: reference.dt,
      steps: 20,
      skin: 0.3,
      thermoFrequency: 10,
    });
    // Truncated potentials: in f32 a pair more or less within the cutoff changes the energy by 0.016.
    rows.forEach((row, k) => {
      expect(Math.abs(row.total_energy / reference.thermo[k]!.total - 1)).toBeLessThan(2e-5);
    });
  });
});
