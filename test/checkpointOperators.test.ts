import { afterAll, describe, expect, it } from 'vitest';
import { checkpointed, RunFolders } from './support/restarts.js';
import { runs } from './support/runs.js';

const folders = new RunFolders();
afterAll(() => folders.remove());

const switching = 'switch: { type: rational, r_0: 1.2, d_max: 2.2 }';
const dump = (lines: readonly string[]): string => lines.map((line) => `\n  - ${line}`).join('');

/** Every analysis, with files of all that it tells; steps between samples have no common factor with those of checkpoints. */
const analyses = [
  'averages: { file: means.csv, every: 3 }',
  'thermo: { file: more.csv, frequency: 5, conserved: true }',
  'centro_symmetry: { cutoff: 1.6, file: cs.csv, every: 7 }',
  'clusters: { cutoff: 1.1, file: cl.csv, sizes: sizes.csv, every: 5 }',
  'common_neighbors: { cutoff: 1.4, file: cna.csv, every: 5 }',
  'steinhardt: { cutoff: 1.5, file: q.csv, frequency: 9 }',
  `coordination: { group_a: all, ${switching}, file: cn.csv, frequency: 11 }`,
  `coordination_histogram: { group_a: all, ${switching}, max: 20, file: hist.csv, frequency: 4 }`,
  'radial_distribution: { file: g.csv, bins: 20, errors: true, frequency: 3 }',
  'structure_factor: { q_max: 8, bins: 10, file: s.csv, every: 6 }',
  'profile: { file: profile.csv, bins: 8, every: 3 }',
  'grid_histogram: { file: gh.csv, bins: 6, every: 3 }',
  'grid_projection: { fields: [density, temperature], file: map.vti, frequency: 10 }',
  'cc_label: { threshold: 0.8, file: cc.csv, image: cc.vti, every: 4 }',
  'write_vtp: { file: frames.pvd, frequency: 10 }',
  'mean_square_displacement: { origins: 3, lags: 8, file: msd.csv, every: 2 }',
  'velocity_autocorrelation: { origins: 3, lags: 8, file: vacf.csv, every: 2 }',
  'stress_autocorrelation: { lags: 10, file: stress.csv }',
  'heat_flux_autocorrelation: { lags: 10, file: flux.csv }',
  'particle_stress: { file: ps.csv, every: 8 }',
] as const;
/** Tables, and lists of images and frames for ParaView. */
const written = analyses.flatMap((line) =>
  [...line.matchAll(/(?:file|sizes|image): (\w+\.)(csv|vti|pvd)/g)].map(
    ([, name, ending]) => name! + (ending === 'csv' ? 'csv' : 'pvd'),
  ),
);

