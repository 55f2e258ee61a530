import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { lammps } from '../support/oracles.js';
import { meltYaml, runCli, Workplace } from '../support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());
const lmp = lammps();

async function run(yaml: string) {
  work.write({ 'run.yaml': yaml });
  const argv = ['run', work.path('run.yaml'), '--output', work.root, '--threads', '1'];
  const { code, err, out } = await runCli(argv);
  expect(code, err).toBe(0);
  return out;
}

/** The potential energy of each frame. */
function rerun(dump: string, setup: readonly string[]): number[] {
  const script = [
    ...setup,
    'thermo_style custom step pe',
    'thermo_modify norm no',
    'fix out all print 1 "$(pe:%.17g)" file lammps.txt screen no title ""',
    `rerun ${dump} every 0 dump x y z vx vy vz box yes`,
  ];
  work.write({ 'in.rerun': `${script.join('\n')}\n` });
  const argv = ['-in', 'in.rerun', '-log', 'none', '-screen', 'none'];
  execFileSync(lmp!, argv, { cwd: work.root });
  return readFileSync(work.path('lammps.txt'), 'utf8').trim().split('\n').map(Number);
}

/** Potential and kinetic energies. */
const thermo = () =>
  readFileSync(work.path('thermo.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number))
    .map((row) => ({ potential: row[3]!, kinetic: row[4]! }));

describe.skipIf(lmp === null)('LAMMPS', () => {
  it.each(['frames.dump', 'frames.dump.gz'])(
    'reads our data and reruns our dump to the same energies: %s',
    async (dump) => {
      await run(
        meltYaml({
          dump_data: `\n  - write_lammps_dump: { file: ${dump}, frequency: 10 }`,
          first_iteration: '\n  - write_lammps_data: { file: start.data }',
        }),
      );
      const energies = rerun(dump, [
        'units lj',
        'atom_style atomic',
        'read_data start.data',
        'pair_style lj/cut 2.5',
        'pair_coeff * * 1.0 1.0',
      ]);
      const ours = thermo();
      expect(energies).toHaveLength(3);
      energies.forEach((energy, k) => {
        expect(energy / ours[k]!.potential).toBeCloseTo(1, 12);
      });
    },
  );

  it('reads triclinic boxes, charges and bonds of ours, and we read what it writes', async () => {
    work.write({
      'tilted.xyz': `3\nLattice="9 0 0 1.5 8 0 -2 1 10" Properties=species:S:1:pos:R:3:velo:R:3:charge:R:1:id:I:1\nA 1 1 1 .1 .2 .3 0.5 1\nB 2.1 1 1 0 0 -1 -0.5 2\nA 8.9 8.6 9.9 0 1 0 0 3\n`,
    });
    const forces = `particle_types: { A: { mass: 1.0 }, B: { mass: 2.5 } }
compute_force:
  - lennard_jones_force:
      pairs:
        - { types: [A, A], epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
        - { types: [A, B], epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
        - { types: [B, B], epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
simulation:`;
    await run(`${forces}
  - read_extended_xyz: { file: tilted.xyz }
  - bond_particles: { bonds: [[1, 2]], scaling: [0, 1, 1] }
  - compute_force
  - thermo
  - write_lammps_data: { file: tilted.data }
  - write_lammps_dump: { file: tilted.dump }
`);
    const [ours] = thermo();
    const energies = rerun('tilted.dump', [
      'units lj',
      'atom_style full',
      'bond_style zero',
      'special_bonds lj 0 1 1',
      'box tilt large',
      'read_data tilted.data',
      'bond_coeff * 1.1',
      'pair_style lj/cut 2.5',
      'pair_coeff * * 1.0 1.0',
      'write_data theirs.data',
      'write_dump all custom theirs.dump id type x y z vx vy vz modify format float %.17g sort id',
    ]);
    expect(Math.abs(ours!.potential)).toBeGreaterThan(0.1);
    expect(energies[0]! / ours!.potential).toBeCloseTo(1, 12);
    const out = await run(`${forces}
  - read_lammps_data: { file: theirs.data }
  - compute_force
  - thermo
`);
    expect(thermo()[0]!.potential / ours!.potential).toBeCloseTo(1, 12);
    expect(thermo()[0]!.kinetic / ours!.kinetic).toBeCloseTo(1, 12);
    expect(out).toMatch(/Bond Coeffs.* are not taken/);
    await run(`${forces}
  - read_lammps_dump: { file: theirs.dump }
  - bond_particles: { bonds: [[1, 2]] }
  - compute_force
  - thermo
`);
    expect(thermo()[0]!.potential / ours!.potential).toBeCloseTo(1, 12);
    expect(thermo()[0]!.kinetic / ours!.kinetic).toBeCloseTo(1, 12);
  });
});

it('a dump of a group has the ids that its particles have in one of all', async () => {
  const dump = (group: string) =>
    `\n  - write_lammps_dump: { file: ${group}.dump, group: ${group}, columns: [id, x] }`;
  await run(`
configuration: { units: lj, seed: 1 }
particle_types: { A: { mass: 1 } }
simulation:
  - lattice: { structure: sc, density: 1, repeat: [4, 4, 4], types: [A] }
  - group: { name: few, ids: [3, 9, 20] }${dump('all')}${dump('few')}
`);
  const rows = (name: string) =>
    readFileSync(work.path(`${name}.dump`), 'utf8')
      .split('ITEM: ATOMS id x\n')[1]!
      .trim()
      .split('\n');
  expect(rows('few').map(parseFloat)).toEqual([4, 10, 21]);
  expect(rows('all')).toEqual(expect.arrayContaining(rows('few')));
});

describe('ids of a dump after the particle with id 0 has gone', () => {
  const ids = (name: string) =>
    readFileSync(work.path(name), 'utf8')
      .split(/ITEM: ATOMS id.*\n/)
      .slice(1)
      .map((rows) => rows.trim().split('\n').map(Number.parseFloat).slice(0, 3));
  const gas = (steps: number) => `
configuration: { units: lj, seed: 1 }
particle_types: { A: { mass: 1 } }
global: { dt: 0.001, rcut_inc: 0.3, end_iteration: ${steps} }
setup_system:
  - lattice: { structure: sc, lattice_constant: 3, repeat: [2, 2, 1], types: [A] }
  - region: { name: first, shape: { ids: [0] } }
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 1.2 }]
after_drift:
  - { condition: 'step == 2', body: [{ delete_particles: { region: first } }] }
dump_data:
  - write_lammps_dump: { file: gone.dump, frequency: 1 }
  - checkpoint: { frequency: 3 }
simulation: molecular_dynamics
`;

  it.each([[[5]], [[3, 5]]])('are those from before, in runs of %j steps', async (ends) => {
    work.clear();
    for (const [k, end] of ends.entries()) {
      work.write({ 'run.yaml': gas(end) });
      const argv = ['run', work.path('run.yaml'), '--output', work.root, '--threads', '1'];
      const { code, err } = await runCli(k > 0 ? [...argv, '--restart'] : argv);
      expect(code, err).toBe(0);
    }
    const after = Array<number[]>(4).fill([2, 3, 4]);
    expect(ids('gone.dump')).toEqual([[1, 2, 3], [1, 2, 3], ...after]);
  });

  it('convert writes them so too', async () => {
    const frame = (rows: readonly number[]) =>
      `${rows.length}\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:id:I:1\n${rows.map((id) => `A ${id} 0 0 ${id}\n`).join('')}`;
    work.write({ 'gone.xyz': `${frame([0, 1, 2])}${frame([1, 2, 3])}` });
    const { code, err } = await runCli(['convert', work.path('gone.xyz'), work.path('c.dump')]);
    expect(code, err).toBe(0);
    expect(ids('c.dump')).toEqual([
      [1, 2, 3],
      [2, 3, 4],
    ]);
  });
});
