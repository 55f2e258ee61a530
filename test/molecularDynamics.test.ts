import {
  bussi,
  ForceLedger,
  initTemperature,
  langevin,
  lattice,
  lennardJonesForce,
  molecularDynamics,
  noseHooverChain,
  sampleThermo,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gridOf } from './support/particlesOf.js';

const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 });
let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx.close());

function melt(temperature = 1.44) {
  const grid = gridOf(lattice({ structure: 'fcc', density: 0.8442, repeat: [4, 4, 4] }), ctx);
  initTemperature(grid, { temperature, seed: 1 });
  return grid;
}

describe('molecularDynamics', () => {
  it('gives rows at every multiple of the frequency and at the last step', async () => {
    const { rows, steps } = await molecularDynamics(melt(), ctx, {
      forces: [term],
      dt: 0.005,
      steps: 25,
      skin: 0.3,
      thermoFrequency: 10,
    });
    expect(steps).toBe(25);
    expect(rows.map((row) => row.step)).toEqual([0, 10, 20, 25]);
    expect(rows[3]!.time).toBeCloseTo(0.125, 12);
  });

  it('holds a temperature with thermostats as functions', async () => {
    const run = { forces: [term], dt: 0.005, steps: 200, skin: 0.3, thermoFrequency: 10 };
    const runs = [
      { thermostats: [bussi.with({ temperature: 0.7, tau: 0.05 })] },
      { thermostats: [noseHooverChain.with({ temperature: 0.7, tau: 0.1 })] },
      { integrator: langevin.with({ temperature: 0.7, friction: 10 }) },
    ];
    for (const options of runs) {
      const { rows } = await molecularDynamics(melt(), ctx, { ...run, ...options });
      const late = rows.slice(10).map(({ temperature }) => temperature);
      const mean = late.reduce((sum, t) => sum + t, 0) / late.length;
      expect(Math.abs(mean - 0.7)).toBeLessThan(0.05);
    }
    expect(() => bussi.with({ temperature: 1 })).toThrow('bussi needs tau');
  });

  it.each([
    ['bussi', bussi.with({ temperature: 0.3, tau: 0.005, every: 5 }), [5, 10, 15, 20]],
    // After step 5 k, and before the next.
    [
      'nose_hoover',
      noseHooverChain.with({ temperature: 0.3, tau: 0.03, every: 5 }),
      [1, 5, 6, 10, 11, 15, 16, 20],
    ],
  ] as const)('lets %s act at the ends of so many steps only', async (_, thermostat, turns) => {
    for (const backend of ['cpu', 'webgpu'] as const) {
      await using context = await createExecutionContext({ backend, threads: 1 });
      const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [4, 4, 4] });
      const grid = gridOf(crystal, context);
      initTemperature(grid, { temperature: 1.44, seed: 1 });
      const coefficients = { epsilon: 1, sigma: 1, rcut: 2.5, shift: 'force' } as const;
      const soft = lennardJonesForce({ types: ['A'], ...coefficients });
      const { rows } = await molecularDynamics(grid, context, {
        forces: [soft],
        dt: 0.002,
        steps: 20,
        skin: 0.3,
        thermoFrequency: 1,
        thermostats: [thermostat],
      });
      const energies = rows.map((row) => row.total_energy);
      const changes = energies.slice(1).map((energy, k) => Math.abs(energy - energies[k]!) / 256);
      const acting = changes.flatMap((change, k) => (change > 1e-3 ? [k + 1] : []));
      expect(acting).toEqual(turns);
    }
  });

  it('names step and particle when a run blows up', async () => {
    const run = molecularDynamics(melt(), ctx, { forces: [term], dt: 5, steps: 50, skin: 0.3 });
    await expect(run).rejects.toMatchObject({
      code: 'NOT_FINITE',
      message: expect.stringMatching(/^the run blew up at step \d+ at particle \d+: its /),
    });
  });

  it('names two particles at the same place', async () => {
    const grid = melt();
    const rows = grid.rowsById();
    for (const name of ['rx', 'ry', 'rz']) {
      const values = grid.values(name);
      values[rows[200]!] = values[rows[17]!]!;
      grid.setValues(name, values);
    }
    const run = molecularDynamics(grid, ctx, { forces: [term], dt: 0.005, steps: 1, skin: 0.3 });
    await expect(run).rejects.toMatchObject({
      code: 'OVERLAP',
      message: expect.stringContaining('particles 17 and 200 are at the same place'),
    });
  });

  it('stops after the step it is in when it is interrupted', async () => {
    const stop = new AbortController();
    const { steps } = await molecularDynamics(melt(), ctx, {
      forces: [term],
      dt: 0.005,
      steps: 1000,
      skin: 0.3,
      thermoFrequency: 7,
      onThermo: (row) => row.step === 14 && stop.abort(),
      signal: stop.signal,
    });
    expect(steps).toBe(14);
  });

  it('refuses a cutoff beyond fifteen boxes', async () => {
    const far = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 400 });
    const run = molecularDynamics(melt(), ctx, { forces: [far], dt: 0.005, steps: 1, skin: 0.3 });
    await expect(run).rejects.toMatchObject({ code: 'BOX_TOO_THIN' });
  });
});

describe('ForceLedger', () => {
  it('gives the same totals and energies whether they were expected or not', async () => {
    const grid = melt();
    await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
    const ledger = new ForceLedger(grid, ctx);
    const evaluate = async (expected: boolean) => {
      ledger.begin({ totals: expected, energies: expected });
      ledger.add(term);
      ledger.add(term);
      const row = await sampleThermo(grid, ctx, { step: 0, time: 0, totals: ledger.totals() });
      await ledger.energies();
      return { row, forces: grid.values('fx'), energies: grid.values('ep') };
    };
    const hinted = await evaluate(true);
    const late = await evaluate(false);
    expect(late.row.potential_energy).toBeCloseTo(hinted.row.potential_energy, 9);
    expect(late.row.pxy).toBeCloseTo(hinted.row.pxy, 12);
    expect(late.forces).toEqual(hinted.forces);
    late.energies.forEach((value, k) => {
      expect(value).toBeCloseTo(hinted.energies[k]!, 12);
    });
  });
});
