import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Potential energy of a batch of forces, from thermo.csv. */
async function energyOf(files: Readonly<Record<string, string>>, backend = 'cpu'): Promise<number> {
  work.clear();
  work.write(files);
  const argv = ['run', work.path('run.yaml'), '--backend', backend, '--output', work.root];
  const { code, err } = await runCli(argv);
  expect(err).toBe('');
  expect(code).toBe(0);
  const [head, row] = readFileSync(work.path('thermo.csv'), 'utf8').split('\n');
  return Number(row!.split(',')[head!.split(',').indexOf('potential_energy')]);
}

/** Two particles at a distance of 1.5 in units of electronvolts and angstroms. */
const pair = (force: string) => ({
  'two.xyz': '2\n\nA 0 0 0\nA 1.5 0 0\n',
  'run.yaml': `configuration: { units: metal }
particle_types: { A: { mass: 1.0, charge: 0.6 } }
setup_system: [read_extended_xyz: { file: two.xyz }]
compute_force: [${force}]
simulation: [setup_system, compute_force, thermo]
`,
});
const table = 'T\nN 3 R 1 2\n\n1 1 4 4\n2 1.5 2.5 3\n3 2 1 3\n';

/** e²/(4πε₀) in eV Å, as LAMMPS has it in `units metal`. */
const coulomb = 14.399645;
/** Ziegler, Biersack and Littmark's energy of two nuclei in eV. */
function screened(z: number, other: number, r: number): number {
  const x = (r * (z ** 0.23 + other ** 0.23)) / 0.4685;
  const terms = [0.18175, -3.1998, 0.50986, -0.94229, 0.28022, -0.4029, 0.02817, -0.20162];
  const phi = [0, 2, 4, 6].reduce((sum, k) => sum + terms[k]! * Math.exp(terms[k + 1]! * x), 0);
  return (coulomb * z * other * phi) / r;
}

