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
    /in\.xyz' has more columns: dipole, bond_0, bond_1 \(particle_properties: \{ fields: \{ dipole: \{\} \} \} keeps dipole, and a writer with properties: \[dipole\] writes it\); label \(left out/,
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
