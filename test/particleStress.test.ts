import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  bondParticles,
  createGrid,
  ForceLedger,
  heatFlux,
  particleStress,
} from '@corpuscle/operators';
import { createExecutionContext, newestOnHost, updateNeighbors } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { bondedScaling, manyBodyCases, manyBodyReference } from './support/manyBodyCases.js';
import { largest, largestDifference } from './support/particlesOf.js';
import { potentialCases, potentialReference } from './support/potentialCases.js';
import { runCli, Workplace } from './support/runCli.js';
import { itOnce, runs } from './support/runs.js';
import { stressVelocities } from './support/stressCases.js';

const url = new URL('./data/analyses/stress.json.gz', import.meta.url);
const references: Record<string, { stress: number[]; heat: number[] }> = JSON.parse(
  gunzipSync(readFileSync(url)).toString(),
);
const names = ['lennard_jones', 'stillinger_weber', 'eam', 'bonds'] as const;

/** Particles, forces and bonds of a case. */
function caseOf(name: string) {
  const many = manyBodyCases.find((one) => one.name === name);
  if (many) return { ...manyBodyReference(many, 'triclinic'), terms: many.terms() };
  const pair = potentialCases.find((one) => one.name === name)!;
  return { ...potentialReference('triclinic', name), bonds: [], terms: [pair.term()] };
}

const machines = [
  ['cpu', 'f64', 2, 1e-8, runs<readonly string[]>(names, [])],
  [
    'webgpu',
    'f32',
    1,
    1e-4,
    runs<readonly string[]>(
      ['stillinger_weber'],
      names.filter((name) => name !== 'stillinger_weber'),
    ),
  ],
] as const;

describe.each(machines.filter(([, , , , cases]) => cases.length > 0))(
  'on %s in %s',
  (backend, precision, threads, tolerance, cases) => {
    it.each(cases)(
      'stresses of particles and the heat flux are those of LAMMPS: %s',
      async (name) => {
        await using ctx = await createExecutionContext({ backend, precision, threads });
        const { frame, terms, bonds } = caseOf(name);
        const masses = frame.species.map((type, k) => ({
          name: type,
          mass: k === 0 || bonds.length > 0 ? 1 : 3,
        }));
        const grid = createGrid(frame, masses, ctx.heap);
        const velocities = stressVelocities(grid.count);
        ['vx', 'vy', 'vz'].forEach((axis, k) => {
          grid.setValues(
            axis,
            velocities.filter((_, n) => n % 3 === k),
          );
        });
        if (bonds.length > 0) bondParticles(grid, bonds, bondedScaling);
        const rcut = Math.max(...terms.map((term) => term.rcut));
        await updateNeighbors(grid, ctx, { rcut, skin: 0.2 });
        const ledger = new ForceLedger(grid, ctx);
        ledger.begin({ totals: true });
        for (const term of terms) ledger.add(term);
        await particleStress(ledger);
        await newestOnHost(grid, ctx);
        const order = grid.rowsById();
        const fields = ['sxx', 'syy', 'szz', 'sxy', 'sxz', 'syz'].map((field) =>
          grid.values(field),
        );
        const found = [...order].flatMap((row) => fields.map((values) => values[row]!));
        const { stress, heat } = references[name]!;
        expect(found).toHaveLength(stress.length);
        expect(largestDifference(found, stress) / largest(stress)).toBeLessThan(tolerance);

        // They add up to the pressure tensor.
        await particleStress(ledger, { kinetic: false });
        const { virial } = await ledger.totals();
        await newestOnHost(grid, ctx);
        virial.forEach((w, k) => {
          const field = ['sxx', 'syy', 'szz', 'sxy', 'sxz', 'syz'][k]!;
          const sum = -grid.values(field).reduce((total, x) => total + x, 0);
          expect(Math.abs(sum - w) / largest(virial)).toBeLessThan(tolerance / 10);
        });

        const flux = await heatFlux(ledger);
        const { volume } = grid.domain;
        const given = [flux.jx, flux.jy, flux.jz].map((j) => j * volume);
        expect(largestDifference(given, heat) / largest(heat)).toBeLessThan(tolerance);
        grid.free();
      },
    );
  },
);

