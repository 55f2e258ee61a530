import { afterAll, expect, it } from 'vitest';
import { formatOf, readFrames } from '../support/frames.js';
import { runCli, Workplace } from '../support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Ids are not those of the rows, so that values must follow particles. */
const file = `3
Lattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:id:I:1:dipole:R:1:label:S:1:bond:R:2
A 1 1 1 7 0.1 x 1 2
B 5 5 5 3 -2.5 y 3 4
A 8 1 4 5 1e-300 z 5 6
`;

const yaml = (read: string, write = '') => `particle_types: { A: { mass: 1.0 }, B: { mass: 2.0 } }
simulation:
  - ${read}
  - particle_properties: { fields: { dipole: { default: 4 }, spin: { by_type: { B: 0.5 } }, bond_1: {} } }
${write}`;

const writers = `  - write_extended_xyz: { file: a.xyz, properties: [dipole, spin, bond_1] }
  - write_lammps_dump: { file: a.dump, properties: [dipole, spin, bond_1] }
  - write_h5md: { file: a.h5md, properties: [dipole, spin, bond_1] }
`;

it.each([
  ['extended_xyz', 'a.xyz', ''],
  ['lammps_dump', 'a.dump', 'd_'],
  ['h5md', 'a.h5md', ''],
])('fields of one’s own are read from files and written: %s', async (name, written, prefix) => {
  const argv = ['--output', work.root, '--threads', '1', '--overwrite'];
  work.write({
    'in.xyz': file,
    'first.yaml': yaml('read_extended_xyz: { file: in.xyz }', writers),
  });
  const first = await runCli(['run', work.path('first.yaml'), ...argv]);
  expect(first.code, first.err).toBe(0);
  expect(`${first.out}${first.err}`).toMatch(
    /in\.xyz' has more columns: dipole, label, bond; write_extended_xyz and write_lammps_dump write them as they are; particle_properties: \{ fields: \{ dipole: \{\} \} \} makes dipole a field that operators see/,
  );
  const values = async (path: string) => {
    const [frame] = (await readFrames(formatOf(name), work.path(path))).frames;
    const column = (own: string) => [
      ...(frame!.extra.get(`${prefix}${own}`)!.values as Float64Array),
    ];
    expect([...frame!.id!]).toEqual([3, 5, 7]);
    return { dipole: column('dipole'), spin: column('spin'), bond: column('bond_1') };
  };
  const expected = { dipole: [-2.5, 1e-300, 0.1], spin: [0.5, 0, 0], bond: [4, 6, 2] };
  expect(await values(written)).toEqual(expected);
  // A run that reads the file has the same values, also for every frame of a loop.
  const again = written.replace('a.', 'b.');
  work.write({
    'second.yaml': yaml(
      `read_${name}: { file: ${written} }`,
      `  - set: { fields: { spin: 9 } }
  - read_${name}: { file: ${written} }
  - write_${name}: { file: ${again}, properties: [dipole, spin, bond_1] }
`,
    ),
  });
  const second = await runCli(['run', work.path('second.yaml'), ...argv]);
  expect(second.code, second.err).toBe(0);
  expect(await values(again)).toEqual(expected);
});

