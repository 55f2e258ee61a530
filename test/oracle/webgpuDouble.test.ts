import {
  createGrid,
  ForceLedger,
  initTemperature,
  lattice,
  lennardJonesForce,
  molecularDynamics,
  sampleThermo,
  type ThermoRow,
} from '@corpuscle/operators';
import { createExecutionContext, type Precision, updateNeighbors } from '@corpuscle/patterns';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LammpsCase, lammpsCase, lammpsCases } from '../support/lammpsCase.js';
import { gridOf, largest, largestDifference, vectorsById } from '../support/particlesOf.js';
import { itLong, runs } from '../support/runs.js';

const STEPS = runs(40, 100);

const open = (precision: Precision) => createExecutionContext({ backend: 'webgpu', precision });

const pressures = (row: ThermoRow) => [
  row.pressure,
  row.pxx,
  row.pyy,
  row.pzz,
  row.pxy,
  row.pxz,
  row.pyz,
];

async function stepZero(reference: LammpsCase) {
  await using ctx = await open('f64');
  const grid = gridOf(reference.frame, ctx);
  const { term } = reference;
  await updateNeighbors(grid, ctx, { rcut: term.rcut, skin: 0.3 });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true });
  ledger.add(term);
  const row = await sampleThermo(grid, ctx, { step: 0, time: 0, totals: ledger.totals() });
  return { row, forces: await vectorsById(grid, ctx, 'force') };
}

// Pairs of floats instead of doubles: 48 bits, so that LAMMPS in doubles is met to twelve digits.
const small = lammpsCases.filter((name) => name !== 'melt4000');
describe.each(small)('LAMMPS %s on WebGPU, f64', (name) => {
  const reference = lammpsCase(name);

  itLong('step 0 agrees', async () => {
    const { row, forces } = await stepZero(reference);
    const [first] = reference.thermo;
    const off = largestDifference(forces, reference.forces) / largest(reference.forces);
    expect(off).toBeLessThan(1e-12);
    expect(Math.abs(row.potential_energy / first!.potential - 1)).toBeLessThan(1e-12);
    expect(Math.abs(row.temperature / first!.temperature - 1)).toBeLessThan(1e-12);
    const scale = largest(first!.pressure);
    expect(largestDifference(pressures(row), first!.pressure) / scale).toBeLessThan(1e-11);
  });
});

/** What lists, sorting, pair forces, integration and sums give together. */
async function run(backend: 'cpu' | 'webgpu', precision: Precision) {
  const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5, shift: 'force' });
  await using ctx = await createExecutionContext({ backend, precision, threads: 1 });
  const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [4, 4, 4] });
  const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
  initTemperature(grid, { temperature: 1.44, seed: 87287 });
  const { rows } = await molecularDynamics(grid, ctx, {
    forces: [term],
    dt: 0.004,
    steps: STEPS,
    skin: 0.3,
    thermoFrequency: 20,
  });
  const velocities = await vectorsById(grid, ctx, 'velocity');
  const momentum = [0, 1, 2].map((axis) =>
    Math.abs(velocities.reduce((sum, v, k) => (k % 3 === axis ? sum + v : sum), 0)),
  );
  // The crystal is left out: all of its pairs are rounded alike.
  const [, ...melt] = rows;
  return {
    energies: melt.map((row) => row.total_energy / grid.count),
    momentum: Math.max(...momentum) / grid.count,
  };
}

describe(`${STEPS} steps of NVE, 256 particles, on WebGPU`, () => {
  let exact: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    exact = await run('cpu', 'f64');
  });

  it('in double-single are those of doubles', async () => {
    const gpu = await run('webgpu', 'f64');
    expect(largestDifference(gpu.energies, exact.energies)).toBeLessThan(1e-11);
    expect(gpu.momentum).toBeLessThan(1e-14);
  });

  itLong('in mixed precision are as good as on the CPU', async () => {
    const cpu = await run('cpu', 'mixed');
    const gpu = await run('webgpu', 'mixed');
    // Integration errors of dt are common to all; what precision adds is in the difference.
    const added = (of: typeof exact) => largestDifference(of.energies, exact.energies);
    expect(added(gpu)).toBeLessThan(2 * added(cpu) + 5e-7);
    expect(gpu.momentum).toBeLessThan(1e-12);
  });
});
