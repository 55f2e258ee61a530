import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itLong, itOnce, runs } from './support/runs.js';
import { runText } from './support/runText.js';

const text = (scheme: string, more = '') => `
configuration: { units: lj, seed: 4711 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 10 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }]
numerical_scheme: ${scheme}
thermo: { box: true }
${more}simulation: molecular_dynamics
`;
const repeat = `after_drift:
  - nth_timestep: { frequency: 1000, from: 15 }
  - { condition: nth_timestep, body: [replicate: { repeat: [1, 2, 1] }] }
`;

/** A bias on forty particles, by their ids. */
const biased = `+compute_force: [coordination: { group_a: { first: 0, last: 39 }, group_b: all, every: 10, file: cn.csv,
  switch: { type: rational, r_0: 1.2, d_max: 2.2 }, harmonic_bias: { at: 150, kappa: 0.05 } }]
`;

/** It does not depend on the number of particles. */
const scheme =
  '[velocity_verlet, { berendsen: { pressure: 5, tau_pressure: 0.1, compressibility: 0.01 } }]';

/** Compares a run with the same whose box is repeated along y after the second row. */
async function compare(context: ExecutionContext, scheme: string) {
  const { table: known } = await runText(text(scheme), context);
  const { table } = await runText(text(scheme, repeat), context);
  const copies = (name: string) => (/_energy$|^volume$|^ly$|^xy$/.test(name) ? 2 : 1);
  for (const [name, numbers] of Object.entries(known))
    for (const [row, number] of numbers.entries()) {
      if (name === 'temperature') continue; // over 3N − 3 degrees of freedom
      const expected = number * (row < 2 ? 1 : copies(name));
      const off = Math.abs(table[name]![row]! - expected);
      expect(off, `${name} in row ${row}`).toBeLessThan(1e-9 * Math.max(1, Math.abs(expected)));
    }
}