/** A crystal whose particles have columns that say who they are; ids are in no order. */
const COUNT = 125;
const told = (id: number) => ({
  tag: [id],
  axis: [0.1 * id, (1 - id) / 3, 1 / (id + 1)],
  label: [`w${id % 7}`],
  moves: [id % 2 === 0 ? 'T' : 'F'],
});
const crystal = `${COUNT}
Lattice="7.5 0 0 0 7.5 0 0 0 7.5" Properties=species:S:1:pos:R:3:id:I:1:tag:I:1:axis:R:3:label:S:1:moves:L:1
${Array.from({ length: COUNT }, (_, k) => {
  const at = [k % 5, Math.floor(k / 5) % 5, Math.floor(k / 25)].map((c) => 1.5 * c + 0.2);
  const id = (37 * k) % COUNT;
  return ['A', ...at, id, ...Object.values(told(id)).flat()].join(' ');
}).join('\n')}
`;
const melt = (steps: number, more = '') => `
configuration: { units: lj, seed: 4, deterministic: true }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: 10 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - read_extended_xyz: { file: crystal.xyz }
${more}  - init_temperature: { temperature: 2 }
after_drift:
  - delete_particles: { region: { ids: [3, 50] }, every: 4, from: 4 }
  - create_particles: { type: A, count: 1, min_distance: 0.7, every: 100, from: 6 }
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2 }]
dump_data: [checkpoint: { frequency: 10 }]
simulation_epilog:
  - write_extended_xyz: { file: last.xyz }
  - write_lammps_dump: { file: last.dump }
  - write_h5md: { file: last.h5md, properties: [axis, tag] }
`;

it.each(['cpu', 'webgpu'])(
  'columns that nobody declares follow their particles: %s',
  async (backend) => {
    const argv = ['--output', work.path(backend), '--backend', backend, '--threads', '2'];
    work.write({
      'crystal.xyz': crystal,
      'first.yaml': `${melt(10)}simulation: molecular_dynamics\n`,
      'longer.yaml': `${melt(20)}simulation: molecular_dynamics\n`,
    });
    const frame = async (name: string, file: string) =>
      (await readFrames(formatOf(name), work.path(`${backend}/${file}`))).frames[0]!;
    for (const more of [['first.yaml'], ['longer.yaml', '--restart', '--overwrite']]) {
      const [file, ...rest] = more;
      const { code, out, err } = await runCli(['run', work.path(file!), ...argv, ...rest]);
      expect(code, err).toBe(0);
      expect(`${out}${err}`).toContain(
        'write_lammps_dump has no place for the columns label, moves',
      );
      const [xyz, dump, h5md] = await Promise.all([
        frame('extended_xyz', 'last.xyz'),
        frame('lammps_dump', 'last.dump'),
        frame('h5md', 'last.h5md'),
      ]);
      const ids = [...xyz.id!];
      expect(ids).toEqual([...Array(COUNT + 1).keys()].filter((id) => id !== 3 && id !== 50));
      // The created particle has nothing of the file.
      const none = { tag: [0], axis: [0, 0, 0], label: ['-'], moves: ['F'] };
      const all = ids.map((id) => (id === COUNT ? none : told(id)));
      const values = ({ extra }: typeof xyz, name: string) => [...extra.get(name)!.values];
      for (const name of ['tag', 'axis', 'label', 'moves'] as const)
        expect(values(xyz, name), name).toEqual(
          all.flatMap((one): readonly (number | string)[] => one[name]),
        );
      expect([...xyz.extra].map(([name, { type }]) => [name, type])).toEqual([
        ['tag', 'I'],
        ['axis', 'R'],
        ['label', 'S'],
        ['moves', 'L'],
      ]);
      expect(values(dump, 'd_axis_y')).toEqual(all.map(({ axis }) => axis[1]));
      expect(values(h5md, 'axis')).toEqual(all.flatMap(({ axis }) => axis));
      expect(values(h5md, 'tag')).toEqual(all.flatMap(({ tag }) => tag));
    }
  },
);

