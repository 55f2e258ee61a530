import { loadSimulation } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';

const lattice = '{ lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4] } }';
const force = '{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }';
const number = 'group_a: [1], switch: { type: rational, r_0: 1.3, d_max: 2 }';

/** A crystal of 256 particles, 6.718 wide, with what a test says in line 5, and other lines before. */
const load = (
  line: string,
  { setup = '', forces = '', steps = 20 }: { setup?: string; forces?: string; steps?: number } = {},
) =>
  loadSimulation(
    [
      {
        name: 'in.yaml',
        text: `global: { dt: 0.004, end_iteration: ${steps} }
particle_types: { A: { mass: 1 } }
setup_system: [${lattice}${setup}]
compute_force: [${force}${forces}]
${line}
simulation: molecular_dynamics
`,
      },
    ],
    { operators: createRegistry() },
  );

const told = (message: RegExp, column = expect.any(Number) as number) =>
  expect.objectContaining({
    message: expect.stringMatching(message),
    location: expect.objectContaining({ file: 'in.yaml', line: 5, column }),
  });

it.each([
  ['radial_distribution', 'r_max: 150, file: g.csv'],
  ['clusters', 'cutoff: 150'],
  ['centro_symmetry', 'cutoff: 150'],
  ['common_neighbors', 'cutoff: 150'],
  ['steinhardt', 'cutoff: 150'],
])('a cutoff of %s beyond 15 boxes is told before a run, by its name', (name, slots) => {
  const slot = slots.split(':')[0];
  const message = `^${slot} 150 is more than 15 times the box, which is 6.71838 along x: repeat the box or lower ${slot}$`;
  expect(() => load(`dump_data: [{ ${name}: { ${slots} } }]`)).toThrow(told(new RegExp(message)));
  load(`dump_data: [{ ${name}: { ${slots.replace('150', '100')} } }]`);
});

it.each(['particle_stress: {}', 'heat_flux_autocorrelation: { lags: 3, file: h.csv }'])(
  'shares of a bias are missed before a run: %s',
  (analysis) => {
    const forces = `, { coordination: { ${number}, harmonic_bias: { at: 8, kappa: 1 } } }`;
    const line = `dump_data: [{ ${analysis} }]`;
    expect(() => load(line, { forces })).toThrow(told(/needs the share of each particle/));
    load(line, { forces: `, { coordination: { ${number} } }` });
  },
);

it('ids beyond those of a lattice are told before a run, where nothing else makes particles', () => {
  const line = (ids: string) =>
    `dump_data: [{ coordination: { ${number.replace('[1]', ids)}, file: c.csv } }]`;
  const absent = told(/^there is no particle with id 256: the lattice makes 256 particles/, 40);
  expect(() => load(line('[3, 256]'))).toThrow(absent);
  expect(() => load(line('{ first: 0, last: 256 }'))).toThrow(absent);
  load(line('[3, 255]'));
  load(line('[3, 256]'), { setup: ', { replicate: { repeat: [1, 1, 2] } }' });
});

it.each([
  ['rate: { xx: -20 }', 'x at step 13'],
  ['strain: { yy: -1 }', 'y at step 20'],
  ['wiggle: { amplitude: { zz: -2 }, period: 0.16 }', 'z at step 4'],
  ['table: [{ time: 0 }, { time: 0.04, xx: -2 }]', 'x at step 5'],
])('a box that deforms to nothing is told before a run: %s', (slots, place) => {
  const line = `numerical_scheme: [velocity_verlet, deform: { ${slots} }]`;
  expect(() => load(line)).toThrow(
    told(new RegExp(`^deform shrinks the box to nothing along ${place}`), 37),
  );
  load(line, { steps: slots.startsWith('strain') ? 0 : 3 });
});

it.each([
  'grid_projection: { fields: [count], file: p.vti }',
  'grid_histogram: { file: h.csv }',
  'cc_label: { threshold: 1 }',
])('voxels in a box that is sheared are told before a run: %s', (analysis) => {
  const scheme = (part: string) => ({
    forces: `]\nnumerical_scheme: [velocity_verlet, deform: { rate: { ${part}: 0.1 } }`,
  });
  const line = `dump_data: [${analysis}]`;
  const skewed = expect.objectContaining({
    message: expect.stringMatching(/^the box is skewed, but voxels have right angles/),
    location: expect.objectContaining({ line: 6, column: 13 }),
  });
  expect(() => load(line, scheme('xy'))).toThrow(skewed);
  load(line, scheme('xx'));
});

it('a choice of all particles is told before a run', () => {
  const epilog = (slots: string) => `simulation_epilog: [delete_particles: ${slots}]`;
  expect(() => load(epilog('{ group: all }'))).toThrow(told(/^all particles would be deleted/));
  expect(() => load(epilog('{}'))).toThrow(told(/^all particles would be deleted/));
  for (const part of ['fraction: 0.5', 'overlap: 0.1', 'region: { box: { x: [0, 1] } }'])
    load(epilog(`{ ${part} }`));
});

it.each(['.', './', 'frames/', '..'])(
  'a name that can be that of a folder alone is told before a run: %s',
  (file) => {
    const line = (name: string) => `dump_data: [write_extended_xyz: { file: ${name} }]`;
    expect(() => load(line(file))).toThrow(told(/is a folder: add the name of a file$/, 41));
    for (const right of ['.hidden', 'a.b', 'frames/..a']) load(line(right));
  },
);
