import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Total energies of a run of 10 steps, and its summary. */
async function energies(backend: string, precision: string) {
  const global = '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 10, thermo_frequency: 5 }';
  work.write({ 'run.yaml': meltYaml({ global }) });
  const folder = work.path(`${backend}-${precision}`);
  const asked = ['--backend', backend, '--threads', '1', '--precision', precision];
  const result = await runCli(['run', work.path('run.yaml'), '--output', folder, ...asked]);
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(result.out).toMatch(new RegExp(`precision +${precision}\\n`));
  const [header, ...rows] = readFileSync(`${folder}/thermo.csv`, 'utf8').trimEnd().split('\n');
  const column = header!.split(',').indexOf('total_energy');
  return rows.map((row) => Number(row.split(',')[column]));
}

it('a run from a file has the digits of f64 on WebGPU too', { timeout: 120_000 }, async () => {
  const exact = await energies('cpu', 'f64');
  const found = await energies('webgpu', 'f64');
  found.forEach((energy, k) => {
    expect(Math.abs(energy / exact[k]! - 1)).toBeLessThan(1e-12);
  });
});