it('columns are repeated with the box, written where they are declared fields, and left out where nothing is named', async () => {
  const more = `  - particle_properties: { fields: { axis_y: {} } }
  - set: { fields: { axis_y: 7 }, region: { ids: [1] } }
  - replicate: { repeat: [2, 1, 1] }
  - write_extended_xyz: { file: two.xyz }
  - write_extended_xyz: { file: bare.xyz, properties: [] }
  - write_extended_xyz: { file: part.xyz, properties: [axis_z, axis] }
`;
  work.write({ 'crystal.xyz': crystal, 'two.yaml': `${melt(0, more)}simulation: setup_system\n` });
  const { code, err } = await runCli(['run', work.path('two.yaml'), '--output', work.root]);
  expect(code, err).toBe(0);
  const extra = async (file: string) =>
    (await readFrames(formatOf('extended_xyz'), work.path(file))).frames[0]!.extra;
  const two = await extra('two.xyz');
  const all = Array.from({ length: 2 * COUNT }, (_, id) => told(id % COUNT));
  all.forEach(({ axis }, id) => {
    if (id % COUNT === 1) axis[1] = 7;
  });
  expect([...two.get('axis')!.values]).toEqual(all.flatMap(({ axis }) => axis));
  expect([...two.get('label')!.values]).toEqual(all.flatMap(({ label }) => label));
  expect([...(await extra('bare.xyz')).keys()]).toEqual([]);
  const part = await extra('part.xyz');
  expect([...part.keys()]).toEqual(['axis_z', 'axis']);
  expect([...part.get('axis_z')!.values]).toEqual(all.map(({ axis }) => axis[2]));
});

it('a field that nobody declares is one sentence', async () => {
  work.write({
    'in.xyz': file,
    'wrong.yaml': yaml(
      'read_extended_xyz: { file: in.xyz }',
      '  - write_lammps_dump: { file: w.dump, properties: [dipol] }\n',
    ),
  });
  const { code, err } = await runCli(['run', work.path('wrong.yaml'), '--output', work.root]);
  expect(code).not.toBe(0);
  expect(err).toMatch(
    /particles have no field 'dipol' to write: declare it with particle_properties/,
  );
});

it('convert keeps columns of numbers and of words', async () => {
  work.write({ 'in.xyz': file });
  for (const [from, to] of [
    ['in.xyz', 'c.xyz'],
    ['in.xyz', 'c.dump'],
    ['c.dump', 'd.xyz'],
  ] as const) {
    const { code, err } = await runCli(['convert', work.path(from), work.path(to), '--overwrite']);
    expect(code, err).toBe(0);
  }
  const lost = await runCli(['convert', work.path('in.xyz'), work.path('c.gsd'), '--overwrite']);
  expect(lost.err).toMatch(/files of gsd have no place for dipole, label, bond\n/);
  const [copy] = (await readFrames(formatOf('extended_xyz'), work.path('c.xyz'))).frames;
  expect(copy!.extra.get('label')!.values).toEqual(['x', 'y', 'z']);
  expect(copy!.extra.get('bond')!.values).toEqual(Float64Array.of(1, 2, 3, 4, 5, 6));
  const [back] = (await readFrames(formatOf('extended_xyz'), work.path('d.xyz'))).frames;
  expect(back!.extra.get('d_dipole')!.values).toEqual(Float64Array.of(0.1, -2.5, 1e-300));
});

it('molecules of a data file are in that of a run, and copies of the box have molecules of their own', async () => {
  const start = `three

3 atoms
1 atom types

0 4 xlo xhi
0 4 ylo yhi
0 4 zlo zhi

Masses

1 1

Atoms # full

1 2 1 0 0.5 0.5 0.5
2 0 1 0 2.5 0.5 0.5
3 5 1 0 0.5 2.5 2.5
`;
  const steps = `  - read_lammps_data: { file: start.data }
  - write_lammps_data: { file: same.data }
  - replicate: { repeat: [1, 2, 1] }
  - write_lammps_data: { file: two.data }
`;
  work.write({
    'start.data': start,
    'molecules.yaml': `configuration: { units: lj }\nparticle_types: { 1: { mass: 1 } }\nsimulation:\n${steps}`,
  });
  const { code, err } = await runCli(['run', work.path('molecules.yaml'), '--output', work.root]);
  expect(code, err).toBe(0);
  const molecules = async (name: string) =>
    Array.from((await readFrames(formatOf('lammps_data'), work.path(name))).frames[0]!.molecule!);
  expect(await molecules('same.data')).toEqual([2, 0, 5]);
  expect(await molecules('two.data')).toEqual([2, 0, 5, 7, 0, 10]);
});