describe.each(['cpu', 'webgpu'] as const)('a box that is repeated in a run, on %s', (backend) => {
  let context: ExecutionContext;
  beforeAll(async () => {
    context = await createExecutionContext({ backend, precision: 'f64', threads: 1 });
  });
  afterAll(() => context.close());

  /** The CPU runs all cases; a software adapter compiles anew for each, and runs the last one, in the long form. */
  const casesOf = <T>(cases: readonly T[]): readonly T[] =>
    backend === 'cpu' ? runs(cases, []) : runs([], cases.slice(-1));

  const itHere = backend === 'cpu' ? itOnce : itLong;
  itHere('goes on under a barostat as one that is not', () => compare(context, scheme));

  it.each(
    casesOf([
      ['lengths', '{ rate: { xx: 1, yy: 0.5 } }'],
      ['strains until the end', '{ strain: { xx: 0.1 }, true_rate: { yy: 1 } }'],
      ['strains of a table', '{ table: [{ time: 0 }, { time: 0.1, yy: 0.05 }, { time: 1 }] }'],
      [
        'a shear that flips, and swings',
        '{ rate: { xz: 20 }, wiggle: { amplitude: { yy: 0.1 }, period: 0.1 } }',
      ],
      ['particles that flow', '{ rate: { xx: 1, xy: 1 }, sllod: true }'],
    ]),
  )('goes on deforming as one that is not: %s', (_, slots) =>
    compare(context, `[velocity_verlet, { deform: ${slots} }]`),
  );

  it.each(casesOf(['none', 'positions', 'velocities']))(
    'goes on deforming as another one, remap: %s',
    async (remap) => {
      const rate = `{ deform: { rate: { zz: 0.2, yz: 1 }, remap: ${remap} } }`;
      const change = 'change_box: { scale: [1, 1.1, 1.1], strain: { xy: 0.1 } }';
      const late = repeat.replace(/replicate.*(?=])/, change);
      const { table } = await runText(text(`[velocity_verlet, ${rate}]`, late), context);
      const { ly, lz, xy, yz, time } = table;
      const grown = 1.1 * ly![0]!;
      expect(ly!.at(-1)).toBeCloseTo(grown, 12);
      expect(xy!.at(-1)).toBeCloseTo(0.1 * grown, 12);
      expect(yz!.at(-1)).toBeCloseTo(grown * time!.at(-1)!, 12);
      expect(lz!.at(-1)).toBeCloseTo(grown * (1 + 0.2 * time!.at(-1)!), 12);
    },
  );

  it.each(casesOf([scheme, '[velocity_verlet, { deform: { true_rate: { xx: 0.5 } } }]']))(
    'is that of a lattice that is placed in the run: %s',
    async (scheme) => {
      const placed = 'lattice: { structure: fcc, density: 0.6, repeat: [4, 4, 4], types: [A] }';
      const late = `dump_data:${repeat.slice(repeat.indexOf('\n'))}`
        .replace('from: 15', 'from: 20')
        .replace(/replicate.*(?=])/, placed);
      const { table } = await runText(text(scheme, late), context);
      const first = text(scheme).replace(/lattice: .*}/, placed);
      const fresh = first.replace(/.*init_temperature.*\n/, '').replace('40', '20');
      const { table: known } = await runText(fresh, context);
      for (const name of ['pressure', 'volume', 'potential_energy', 'lx']) {
        const expected = known[name]!.at(-1)!;
        const off = Math.abs(table[name]!.at(-1)! - expected);
        expect(off, name).toBeLessThan(1e-9 * Math.abs(expected));
      }
    },
  );

  it.each(casesOf(['replicate: { repeat: [1, 2, 1] }', 'delete_particles: { fraction: 0.2 }']))(
    'has the pressure of its particles where they change at the end of a step of nose_hoover: %s',
    async (change) => {
      const late = `dump_data:${repeat.slice(repeat.indexOf('\n'))}`
        .replace('from: 15', 'from: 16')
        .replace(/replicate.*(?=])/, change);
      const end =
        'simulation_epilog: [write_extended_xyz: { file: end.xyz, fields: [id, pos, velo] }]\n';
      const npt = '[nose_hoover: { pressure: 5, tau_pressure: 0.5 }]';
      const wanted = ['end.xyz'];
      const { table, texts } = await runText(text(npt, late + end), context, { wanted });
      const files = { 'end.xyz': texts[0]! };
      const read = text('[velocity_verlet]').replace(
        /lattice: .*}/,
        'read_extended_xyz: { file: end.xyz }',
      );
      const fresh = read.replace(/.*init_temperature.*\n/, '').replace('40', '0');
      const { table: known } = await runText(fresh, context, { files });
      for (const name of ['pressure', 'volume', 'potential_energy']) {
        const expected = known[name]![0]!;
        const off = Math.abs(table[name]!.at(-1)! - expected);
        expect(off, name).toBeLessThan(1e-8 * Math.max(1, Math.abs(expected)));
      }
    },
  );

  it.each(
    casesOf([
      ['velocity_verlet', biased],
      [scheme, ''],
      ['velocity_verlet', ''],
    ]),
  )(
    'goes on with particles of a file as a run that begins with them: %s %s',
    async (scheme, forces) => {
      const write =
        'simulation_epilog: [write_extended_xyz: { file: end.xyz, fields: [id, pos, velo] }]\n';
      const melt = text('velocity_verlet', write + forces);
      const { texts } = await runText(melt, context, { wanted: ['end.xyz'] });
      const files = { 'end.xyz': texts[0]! };
      const read = 'read_extended_xyz: { file: end.xyz, frame: 0 }';
      const late = `dump_data:${repeat.slice(repeat.indexOf('\n'))}`
        .replace('from: 15', 'from: 20')
        .replace(/replicate.*(?=])/, read);
      const { table } = await runText(text(scheme, late + forces), context, { files });
      const first = text(scheme, forces).replace(/lattice: .*}/, read);
      const fresh = first.replace(/.*init_temperature.*\n/, '').replace('40', '20');
      const { table: known } = await runText(fresh, context, { files });
      for (const name of ['pressure', 'volume', 'potential_energy', 'kinetic_energy'])
        for (const row of [-2, -1]) {
          const expected = known[name]!.at(row)!;
          const off = Math.abs(table[name]!.at(row)! - expected);
          expect(off, name).toBeLessThan(1e-9 * Math.abs(expected));
        }
    },
  );

  itHere('goes on deforming beside a barostat as one that is not', () => {
    const pressure = scheme.replace('compress', 'coupling: aniso, axes: y, compress');
    return compare(context, pressure.replace(']', ', { deform: { rate: { xx: 1, xz: 1 } } }]'));
  });
});