describe('a run that goes on from a checkpoint has the results of an uninterrupted run', () => {
  it.each(runs([29], [1, 7, 30]))('of every analysis, from step %i', async (every) => {
    const checkpoint = `checkpoint: { frequency: ${every}, keep: 99 }`;
    const yaml = checkpointed(runs(40, 61), every, { dump_data: dump([...analyses, checkpoint]) });
    await folders.compare(`analyses-${every}`, yaml, {}, { from: [every], files: written });
  });

  it.each([runs<'cpu' | 'webgpu'>('cpu', 'webgpu')])(
    'of all that moves particles at some steps, on %s',
    async (backend) => {
      const checkpoint = 'checkpoint: { frequency: 13, keep: 99 }';
      const yaml = checkpointed(30, 13, {
        '+setup_system': dump([
          'region: { name: low, shape: { box: { z: [0, 3] } } }',
          'group: { name: below, region: low }',
        ]),
        '+numerical_scheme': dump([
          'remove_momentum: { frequency: 3 }',
          'gaussian_noise: { sigma: 0.01, of: velocities, every: 2, group: below }',
          'displace_particles: { random: [0.01, 0.01, 0.01], every: 7 }',
        ]),
        after_drift: dump([
          'reflect: { plane: { point: [0, 0, 0.2], normal: [0, 0, 1] }, velocity: [0, 0, 0.1] }',
        ]),
        compute_force: dump([
          'lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }',
          'wall: { form: harmonic, plane: { point: [0, 0, 0.1], normal: [0, 0, 1] }, stiffness: 5, rcut: 0.4, wiggle: { amplitude: [0, 0, 0.1], period: 0.1 } }',
          'spring: { point: [1, 1, 1], k: 0.1, group: below }',
          'add_force: { force: [0.1, 0, 0], group: below }',
          'set_force: { x: 0, group: below }',
        ]),
        dump_data: dump([checkpoint]),
      });
      await folders.compare(`moves-${backend}`, yaml, { backend }, { from: [13] });
    },
  );

  it.each([runs<'cpu' | 'webgpu'>('cpu', 'webgpu')])(
    'of what draws random particles and places before and after a checkpoint of one step, on %s',
    async (backend) => {
      const yaml = checkpointed(14, 7, {
        after_drift: dump([
          'delete_particles: { fraction: 0.01, every: 7 }',
          'create_particles: { type: A, count: 5, min_distance: 0.6, every: 7 }',
        ]),
        dump_data: dump([
          'set: { fraction: 0.1, fields: { vz: 0 } }',
          'checkpoint: { frequency: 7, keep: 99 }',
          'set: { fraction: 0.1, fields: { vy: 0 } }',
          'delete_particles: { fraction: 0.01, every: 7 }',
        ]),
        // Nearly a gas without forces, so that new particles may be close to others.
        compute_force: dump(['lennard_jones_force: { epsilon: 0.00001, sigma: 1.0, rcut: 2.5 }']),
      });
      await folders.compare(`draws-${backend}`, yaml, { backend }, { from: [7] });
    },
  );

  it.each(['after_drift', 'dump_data'])(
    'of a bias of particles by their ids, where others are created in %s',
    async (batch) => {
      const create =
        'create_particles: { type: A, count: 5, min_distance: 0.6, every: 6, from: 6 }';
      const parts: Record<string, string> = {
        // Nearly without forces, so that new particles may be close to others.
        compute_force: dump([
          'lennard_jones_force: { epsilon: 0.00001, sigma: 1.0, rcut: 2.5 }',
          `coordination: { group_a: [3, 9, 17], ${switching}, harmonic_bias: { at: 20, kappa: 0.01 }, file: bias.csv }`,
        ]),
        dump_data: dump(['checkpoint: { frequency: 12, keep: 99 }']),
      };
      parts[batch] = dump([create]) + (parts[batch] ?? '');
      await folders.compare(
        `bias-${batch}`,
        checkpointed(30, 12, parts),
        {},
        { from: [12], files: ['bias.csv'] },
      );
    },
  );

  it('of a histogram of particles by their ids, where others have come since its last frame', async () => {
    const parts = {
      compute_force: dump(['lennard_jones_force: { epsilon: 0.00001, sigma: 1.0, rcut: 2.5 }']),
      dump_data: dump([
        `coordination_histogram: { group_a: [3, 9, 17], ${switching}, max: 20, file: hist.csv, every: 5 }`,
        'create_particles: { type: A, count: 5, min_distance: 0.6, every: 6, from: 6 }',
        'checkpoint: { frequency: 12, keep: 99 }',
      ]),
    };
    const from = { from: [12], files: ['hist.csv'] };
    await folders.compare('histogram-of-ids', checkpointed(30, 12, parts), {}, from);
  });

  it('of bonds that were copied, read from a file, and deleted with their particles', async () => {
    const forces = dump([
      'lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }',
      'harmonic_bond_force: { k: 30, r0: 1.1, rcut: 2.4 }',
    ]);
    const common = {
      compute_force: forces,
      after_drift: dump(['delete_particles: { fraction: 0.03, every: 6 }']),
      simulation_epilog: dump(['write_lammps_data: { file: last.data }']),
    };
    const files = ['last.data'];
    const copied = checkpointed(30, 12, {
      setup_system: dump([
        'lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }',
        `bond_particles: { bonds: [${Array.from({ length: 60 }, (_, k) => `[${4 * k}, ${4 * k + 1}]`)}], scaling: [0.5, 1, 1] }`,
        'init_temperature: { temperature: 1.44 }',
        'replicate: { repeat: [1, 1, 2] }',
      ]),
      ...common,
    });
    await folders.compare('copied-bonds', copied, {}, { from: [12], files });
    expect(folders.text('copied-bonds', 'last.data')).toMatch(/^(8|9|10|11)\d bonds$/m); // of 120
    const read = checkpointed(30, 12, {
      setup_system: dump([
        `read_lammps_data: { file: ${folders.folder('copied-bonds')}/last.data }`,
      ]),
      ...common,
    });
    await folders.compare('read-bonds', read, {}, { from: [12], files });
  });
});