describe('pair forces in YAML', () => {
  it.each([
    ['morse_force: { D: 0.5, alpha: 2, r0: 1.5, rcut: 3 }', -0.5],
    ['morse_force: { D: "500 meV", alpha: "20 1/nm", r0: "0.15 nm", rcut: "0.3 nm" }', -0.5],
    [
      'buckingham_force: { A: 1000, rho: 0.3, C: 30, rcut: 3 }',
      1000 * Math.exp(-5) - 30 / 1.5 ** 6,
    ],
    [
      'buckingham_force: { A: "1 keV", rho: "30 pm", C: "30e-6 eV nm^6", rcut: 3 }',
      1000 * Math.exp(-5) - 30 / 1.5 ** 6,
    ],
    ['yukawa_force: { A: 14.4, kappa: 0.1, rcut: 3 }', 9.6 * Math.exp(-0.15)],
    [
      'yukawa_force: { A: "1.44 eV nm", kappa: "1 1/nm", rcut: 3, shift: energy }',
      9.6 * Math.exp(-0.15) - 4.8 * Math.exp(-0.3),
    ],
    ['tabulated_force: { file: t.table, keyword: T, rcut: 2, points: 2000 }', 2.5],
    ['wca_force: { epsilon: 0.5, sigma: 1.4 }', 2 * ((1.4 / 1.5) ** 12 - (1.4 / 1.5) ** 6) + 0.5],
    ['zbl_force: { z_i: 14, z_j: 6, switch: none, rcut: 3 }', screened(14, 6, 1.5)],
    ['coulomb_cut_force: { dielectric: 2, rcut: "0.3 nm" }', (0.6 ** 2 * coulomb) / 3],
    [
      'pair_force: { pairs: [{ use: morse, D: "500 meV", alpha: 2, r0: 1.5, rcut: 3 }, { types: [A, A], use: gauss, A: 1, B: 1, rcut: 2 }] }',
      -0.5 - Math.exp(-2.25),
    ],
  ])('%s has the energy of the formula', async (force, energy) => {
    const found = await energyOf({ ...pair(force), 't.table': table });
    // Tables are interpolated.
    expect(Math.abs(found / energy - 1)).toBeLessThan(force.startsWith('tab') ? 1e-5 : 1e-12);
  });

  it.each([
    // epsilon 1 and 4, sigma 1 and 2
    ['lennard_jones_force', 'lorentz_berthelot', 'epsilon: 2, sigma: 1.5'],
    ['lennard_jones_force', 'geometric', `epsilon: 2, sigma: ${Math.SQRT2}`],
    ['lennard_jones_force', 'sixth_power', `epsilon: ${32 / 65}, sigma: ${32.5 ** (1 / 6)}`],
  ])('%s mixes unlike types by %s', async (force, mixing, unlike) => {
    const like = [
      '{ types: [A, A], epsilon: 1, sigma: 1, rcut: 3 }',
      '{ types: [B, B], epsilon: 4, sigma: 2, rcut: 3 }',
    ];
    const files = (slots: string) => ({
      'two.xyz': '2\n\nA 0 0 0\nB 1.9 0 0\n',
      'run.yaml': `particle_types: { A: { mass: 1.0 }, B: { mass: 1.0 } }
setup_system: [read_extended_xyz: { file: two.xyz }]
compute_force: [${force}: { ${slots} }]
simulation: [setup_system, compute_force, thermo]
`,
    });
    const given = [...like, `{ types: [A, B], ${unlike}, rcut: 3 }`];
    const mixed = await energyOf(files(`mixing: ${mixing}, pairs: [${like.join(', ')}]`));
    const written = await energyOf(files(`pairs: [${given.join(', ')}]`));
    expect(Math.abs(mixed / written - 1)).toBeLessThan(1e-13);
  });

  it.each([
    'morse_force: { D: 1, alpha: 5, r0: 1.1, rcut: 2.5 }',
    'yukawa_force: { A: 20, kappa: 3, rcut: 2.5 }',
  ])('take part in molecular dynamics on WebGPU: %s', async (force) => {
    const files = { 'run.yaml': meltYaml({ compute_force: `\n  - ${force}` }) };
    const cpu = await energyOf(files);
    expect(Math.abs((await energyOf(files, 'webgpu')) / cpu - 1)).toBeLessThan(2e-5);
  });

  it.each([
    [
      'morse_force: { D: "1 ang", alpha: 2, r0: 1, rcut: 3 }',
      /'1 ang' is a length, but an energy is expected/,
    ],
    ['morse_force: { D: 1, alpha: "2 ang", r0: 1, rcut: 3 }', /an inverse length is expected/],
    ['yukawa_force: { A: "1 eV", kappa: 1, rcut: 3 }', /'1 eV' is an energy/],
    ['buckingham_force: { A: 1, rho: 1, C: "1 eV ang^5", rcut: 3 }', /is expected/],
    [
      'morse_force: { D: 1, alpha: 2, r0: 1 }',
      /needs D, alpha, r0 and rcut, or pairs: rcut is missing/,
    ],
    ['morse_force: { D: 1, alpha: 2, r_0: 1, rcut: 3 }', /r_0.*r0/],
    [
      'morse_force: { D: 1, alpha: 2, r0: 1, rcut: 3, switch: force }',
      /switch 'force' needs switch_from/,
    ],
    ['pair_force: { pairs: [{ rcut: 3 }] }', /needs 'use': give one of lennard_jones, morse/],
    ['pair_force: { pairs: [{ use: mores, rcut: 3 }] }', /'mores': did you mean 'morse'/],
    [
      'pair_force: { pairs: [{ use: morse, depth: 1, alpha: 2, r0: 1, rcut: 3 }] }',
      /has no key 'depth'/,
    ],
    ['pair_force: { pairs: [{ use: none }] }', /no pair of types has a potential/],
    [
      'morse_force: { D: 1, pairs: [{ types: [A, A], D: 1, alpha: 2, r0: 1, rcut: 3 }] }',
      /either D or pairs, not both/,
    ],
    [
      'tabulated_force: { file: t.table, rcut: 2 }',
      /needs file, keyword and rcut, or pairs: keyword is missing/,
    ],
    ['tabulated_force: { file: t.table, keyword: T, rcut: 3 }', /the table reaches from 1 to 2/],
    ['tabulated_force: { file: t.table, keyword: S, rcut: 2 }', /no table 'S'/],
  ])('%s is refused', async (force, message) => {
    work.clear();
    work.write({ ...pair(force), 't.table': table });
    const { code, err } = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('a pair closer than the first distance of its table ends the run', async () => {
    work.clear();
    const force = 'tabulated_force: { file: t.table, keyword: T, rcut: 2 }';
    work.write({ ...pair(force), 'two.xyz': '2\n\nA 0 0 0\nA 0.9 0 0\n', 't.table': table });
    const { code, err } = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
    expect(code).toBe(1);
    expect(err).toMatch(/1 pair is closer than the first distance of the table \(1\)/);
  });
});

describe('a batch of forces that is executed again', () => {
  const yukawa = 'yukawa_force: { A: 14.4, kappa: 0.1, rcut: 3 }';
  const both = `${yukawa}, add_force: { force: [1, 0, 0] }, coulomb_cut_force: { rcut: 3 }`;
  const energy = 9.6 * Math.exp(-0.15) - 1.5 + 0.36 * (coulomb / 1.5);
  it.each([
    ['at once', 'compute_force, thermo: { file: first.csv }, compute_force, thermo'],
    ['after minimize', 'minimize: { force_tolerance: 1e9 }, compute_force, thermo'],
    ['after set', 'compute_force, set: { mass: 3 }, compute_force, thermo'],
    ['inside another', '{ body: [compute_force], loop: 3 }, thermo'],
  ])('%s does not count twice', async (_, batch) => {
    for (const backend of ['cpu', 'webgpu']) {
      const files = pair(both);
      const text = files['run.yaml'].replace('compute_force, thermo]', `${batch}]`);
      const found = await energyOf({ ...files, 'run.yaml': text }, backend);
      expect(Math.abs(found / energy - 1)).toBeLessThan(backend === 'cpu' ? 1e-12 : 1e-6);
    }
  });
});
