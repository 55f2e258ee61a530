import { SharedHeap } from '@corpuscle/core';
import {
  createGrid,
  initTemperature,
  kick,
  kickDrift,
  lattice,
  lennardJonesForce,
  molecularDynamics,
} from '@corpuscle/operators';
import {
  computeCellParticles,
  createExecutionContext,
  type ExecutionContext,
  type ExecutionContextOptions,
  updateNeighbors,
} from '@corpuscle/patterns';
import { expect, it } from 'vitest';

const rcut = 2.5;
const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut });
const context = (options: ExecutionContextOptions = {}) =>
  createExecutionContext({ backend: 'cpu', threads: 1, heap: new SharedHeap(), ...options });

function melt(ctx: ExecutionContext, repeat: number) {
  const frame = lattice({ structure: 'fcc', density: 0.8442, repeat: [repeat, repeat, repeat] });
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
  initTemperature(grid, { temperature: 1.44, seed: 87287 });
  return grid;
}

/** Steps of a melt; the skins of its lists. */
function skins(ctx: ExecutionContext, repeat: number, steps: number): (number | undefined)[] {
  const grid = melt(ctx, repeat);
  const dt = 0.005;
  const seen: (number | undefined)[] = [];
  for (let step = 0; step < steps; step++) {
    const { rebuilt, tunedSkin } = updateNeighbors(grid, ctx, { rcut }).value;
    if (rebuilt) seen.push(tunedSkin);
    term.compute(grid, ctx, { forces: true, energies: false, totals: false });
    computeCellParticles(grid, kick, ctx, { params: { halfDt: dt / 2 } });
    computeCellParticles(grid, kickDrift, ctx, { params: { dt, halfDt: dt / 2 } });
    grid.setValues('fx', new Float64Array(grid.count));
    grid.setValues('fy', new Float64Array(grid.count));
    grid.setValues('fz', new Float64Array(grid.count));
  }
  return seen;
}

it('is chosen by the CPU engine, from 0.12 rcut on, and told', async () => {
  await using ctx = await context();
  const seen = skins(ctx, 6, 120);
  expect(seen[0]).toBeCloseTo(0.3, 12);
  expect(seen.length).toBeGreaterThan(5);
  for (const skin of seen) {
    expect(skin).toBeGreaterThan(0.02);
    expect(skin).toBeLessThan(0.61 * rcut);
  }
});

it('stays as it was where the context is deterministic', async () => {
  await using ctx = await context({ deterministic: true });
  expect(new Set(skins(ctx, 5, 60))).toEqual(new Set([undefined]));
});

it('stays within what the box allows', async () => {
  await using ctx = await context();
  const width = 3 * Math.cbrt(4 / 0.8442); // 5.04: hardly twice the cutoff
  for (const skin of skins(ctx, 3, 60)) expect(rcut + skin!).toBeLessThanOrEqual(width);
});

it('changes nothing but the order of sums', async () => {
  const rows = async (skin: number | 'auto') => {
    await using ctx = await context();
    const options = { forces: [term], dt: 0.005, steps: 80, skin, thermoFrequency: 20 };
    return (await molecularDynamics(melt(ctx, 5), ctx, options)).rows;
  };
  const [tuned, fixed] = [await rows('auto'), await rows(0.3)];
  tuned.forEach((row, k) => {
    const { potential_energy, pressure } = fixed[k]!;
    expect(Math.abs(row.potential_energy / potential_energy - 1)).toBeLessThan(1e-9);
    expect(Math.abs(row.pressure / pressure - 1)).toBeLessThan(1e-8);
  });
});

it('momentum is kept to the rounding of doubles in mixed precision, on any number of threads', async () => {
  for (const threads of [1, 2]) {
    await using ctx = await context({ precision: 'mixed', threads });
    const grid = melt(ctx, 6);
    await molecularDynamics(grid, ctx, { forces: [term], dt: 0.005, steps: 100 });
    for (const name of ['vx', 'vy', 'vz']) {
      const total = grid.values(name).reduce((sum, v) => sum + v, 0);
      expect(Math.abs(total) / Math.sqrt(grid.count)).toBeLessThan(2e-13);
    }
  }
});
