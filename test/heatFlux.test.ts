import { readFileSync } from 'node:fs';
import { createRegistry, defineAnalysis, heatFlux, ledgerKey } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, describe, expect, it } from 'vitest';
import { RunFolders } from './support/restarts.js';
import { runCli, Workplace } from './support/runCli.js';
import { runText } from './support/runText.js';

const folders = new RunFolders();
const work = new Workplace();
afterAll(() => {
  folders.remove();
  work.remove();
});

const LAGS = 4;
const STEPS = 26;
const FRAMES = 11;
const yaml = (steps: number, dumps: string) => `
configuration: { units: lj, seed: 3, deterministic: true }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${steps} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A] }
  - init_temperature: { temperature: 3.0 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.2 }]
dump_data: [${dumps}]
simulation: molecular_dynamics
`;
const analysis = (more = '') =>
  `heat_flux_autocorrelation: { every: 2, from: 6, lags: ${LAGS}, file: hfacf.csv${more} }`;

const table = (text: string) =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

describe.each([
  ['cpu', 'f64', 1e-9],
  ['webgpu', 'f32', 1e-3],
] as const)('heat_flux_autocorrelation on %s', (backend, precision, tolerance) => {
  it('is that of the fluxes of the function, and its integral the conductivity', async () => {
    const fluxes: number[][] = [];
    const temperatures: number[] = [];
    const recorder = defineAnalysis({
      name: 'record_fluxes',
      doc: 'Keeps the heat flux.',
      slots: {},
      every: () => 2,
      requires: [ledgerKey],
      async frame({ state }) {
        if (state.step < 6) return;
        const { jx, jy, jz, twice } = await heatFlux(state.get(ledgerKey));
        fluxes.push([jx, jy, jz]);
        temperatures.push(twice / 321);
      },
    });
    // The device is compared with the processor.
    await using context = await createExecutionContext({ backend: 'cpu', threads: 1 });
    await runText(yaml(STEPS, 'record_fluxes'), context, {
      operators: createRegistry().add(recorder),
    });
    expect(fluxes).toHaveLength(FRAMES);

    work.write({ 'in.yaml': yaml(STEPS, analysis(', plot: k.svg')) });
    const argv = ['run', work.path('in.yaml'), '--output', work.root, '--threads', '1'];
    const result = await runCli([...argv, '--backend', backend, '--precision', precision]);
    expect(result.code, result.err).toBe(0);
    const rows = table(readFileSync(work.path('hfacf.csv'), 'utf8'));
    expect(rows).toHaveLength(LAGS + 1);
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const product = (now: number, lag: number) =>
      mean(fluxes[now]!.map((j, k) => j * fluxes[now - lag]![k]!));
    const origins = Array.from({ length: FRAMES - LAGS }, (_, k) => k + LAGS);
    const exact = rows.map((_, lag) => mean(origins.map((now) => product(now, lag))));
    const factor = 108 / 0.8442 / mean(temperatures) ** 2;
    let integral = 0;
    rows.forEach(([time, value, error, conductivity, , count], lag) => {
      if (lag > 0) integral += ((exact[lag]! + exact[lag - 1]!) / 2) * 0.01 * factor;
      expect(time).toBeCloseTo(0.01 * lag, 12);
      expect(Math.abs(value! - exact[lag]!)).toBeLessThan(tolerance * exact[0]!);
      expect(Math.abs(conductivity! - integral)).toBeLessThan(tolerance * exact[0]! * factor);
      expect(error).toBeGreaterThan(0);
      expect(count).toBe(FRAMES - LAGS);
    });
    expect(readFileSync(work.path('k.svg'), 'utf8')).toContain('thermal conductivity');
  });
});

it('heat_flux_autocorrelation goes on from a checkpoint to the bit', async () => {
  const text = yaml(40, `${analysis()}, checkpoint: { frequency: 10, keep: 100 }`);
  await folders.compare('heat', text, {}, { from: [10, 20], files: ['hfacf.csv'] });
});
