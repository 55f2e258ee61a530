import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

it('rows of a device are those of the box of their step, as on the CPU', async () => {
  work.write({
    'run.yaml': `configuration: { units: lj, seed: 4 }
global: { dt: 0.003, rcut_inc: 0.4, end_iteration: 60, thermo_frequency: 5 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.9, repeat: [3, 3, 3], types: [A] }
  - init_temperature: { temperature: 0.1 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 1.8 }]
after_drift: [deform: { rate: { xz: 0.3 } }]
simulation: molecular_dynamics
`,
  });
  const rowsOf = async (backend: string): Promise<number[][]> => {
    const output = work.path(backend);
    const argv = ['run', work.path('run.yaml'), '--output', output, '--backend', backend];
    const result = await runCli(argv);
    expect(result.code, result.err).toBe(0);
    const [, ...lines] = readFileSync(`${output}/thermo.csv`, 'utf8').trim().split('\n');
    return lines.map((line) => line.split(',').map(Number));
  };
  const [cpu, webgpu] = [await rowsOf('cpu'), await rowsOf('webgpu')];
  expect(cpu).toHaveLength(13);
  // The shear of one step changes stresses by 0.02; singles by less than 1e-3.
  cpu.forEach((row, n) => {
    row.slice(3).forEach((value, k) => {
      const error = Math.abs(webgpu[n]![3 + k]! - value);
      expect(error, `row ${n}, column ${3 + k}`).toBeLessThan(2e-3 + 1e-5 * Math.abs(value));
    });
  });
});
