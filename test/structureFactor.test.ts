import { afterAll, expect, it } from 'vitest';
import { RunFolders } from './support/restarts.js';

const folders = new RunFolders();
afterAll(() => folders.remove());

const DENSITY = 0.8;
const yaml = `
configuration: { units: lj, seed: 3, deterministic: true }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 600, thermo_frequency: 300 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: ${DENSITY}, repeat: [5, 5, 5], types: [A] }
  - init_temperature: { temperature: 3.0 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
dump_data:
  - structure_factor: { every: 20, from: 200, q_max: 14, bins: 20, vectors: 60, file: sq.csv, plot: sq.svg }
  - radial_distribution: { frequency: 20, from: 200, bins: 200, file: g.csv }
  - checkpoint: { frequency: 250, keep: 10 }
simulation: molecular_dynamics
`;

it('structure_factor of a liquid is the Fourier transform of g(r), and goes on from a checkpoint to the bit', async () => {
  await folders.compare('liquid', yaml, {}, { from: [250], files: ['sq.csv', 'g.csv'] });
  const rows = (name: string) =>
    folders
      .text('liquid', name)
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').map(Number));
  const g = rows('g.csv');
  const end = g.at(-1)![0]! + g[0]![0]!;
  const width = 2 * g[0]![0]!;
  const found = rows('sq.csv').filter(([q]) => q! > 2);
  expect(found.length).toBeGreaterThan(15);
  for (const [q, s] of found as [number, number][]) {
    let transform = 1;
    for (const [r, value] of g as [number, number][]) {
      // Lorch's window: g is known up to half of the box.
      const window = Math.sin((Math.PI * r) / end) / ((Math.PI * r) / end);
      transform += 4 * Math.PI * DENSITY * r * (value - 1) * (Math.sin(q * r) / q) * window * width;
    }
    expect(Math.abs(s - transform), `q = ${q}`).toBeLessThan(0.05 + 0.12 * s);
  }
  expect(folders.text('liquid', 'sq.svg')).toContain('S(q)');
});
