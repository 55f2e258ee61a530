import { afterAll, describe, it } from 'vitest';
import { checkpointed, RunFolders } from './support/restarts.js';
import { isLong, runs } from './support/runs.js';

const folders = new RunFolders();
afterAll(() => folders.remove());

const small =
  '\n  - lattice: { structure: fcc, density: 0.8442, repeat: [5, 5, 5], types: [A] }\n  - init_temperature: { temperature: 1.44 }';
const lennardJones = '\n  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }';

describe('a deterministic run goes on with the same bits', () => {
  const threadsAndPrecisions: readonly (readonly [number, 'f64' | 'mixed'])[] = [
    [2, 'f64'],
    [1, 'mixed'],
    [1, 'f64'],
    [2, 'mixed'],
  ];
  it.each(runs(threadsAndPrecisions.slice(0, 2), threadsAndPrecisions))(
    'from every checkpoint on %i thread(s) in %s',
    async (threads, precision) => {
      const name = `threads-${threads}-${precision}`;
      await folders.compare(
        name,
        checkpointed(200, 37),
        { threads, precision },
        { from: runs([111], [37, 111, 185]) },
      );
    },
  );

  it('on WebGPU', async () => {
    const [steps, from] = runs([60, [30]], [90, [30, 60]]);
    await folders.compare('gpu', checkpointed(steps, 30), { backend: 'webgpu' }, { from });
  });

  // The table needs energies of forces that were computed before the checkpoint; analyses need the lists.
  it.each(['cpu', 'webgpu'] as const)('in the middle of a step on %s', async (backend) => {
    const checkpoint = '{ checkpoint: { frequency: 21, keep: 100 } }';
    const isShort = backend === 'webgpu' && !isLong;
    const yaml = checkpointed(isShort ? 42 : 63, 21, {
      setup_system: small,
      numerical_scheme: `[next_time_step, push_velocity_and_position, update_neighbors, update_forces, ${checkpoint}, push_velocity]`,
      dump_data:
        '\n  - steinhardt: { cutoff: 1.5, frequency: 7, file: q.csv }\n  - write_extended_xyz: { file: f.xyz, frequency: 7 }',
    });
    const files = ['q.csv', 'f.xyz'];
    await folders.compare(
      `middle-${backend}`,
      yaml,
      { backend, threads: 2 },
      { from: isShort ? [21] : [21, 42], files },
    );
  });
});

describe('trajectories of all formats grow on', () => {
  it.each(runs([1], [1, 10]))('with a frame every %i steps', async (every) => {
    const names = ['a.dump', 'a.dump.gz', 'a.dcd', 'a.xtc', 'a.gsd', 'a.xyz'];
    const writers = ['lammps_dump', 'lammps_dump', 'dcd', 'xtc', 'gsd', 'extended_xyz'].map(
      (format, k) => `\n  - write_${format}: { file: ${names[k]}, frequency: ${every} }`,
    );
    const steps = runs(24, 60);
    const from = every === 1 ? [steps / 3, (2 * steps) / 3] : [30];
    const yaml = checkpointed(steps, from[0]!, {
      setup_system: small,
      dump_data: `${writers.join('')}\n  - checkpoint: { frequency: ${from[0]}, keep: 9 }`,
    });
    await folders.compare(`formats-${every}`, yaml, { threads: 1 }, { from, files: names });
  });
});

const switching = 'switch: { type: rational, r_0: 1.2, d_max: 2.2 }';
const analyses = `
  - radial_distribution: { file: g.csv, bins: 20, frequency: 9 }
  - coordination_histogram: { group_a: all, ${switching}, max: 20, file: h.csv, frequency: 13 }
  - coordination: { group_a: all, ${switching}, file: cn.csv, plot: cn.svg, frequency: 11 }
  - checkpoint: { frequency: 20, keep: 10 }`;
const biased = (groups: string, at: number, kappa: number): string =>
  `${lennardJones}\n  - coordination: { ${groups}, switch: { type: rational, r_0: 1.5, d_max: 3.1 }, harmonic_bias: { at: ${at}, kappa: ${kappa} }, file: bias.csv, frequency: 10 }`;

describe('operators that add up over frames, and biases, go on', () => {
  const few = 'group_a: { first: 0, last: 40 }, group_b: { first: 41, last: 90 }';
  const all = ['cpu', 'all', 'group_a: all', 9000, 1e-5] as const;
  const others = [
    ['cpu', 'few', few, 30, 0.1],
    ['webgpu', 'few', few, 30, 0.1],
  ] as const;
  it.each(runs([all, others[0]], [all, ...others]))(
    'on %s, %s',
    async (backend, name, groups, at, kappa) => {
      const yaml = checkpointed(runs(40, 60), 20, {
        setup_system: small,
        compute_force: biased(groups, at, kappa),
        dump_data: analyses,
      });
      const files = ['g.csv', 'h.csv', 'cn.csv', 'cn.svg', 'bias.csv'];
      await folders.compare(
        `${backend}-${name}`,
        yaml,
        { backend, threads: 2 },
        { from: [20], files },
      );
    },
  );
});
