import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { formatOf, readFrames } from '../support/frames.js';
import { runCli, Workplace } from '../support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Units in which the energies of a run are not those of files. */
const yaml = (dump: string, more = '') => `configuration: { units: metal, backend: cpu, threads: 2 }
global: { dt: 2 fs, end_iteration: 6, thermo_frequency: 3 }
particle_types: { Ar: { mass: 39.948 } }
setup_system:
  - lattice: { structure: fcc, lattice_constant: 5.3 ang, repeat: [4, 4, 4] }
  - init_temperature: { temperature: 90 K }
compute_force: [lennard_jones_force: { epsilon: 0.0103 eV, sigma: 3.4 ang, rcut: 8 ang }]
dump_data: [${dump}]
${more}simulation: molecular_dynamics
`;

const analyses = (every: number) => `
  particle_stress: { every: ${every}, file: s.jsonl },
  steinhardt: { cutoff: 4.5 ang, every: ${every}, file: q.jsonl },
  centro_symmetry: { cutoff: 6 ang, every: ${every}, file: c.jsonl }`;
const properties = 'properties: [sxy, q6, centro_symmetry]';
const argv = ['--output', work.root, '--threads', '1', '--overwrite'];

const lines = (name: string): Record<string, number[]>[] =>
  readFileSync(work.path(name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

it('fields that analyses leave in particles are columns of frames, with the units of their files', async () => {
  const write = `write_extended_xyz: { file: a.xyz, every: 3, ${properties} }, write_lammps_dump: { file: a.dump, every: 3, ${properties} }`;
  work.write({ 'run.yaml': yaml(`${analyses(3)}, ${write}`) });
  const { code, err } = await runCli(['run', work.path('run.yaml'), ...argv]);
  expect(code, err).toBe(0);
  const [s, q, c] = ['s.jsonl', 'q.jsonl', 'c.jsonl'].map(lines);
  for (const [file, prefix] of [
    ['a.xyz', ''],
    ['a.dump', 'd_'],
  ] as const) {
    const { frames } = await readFrames(
      formatOf(file === 'a.xyz' ? 'extended_xyz' : 'lammps_dump'),
      work.path(file),
    );
    expect(frames).toHaveLength(3);
    for (const [k, frame] of frames.entries()) {
      const column = (name: string) => [...(frame.extra.get(`${prefix}${name}`)!.values as never)];
      expect(column('sxy')).toEqual(s![k]!.sxy);
      expect(column('q6')).toEqual(q![k]!.q6);
      expect(column('centro_symmetry')).toEqual(c![k]!.centro_symmetry);
    }
  }
});

const check = async (dump: string, more?: string) => {
  work.write({ 'check.yaml': yaml(dump, more) });
  const { code, err } = await runCli(['check', work.path('check.yaml')]);
  return { code, err };
};

it.each([
  [`${analyses(2)}, write_extended_xyz: { file: a.xyz, every: 3, ${properties} }`, 'sxy'],
  [
    `steinhardt: { cutoff: 4.5 ang, from: 2 }, write_extended_xyz: { file: a.xyz, properties: [q4] }`,
    'q4',
  ],
])('columns of an earlier step are refused when a file is read: %s', async (dump, name) => {
  const { code, err } = await check(dump);
  expect(code).toBe(2);
  expect(err).toMatch(
    new RegExp(
      `check.yaml:\\d+:\\d+: write_extended_xyz would write ${name} of an earlier step: put \\w+ before it into the same list, with the same every and from`,
    ),
  );
});

it('an epilog writes what the last step has made, or what it makes itself', async () => {
  const epilog = (first: string) =>
    `simulation_epilog: [${first}write_extended_xyz: { file: e.xyz, ${properties} }]\n`;
  expect((await check(analyses(3), epilog(''))).code).toBe(0);
  const late = await check(analyses(4), epilog(''));
  expect(late.err).toMatch(
    /would write sxy of an earlier step: put particle_stress before it into/,
  );
  const once = `particle_stress: {}, steinhardt: { cutoff: 4.5 ang }, centro_symmetry: { cutoff: 6 ang }, `;
  expect((await check(analyses(4), epilog(once))).code).toBe(0);
});

it.each([
  ['q7', "particles have no field 'q7' to write: declare it with particle_properties, or put"],
  ['q6', 'particles have no q6 to write: put steinhardt before, with the same steps'],
  ['vx', "'vx' is no field of your own: frames have columns for positions, velocities"],
])('a column that particles do not have is told when a file is read: %s', async (name, message) => {
  const { code, err } = await check(`write_extended_xyz: { file: a.xyz, properties: [${name}] }`);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
