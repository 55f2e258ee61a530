import { ForceLedger, molecularDynamics, sampleThermo, type ThermoRow } from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContextOptions,
  updateNeighbors,
} from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { type LammpsCase, lammpsCase, lammpsCases } from '../support/lammpsCase.js';
import {
  gridOf,
  largest,
  largestDifference,
  relativeRms,
  vectorsById,
} from '../support/particlesOf.js';

const SKIN = 0.3;
const machines: ExecutionContextOptions[] = [
  { backend: 'cpu', threads: 1, lowering: 'simd' },
  { backend: 'cpu', threads: 2, lowering: 'simd' },
  { backend: 'cpu', threads: 1, lowering: 'scalar' },
  { backend: 'cpu', threads: 1, lowering: 'javascript' },
  { backend: 'cpu', threads: 2, lowering: 'javascript' },
];

async function stepZero(reference: LammpsCase, options: ExecutionContextOptions) {
  await using ctx = await createExecutionContext(options);
  const grid = gridOf(reference.frame, ctx);
  const { term } = reference;
  await updateNeighbors(grid, ctx, { rcut: term.rcut, skin: SKIN });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true });
  ledger.add(term);
  const row = await sampleThermo(grid, ctx, { step: 0, time: 0, totals: ledger.totals() });
  return { row, forces: await vectorsById(grid, ctx, 'force') };
}

const tensorOf = (row: ThermoRow) => [
  row.pressure,
  row.pxx,
  row.pyy,
  row.pzz,
  row.pxy,
  row.pxz,
  row.pyz,
];

describe.each(lammpsCases)('LAMMPS %s', (name) => {
  const reference = lammpsCase(name);

  // The reference prints fifteen digits, so that 1e-14 of a number is all it says.
  it.each(machines)('step 0 agrees: $lowering, $threads thread(s)', async (options) => {
    const { row, forces } = await stepZero(reference, options);
    const [first] = reference.thermo;
    expect(Math.abs(row.potential_energy / first!.potential - 1)).toBeLessThan(1e-12);
    expect(Math.abs(row.total_energy / first!.total - 1)).toBeLessThan(1e-12);
    expect(Math.abs(row.temperature / first!.temperature - 1)).toBeLessThan(1e-12);
    const scale = largest(first!.pressure);
    expect(largestDifference(tensorOf(row), first!.pressure) / scale).toBeLessThan(1e-11);
    expect(largestDifference(forces, reference.forces) / largest(reference.forces)).toBeLessThan(
      1e-10,
    );
  });

  // Pair kernels in single precision, state in double: as WebGPU's tolerances.
  it.each(['mixed', 'f32'] as const)('step 0 agrees in precision %s', async (precision) => {
    const { row, forces } = await stepZero(reference, { backend: 'cpu', threads: 1, precision });
    const [first] = reference.thermo;
    expect(Math.abs(row.potential_energy / first!.potential - 1)).toBeLessThan(2e-6);
    expect(relativeRms(forces, reference.forces)).toBeLessThan(1e-5);
  });

  it.each(machines.slice(0, 2))(
    'total energy agrees along 200 steps: $lowering, $threads thread(s)',
    async (options) => {
      await using ctx = await createExecutionContext(options);
      const grid = gridOf(reference.frame, ctx);
      const { rows } = await molecularDynamics(grid, ctx, {
        forces: [reference.term],
        dt: reference.dt,
        steps: reference.steps,
        skin: SKIN,
        thermoFrequency: 10,
      });
      expect(rows.map((row) => row.step)).toEqual(reference.thermo.map((row) => row.step));
      rows.forEach((row, k) => {
        expect(Math.abs(row.total_energy / reference.thermo[k]!.total - 1)).toBeLessThan(1e-7);
      });
    },
  );
});