itOnce(
  'particle_stress leaves what dumps write, and adds up to the pressure tensor of the thermo table',
  async () => {
    const work = new Workplace();
    try {
      work.write({
        'in.yaml': `configuration: { units: metal, seed: 3 }
global: { dt: 2 fs, rcut_inc: 1.0, end_iteration: 20, thermo_frequency: 10 }
particle_types: { Ar: { mass: 39.948 } }
setup_system:
  - lattice: { structure: fcc, lattice_constant: 5.4, repeat: [4, 4, 4] }
  - init_temperature: { temperature: 90 }
compute_force:
  - lennard_jones_force: { epsilon: 0.0104, sigma: 3.4, rcut: 8 }
dump_data:
  - particle_stress: { every: 10, file: stress.csv }
  - write_lammps_dump: { file: a.dump, frequency: 10, columns: [id, 'c_stress[1]', 'c_stress[6]'] }
  - write_extended_xyz: { file: a.xyz, frequency: 10, fields: [pos, id, stress] }
  - write_vtp: { file: a.pvd, frequency: 10, fields: [stress] }
simulation: molecular_dynamics
`,
      });
      const result = await runCli([
        'run',
        work.path('in.yaml'),
        '--output',
        work.root,
        '--threads',
        '1',
      ]);
      expect(result.code, result.err).toBe(0);
      const rows = (name: string) => {
        const lines = readFileSync(work.path(name), 'utf8').trim().split('\n');
        const names = lines[0]!.split(',');
        return lines.slice(1).map((line) => {
          const numbers = line.split(',').map(Number);
          return Object.fromEntries(names.map((column, k) => [column, numbers[k]!]));
        });
      };
      const thermo = rows('thermo.csv');
      for (const [k, row] of rows('stress.csv').entries())
        for (const name of ['pxx', 'pyy', 'pzz', 'pxy', 'pxz', 'pyz'])
          expect(Math.abs(row[name]! - thermo[k]![name]!)).toBeLessThan(1e-6);
      // Last frames, in eV: the pressure of the table is in bar.
      const dump = readFileSync(work.path('a.dump'), 'utf8').trim().split('\n').slice(-256);
      const sums = [1, 2].map((k) =>
        dump.reduce((sum, line) => sum + Number(line.split(' ')[k]), 0),
      );
      const eVPerBar = 1 / 1.6021765e6; // of LAMMPS
      const volume = (4 * 5.4) ** 3;
      expect(-sums[0]! / volume / eVPerBar / thermo.at(-1)!.pxx!).toBeCloseTo(1, 9);
      expect(-sums[1]! / volume / eVPerBar / thermo.at(-1)!.pyz!).toBeCloseTo(1, 6);
      const xyz = readFileSync(work.path('a.xyz'), 'utf8');
      expect(xyz).toContain('stress:R:6');
      const words = xyz.trim().split('\n').at(-256)!.split(/\s+/).map(Number);
      expect([words[5], words[10]]).toEqual(dump[0]!.split(' ').slice(1).map(Number));
      expect(readFileSync(work.path('a.20.vtp'), 'latin1')).toContain('Name="stress"');
    } finally {
      work.remove();
    }
  },
);

const changingBoxes = [
  '[velocity_verlet, { deform: { rate: { xx: 1e-5, xy: 1e-5 } } }]',
  '[velocity_verlet, { cell_rescale: { temperature: 1.0, pressure: 1.0, tau: 1.0e+8 } }]',
];

/** Runs four steps in a box that changes at the end of each. */
async function runChanging(place: Workplace, scheme: string, more: string): Promise<void> {
  place.write({
    'run.yaml': `configuration: { units: lj, seed: 3 }
global: { dt: 0.004, end_iteration: 4, thermo_frequency: 1 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.0 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
numerical_scheme: ${scheme}
${more}
simulation: molecular_dynamics
`,
  });
  const { code, err } = await runCli(['run', place.path('run.yaml'), '--output', place.root]);
  expect(code, err).toBe(0);
}

itOnce.each(changingBoxes)(
  'stresses and heat flux are of the present box after %s',
  async (scheme) => {
    const place = new Workplace();
    await runChanging(
      place,
      scheme,
      `dump_data:
  - heat_flux_autocorrelation: { every: 1, lags: 2, file: flux.csv }
  - particle_stress: { every: 1, file: stress.csv }`,
    );
    const lastOf = (name: string) =>
      readFileSync(place.path(name), 'utf8').trim().split('\n').at(-1)!.split(',').map(Number);
    const [, , ...tensor] = lastOf('stress.csv');
    // pxx … pyz; the table is of the moment before the box changed.
    const table = lastOf('thermo.csv').slice(7);
    expect(tensor).toHaveLength(6);
    expect(largestDifference(tensor, table)).toBeLessThan(1e-4);
    place.remove();
  },
);

itOnce.each(changingBoxes)(
  'a frame after the last step has the energies of particles after %s',
  async (scheme) => {
    const place = new Workplace();
    const frame = 'write_extended_xyz: { file: last.xyz, fields: [pos, energy] }';
    await runChanging(place, scheme, `simulation_epilog: [${frame}]`);
    const [, , ...lines] = readFileSync(place.path('last.xyz'), 'utf8').trim().split('\n');
    const sum = lines.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
    const row = readFileSync(place.path('thermo.csv'), 'utf8').trim().split('\n').at(-1)!;
    expect(sum / Number(row.split(',')[3])).toBeCloseTo(1, 4);
    place.remove();
  },
);

itOnce('energies are projected after the last step in a box that changes', async () => {
  const place = new Workplace();
  const project = 'simulation_epilog: [grid_projection: { fields: [ep], file: ep.vti }]';
  await runChanging(place, changingBoxes[1]!, project);
  place.remove();
});
