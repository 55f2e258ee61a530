import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const output = (name: string) => readFileSync(work.path(name), 'utf8');
const table = (name: string) =>
  output(name)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

const yaml = (steps: number) => `
configuration: { units: lj, seed: 3 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: 2 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A] }
  - init_temperature: { temperature: 3.0 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.2 }]
dump_data:
  - averages: { every: 2, from: 20, file: means.csv, plot: means.svg }
  - averages: { every: 2, from: 20, columns: [pressure, temperature], file: two.json }
  - stress_autocorrelation: { every: 2, from: 20, lags: 10, file: sacf.csv, plot: eta.svg }
simulation: molecular_dynamics
`;

async function run(text: string, ...more: string[]) {
  work.write({ 'run.yaml': text });
  const argv = ['run', work.path('run.yaml'), '--output', work.root, '--threads', '1', ...more];
  const result = await runCli(argv);
  expect(result.code, result.err).toBe(0);
  return result;
}

describe.each(['cpu', 'webgpu'])('averages and stress_autocorrelation on %s', (backend) => {
  it('are those of the rows of thermo.csv', async () => {
    await run(yaml(40), '--backend', backend);
    const rows = table('thermo.csv').filter(([step]) => step! >= 20);
    expect(rows).toHaveLength(11);
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const means = output('means.csv').trim().split('\n').slice(1);
    expect(means).toHaveLength(11);
    means.forEach((line, k) => {
      const [, value, error, deviation, samples] = line.split(',').map(Number);
      const column = rows.map((row) => row[k + 2]!);
      const m = mean(column);
      const spread = Math.sqrt(mean(column.map((x) => (x - m) ** 2)));
      expect(Math.abs(value! - m)).toBeLessThan(1e-10 * Math.max(1, Math.abs(m)));
      expect(Math.abs(deviation! - spread)).toBeLessThan(1e-6 * Math.max(spread, 1e-6));
      // As many blocks as samples, so far.
      expect(Math.abs(error! - spread / Math.sqrt(10))).toBeLessThan(1e-6 * Math.max(spread, 1e-6));
      expect(samples).toBe(11);
    });
    const two = JSON.parse(output('two.json'));
    expect(two.map(({ column }: { column: string }) => column)).toEqual([
      'pressure',
      'temperature',
    ]);

    const volume = 108 / 0.8442;
    const factor = volume / mean(rows.map((row) => row[2]!));
    // xx yy zz xy xz yz
    const p = rows.map(
      (row) => row.slice(7, 13) as [number, number, number, number, number, number],
    );
    const shears = p.map(([xx, yy, zz, xy, xz, yz]) => [
      xy,
      xz,
      yz,
      (xx - yy) / 2,
      (xx + yy - 2 * zz) / Math.sqrt(12),
    ]);
    let viscosity = 0;
    const sacf = Array.from({ length: 11 }, (_, lag) =>
      mean(shears.slice(lag).map((now, k) => mean(now.map((value, n) => value * shears[k]![n]!)))),
    );
    table('sacf.csv').forEach(([time, value, , eta, , origins], lag) => {
      if (lag > 0) viscosity += ((sacf[lag]! + sacf[lag - 1]!) / 2) * 0.01 * factor;
      expect(time).toBeCloseTo(0.01 * lag, 12);
      expect(Math.abs(value! - sacf[lag]!)).toBeLessThan(1e-9);
      expect(Math.abs(eta! - viscosity)).toBeLessThan(1e-9);
      expect(origins).toBe(11 - lag);
    });
    expect(output('eta.svg')).toContain('viscosity');
    expect(output('means.svg')).toContain('Means of temperature');
  });
});
