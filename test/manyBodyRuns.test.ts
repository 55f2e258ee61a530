import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { manyBodyData } from './support/manyBodyCases.js';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Rows of thermo.csv of a run. */
async function run(
  files: Readonly<Record<string, string>>,
  backend = 'cpu',
): Promise<Record<string, number>[]> {
  work.clear();
  work.write(files);
  const argv = ['run', work.path('run.yaml'), '--backend', backend, '--output', work.root];
  const { code, err } = await runCli(argv);
  expect(err).toBe('');
  expect(code).toBe(0);
  const [head, ...rows] = readFileSync(work.path('thermo.csv'), 'utf8').trim().split('\n');
  const names = head!.split(',');
  return rows.map((row) =>
    Object.fromEntries(row.split(',').map((value, k) => [names[k]!, Number(value)])),
  );
}

const metal = (
  structure: string,
  a: number,
  repeat: number,
  type: string,
  force: string,
) => `configuration: { units: metal, seed: 11 }
global: { dt: 0.001, rcut_inc: 0.5, end_iteration: 60, thermo_frequency: 20 }
particle_types: { ${type}: { mass: 28.085 } }
setup_system:
  - lattice: { structure: ${structure}, lattice_constant: ${a}, repeat: [${repeat}, ${repeat}, ${repeat}], types: [${type}] }
  - init_temperature: { temperature: 600 }
compute_force:
  - ${force}
simulation: molecular_dynamics
`;

const silicon =
  'epsilon: 2.1683, sigma: 2.0951, a: 1.8, lambda: 21, gamma: 1.2, cos_theta0: "-1/3", A: 7.049556277, B: 0.6022245584, p: 4, q: 0';
const runs = {
  'stillinger_weber_force in numbers': {
    yaml: metal('diamond', 5.431, 2, 'Si', `stillinger_weber_force: { ${silicon} }`),
    energy: -4.3366,
    count: 64,
    drift: 1e-3,
  },
  sutton_chen_force: {
    yaml: metal(
      'fcc',
      3.61,
      3,
      'Cu',
      'sutton_chen_force: { epsilon: "12.382 meV", a: "0.361 nm", n: 9, m: 6, c: 39.432, rcut: 5.4 }',
    ),
    energy: Number.NaN,
    count: 108,
    drift: 1e-2,
  },
};

describe('many-body forces in YAML', () => {
  it.each(Object.entries(runs))(
    '%s conserves energy',
    async (_, { yaml, energy, count, drift }) => {
      const rows = await run({ 'run.yaml': yaml });
      const [first, last] = [rows[0]!, rows.at(-1)!];
      if (!Number.isNaN(energy)) expect(first.potential_energy! / count).toBeCloseTo(energy, 4);
      expect(last.potential_energy! - first.potential_energy!).toBeGreaterThan(0.01 * count);
      // Sutton and Chen's is cut off as it is: particles that cross the cutoff bring and take energy.
      expect(Math.abs(last.total_energy! - first.total_energy!) / count).toBeLessThan(drift);
    },
  );

  it('files in the formats of LAMMPS, cpu and webgpu', async () => {
    const files = {
      'SiX.sw': readFileSync(manyBodyData('SiX.sw'), 'utf8'),
      'run.yaml': metal(
        'diamond',
        5.431,
        2,
        'S',
        'stillinger_weber_force: { file: SiX.sw, elements: { S: Si } }',
      ),
    };
    const [cpu, gpu] = [await run(files), await run(files, 'webgpu')];
    for (const [k, row] of cpu.entries())
      expect(Math.abs(gpu[k]!.potential_energy! / row.potential_energy! - 1)).toBeLessThan(2e-5);
    const alloy = {
      'MN.eam.alloy': readFileSync(manyBodyData('MN.eam.alloy'), 'utf8'),
      'run.yaml': metal('fcc', 3.61, 4, 'M', 'embedded_atom_force: { file: MN.eam.alloy }'),
    };
    const rows = await run(alloy);
    const drift = Math.abs(rows.at(-1)!.total_energy! - rows[0]!.total_energy!) / 256;
    expect(drift).toBeLessThan(1e-4);
  });

  const chains = (scaling: string, bonds = '[[0, 1], [1, 2], [2, 3]]') => ({
    'run.yaml': `configuration: { units: lj, seed: 5 }
global: { dt: 0.001, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 20 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 0.5 }
  - bond_particles: { bonds: ${bonds}, scaling: ${scaling} }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.2, shift: force }
  - harmonic_bond_force: { k: 200, r0: 1.1, rcut: 1.8 }
simulation: molecular_dynamics
`,
  });

  it('bonds scale pair potentials', async () => {
    const [none, full] = [await run(chains('[0, 1, 1]')), await run(chains('[1, 1, 1]'))];
    const r = Math.SQRT1_2 * Math.cbrt(4 / 0.8);
    const u = (x: number) => 4 * (x ** -12 - x ** -6);
    const slope = (x: number) => 4 * (-12 * x ** -13 + 6 * x ** -7);
    const bond = u(r) - u(2.2) - (r - 2.2) * slope(2.2);
    const difference = none[0]!.potential_energy! - full[0]!.potential_energy!;
    expect(difference / (-3 * bond)).toBeCloseTo(1, 10);
    for (const rows of [none, full])
      expect(Math.abs(rows.at(-1)!.total_energy! - rows[0]!.total_energy!)).toBeLessThan(0.05);
  });

  it.each([
    ['[[0, 999]]', /names id 999, which no particle has/],
    ['[[0, 0]]', /the bond 0-0 is of a particle with itself/],
    ['[[0, 1], [1, 0]]', /is given twice/],
    ['[[0, 255]]', /1 of 1 bonds is longer than rcut 1.8/],
  ])('bonds %s are refused', async (bonds, message) => {
    work.clear();
    work.write(chains('[0, 1, 1]', bonds));
    const { code, err } = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
    expect(err).toMatch(message);
    expect(code).not.toBe(0);
  });

  it.each([
    ['stillinger_weber_force: { epsilon: 1 }', /needs a file, or epsilon/],
    ['stillinger_weber_force: { file: a.sw, A: 1 }', /give either A or file, not both/],
    ['stillinger_weber_force: { file: absent.sw }', /absent.sw/],
    ['stillinger_weber_force: { file: bad.sw }', /bad.sw:2/],
    ['embedded_atom_force: { file: bad.sw }', /bad.sw/],
    ['embedded_atom_force: { file: MN.eam.alloy }', /no element 'Si' for type 'Si'/],
    [
      'sutton_chen_force: { epsilon: 1, a: "1 eV", n: 9, m: 6, c: 1, rcut: 2 }',
      /a length is expected/,
    ],
  ])('%s is refused', async (force, message) => {
    work.clear();
    work.write({
      'a.sw': '',
      'bad.sw': '# a comment\nSi Si Si 1 2 x 4 5 6 7 8 9 10 11\n',
      'MN.eam.alloy': readFileSync(manyBodyData('MN.eam.alloy'), 'utf8'),
      'run.yaml': metal('diamond', 5.431, 2, 'Si', force),
    });
    const { code, err } = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
    expect(err).toMatch(message);
    expect(code).not.toBe(0);
  });
});
