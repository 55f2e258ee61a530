import { readFileSync } from 'node:fs';
import { readExtendedXyz } from '@corpuscle/operators';
import { afterAll, describe, expect, it } from 'vitest';
import { askPython, pythonWith } from '../support/oracles.js';
import { meltYaml, runCli, Workplace } from '../support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const argon = {
  configuration:
    '{ units: { length: angstrom, mass: Dalton, time: picosecond, energy: electronvolt }, seed: 1 }',
  global: '{ dt: 2 fs, rcut_inc: 1.0, end_iteration: 10, thermo_frequency: 10 }',
  particle_types: '{ Ar: { mass: 39.948 } }',
  setup_system:
    '\n  - lattice: { structure: fcc, lattice_constant: 5.4, repeat: [4, 4, 4], types: [Ar] }\n  - init_temperature: { temperature: 120 }',
  compute_force: '\n  - lennard_jones_force: { epsilon: 0.0103, sigma: 3.4, rcut: 8.5 }',
  dump_data: '\n  - write_extended_xyz: { file: a.xyz, frequency: 10 }',
};

async function run(parts: Readonly<Record<string, string>>) {
  work.write({ 'run.yaml': meltYaml(parts) });
  return runCli(['run', work.path('run.yaml'), '--output', work.root, '--threads', '1']);
}

const header = () => readFileSync(work.path('a.xyz'), 'utf8').split('\n')[1]!;

const python = pythonWith('ase');

describe.skipIf(python === null)('ASE', () => {
  it('reads velocities, masses, forces, energies and the box of a run', async () => {
    const { code, err } = await run(argon);
    expect(code, err).toBe(0);
    const ase = askPython<{
      velocities: number[][];
      masses: number[];
      forces: number[][];
      energy: number;
      kinetic: number;
      cell: number[][];
    }>(
      python!,
      `import sys, json, ase.io
from ase import units
a = ase.io.read(sys.argv[1], index=1)
v = a.get_velocities() * units.fs * 1000
print('@json' + json.dumps(dict(velocities=v.tolist(), masses=a.get_masses().tolist(), forces=a.get_forces().tolist(),
  energy=a.get_potential_energy(), kinetic=a.get_kinetic_energy(), cell=a.get_cell().tolist())))`,
      work.path('a.xyz'),
    );
    const frame = readExtendedXyz(work.path('a.xyz'), { frame: 1, keep: ['forces', 'energies'] });
    // ASE's own constants (CODATA 2014) differ from ours in the ninth digit.
    ase.velocities.flat().forEach((v, k) => {
      expect(v).toBeCloseTo(frame.velocity![k]!, 6);
    });
    expect(ase.forces.flat()).toEqual([...frame.extra.get('forces')!.values]);
    expect(new Set(ase.masses)).toEqual(new Set([39.948]));
    const row = readFileSync(work.path('thermo.csv'), 'utf8').trim().split('\n').at(-1)!;
    const [, , , potential, kinetic] = row.split(',').map(Number);
    expect(ase.energy).toBeCloseTo(potential!, 9);
    expect(ase.kinetic / kinetic!).toBeCloseTo(1, 7);
    expect(ase.cell[0]![0]).toBeCloseTo(21.6, 12);
  });
});

describe('the convention of columns', () => {
  it('is that of ASE for elements, in units that ASE has', async () => {
    await run(argon);
    expect(header()).toMatch(
      /Properties=species:S:1:pos:R:3:velo:R:3:momenta:R:3:id:I:1:forces:R:3:energies:R:1:masses:R:1 .* energy=-/,
    );
  });

  it('is plain where ASE could not read the file, or would take other units for its own', async () => {
    const plain = /Properties=species:S:1:pos:R:3:velo:R:3:id:I:1:forces:R:3:energy:R:1 pbc/;
    await run({ dump_data: argon.dump_data });
    expect(header()).toMatch(plain);
    await run({ ...argon, configuration: argon.configuration.replace('electronvolt', 'kcal/mol') });
    expect(header()).toMatch(plain);
    await run({ ...argon, dump_data: argon.dump_data.replace(' }', ', convention: plain }') });
    expect(header()).toMatch(plain);
  });

  it('is refused where units differ from those of ASE', async () => {
    const { code, err } = await run({
      ...argon,
      configuration: argon.configuration.replace('electronvolt', 'kcal/mol'),
      dump_data: argon.dump_data.replace(' }', ', convention: ase }'),
    });
    expect(code).not.toBe(0);
    expect(err).toMatch(/convention ase needs lengths in ångström/);
  });
});

it('a group is the particles of a frame, with the sum of their energies', async () => {
  const all = argon.dump_data.replace('a.xyz', 'all.xyz');
  const some = argon.dump_data.replace(' }', ', group: { first: 8, last: 15 } }');
  const { code, err } = await run({ ...argon, dump_data: `${all}${some}` });
  expect(code, err).toBe(0);
  const rows = (name: string) => readFileSync(work.path(name), 'utf8').split('\n');
  const [whole, group] = [rows('all.xyz'), rows('a.xyz')];
  expect(group[0]).toBe('8');
  expect(group.slice(2, 10)).toEqual(whole.slice(10, 18));
  const energies = group.slice(2, 10).map((row) => Number(row.split(' ').at(-2)));
  const sum = energies.reduce((a, b) => a + b);
  expect(Number(/ energy=(\S+)/.exec(group[1]!)![1])).toBeCloseTo(sum, 12);
});
