// What follows particles, where others come and go.

import { afterAll, expect, it } from 'vitest';
import { RunFolders } from '../support/restarts.js';

const folders = new RunFolders();
afterAll(() => folders.remove());

const text = (changes: string, analysis: string) => `
configuration: { units: lj, seed: 5 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 20 }
particle_types: { A: { mass: 1 }, B: { mass: 1 } }
setup_system:
  - lattice: { structure: sc, density: 0.5, repeat: [5, 5, 5], types: [A] }
  - group: { name: rest, ids: { first: 10, last: 124 } }
  - init_temperature: { temperature: 2 }
after_drift:
${changes}
compute_force: [soft_force: { A: 5, rcut: 1.2 }]
dump_data:
  - ${analysis}: { every: 10, file: a.csv, group: GROUP }
  - write_lammps_dump: { file: a.dump, frequency: 10, columns: [id, xu, yu, zu, vx, vy, vz] }
simulation: molecular_dynamics
`;
const swap = `  - delete_particles: { region: { ids: [0, 1, 2] }, every: 20, from: 20 }
  - create_particles: { type: B, count: 3, every: 20, from: 20 }`;

it.each(['mean_square_displacement', 'velocity_autocorrelation'])(
  '%s refuses new particles, also where as many have gone',
  async (analysis) => {
    const run = folders.run(`new-${analysis}`, text(swap, analysis).replace('GROUP', 'all'));
    await expect(run).rejects.toThrow(
      '3 of the particles that are followed were not there at step 0',
    );
  },
);

it('mean_square_displacement of a group that stays is that of its particles while others go', async () => {
  const gone = '  - delete_particles: { region: { ids: [0, 3] }, every: 20, from: 20 }';
  const yaml = text(gone, 'mean_square_displacement').replace('GROUP', 'rest');
  await folders.run('group', yaml);
  const frames = folders.text('group', 'a.dump').split('ITEM: ATOMS id xu yu zu vx vy vz').slice(1);
  const places = frames.map((frame) => {
    const lines = frame.split('ITEM')[0]!.trim().split('\n');
    const rows = lines.map((line) => line.split(' ').map(Number));
    return new Map(rows.map(([id, x, y, z]) => [id!, [x!, y!, z!]]));
  });
  const rows = folders.text('group', 'a.csv').trim().split('\n').slice(1);
  const found = rows.map((row) => Number(row.split(',')[2]));
  const expected = places.map((now) => {
    const ids = [...places[0]!.keys()].filter((id) => id > 10); // ids of dumps count from 1;
    const squares = ids.map((id) =>
      now.get(id)!.reduce((sum, x, c) => sum + (x - places[0]!.get(id)![c]!) ** 2, 0),
    );
    return squares.reduce((sum, x) => sum + x, 0) / ids.length;
  });
  expect(places.map((one) => one.size)).toEqual([125, 125, 123, 123, 123]);
  expected.forEach((value, k) => {
    expect(found[k]).toBeCloseTo(value, 9);
  });
});
