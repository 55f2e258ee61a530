import {
  initTemperature,
  lattice,
  lennardJonesForce,
  molecularDynamics,
} from '@corpuscle/operators';
import { createExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { gridOf } from '../support/particlesOf.js';

// 864 particles, density 0.8442, T0 = 1.44, rc 2.5, t = 2.5 with exact lists in f64. Temperatures at t = 0.5 and the
// largest |E(t) − E(0)|/N seen are those of an independent implementation.
const table = [
  { shift: 'none', dt: 0.005, t: 0.752089605, drift: 9.5e-3 },
  { shift: 'energy', dt: 0.005, t: 0.752089605, drift: 5.1e-5 },
  { shift: 'energy', dt: 0.0025, t: 0.752295815, drift: 1.7e-5 },
  { shift: 'force', dt: 0.005, t: 0.752743947, drift: 8.4e-5 },
  { shift: 'force', dt: 0.0025, t: 0.752953962, drift: 2.7e-5 },
] as const;

describe('conservation in NVE', () => {
  it.each(table)('shift $shift, dt $dt', async ({ shift, dt, t, drift }) => {
    await using ctx = await createExecutionContext({ backend: 'cpu' });
    const grid = gridOf(lattice({ structure: 'fcc', density: 0.8442, repeat: [6, 6, 6] }), ctx);
    initTemperature(grid, { temperature: 1.44, seed: 87287, method: 'lammps_geom' });
    const { rows } = await molecularDynamics(grid, ctx, {
      forces: [lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5, shift })],
      dt,
      steps: Math.round(2.5 / dt),
      skin: 0.3,
      thermoFrequency: Math.round(0.5 / dt),
    });
    expect(Math.abs(rows[1]!.temperature - t)).toBeLessThan(2e-9); // nine decimals are given
    const largest = Math.max(
      ...rows.map((row) => Math.abs(row.total_energy - rows[0]!.total_energy)),
    );
    expect(largest / grid.count).toBeLessThan(1.2 * drift);
    await newestOnHost(grid, ctx);
    for (const name of ['vx', 'vy', 'vz'])
      expect(Math.abs(grid.values(name).reduce((sum, v) => sum + v, 0))).toBeLessThan(1e-11);
  });
});
