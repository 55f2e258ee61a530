// g(r) between groups against a loop over all pairs.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { afterAll, expect, it } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import { createRegistry } from '../../createRegistry.js';
import { gridKey } from '../../run/stateKeys.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-rdf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

itOnce(
  'g(r) between groups is that of a loop over pairs, also where they overlap, on the CPU and a device',
  async () => {
    const text = `
configuration: { units: lj, seed: 7 }
particle_types: { A: { mass: 1.0 }, B: { mass: 2.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A, A, B, A] }
  - gaussian_noise: { sigma: 0.1, of: positions }
  - group: { name: even, ids: { first: 0, last: 106, stride: 2 } }
  - group: { name: low, ids: { first: 0, last: 49 } }
simulation:
  - setup_system
  - radial_distribution: { groups: [[even, low], [low, low], [even, all]], bins: 20, r_max: 2.2, file: g.json }
  - radial_distribution: { group: even, pairs: [[A, A], [A, B]], bins: 20, r_max: 2.2, file: types.json }
`;
    for (const backend of ['cpu', 'webgpu'] as const) {
      const file = path.join(folder, 'in.yaml');
      writeFileSync(file, text);
      await using context = await createExecutionContext({ backend, threads: 1 });
      const simulation = loadSimulation([file], { operators: createRegistry() });
      const { state } = await runSimulation(simulation, { context, outputDirectory: folder });
      const read = (name: string) =>
        JSON.parse(readFileSync(path.join(folder, name), 'utf8')).pairs as {
          types: [string, string];
          coordination: number[];
        }[];
      const pairs = read('g.json');
      const ofTypes = read('types.json');
      const grid = state.get(gridKey);
      await newestOnHost(grid, context);
      const [id, type, x, y, z] = ['id', 'type', 'rx', 'ry', 'rz'].map((name) => grid.values(name));
      const isIn = {
        even: (k: number) => id![k]! % 2 === 0,
        low: (k: number) => id![k]! < 50,
        all: () => true,
        A: (k: number) => id![k]! % 2 === 0 && type![k] === 0,
        B: (k: number) => id![k]! % 2 === 0 && type![k] === 1,
      };
      expect(pairs.map(({ types }) => types.join())).toEqual(['even,low', 'low,low', 'even,all']);
      expect(ofTypes.map(({ types }) => types.join())).toEqual(['A,A', 'A,B']);
      for (const { types, coordination } of [...pairs, ...ofTypes]) {
        const [a, b] = types.map((name) => isIn[name as keyof typeof isIn]) as [
          (k: number) => boolean,
          (k: number) => boolean,
        ];
        let [found, centers] = [0, 0];
        for (let i = 0; i < grid.count; i++) {
          if (!a(i)) continue;
          centers++;
          for (let j = 0; j < grid.count; j++) {
            if (i === j || !b(j)) continue;
            const d = grid.domain.minimumImage(x![i]! - x![j]!, y![i]! - y![j]!, z![i]! - z![j]!);
            if (Math.hypot(...d) < 2.2) found++;
          }
        }
        // A device may see a pair or two on the other side of the last bin.
        expect(Math.abs(coordination.at(-1)! * centers - found)).toBeLessThan(
          backend === 'cpu' ? 1e-6 : 2.5,
        );
      }
    }
  },
);

const schemes = [
  ['NVE', 'velocity_verlet'],
  [
    'NPT',
    '{ nose_hoover: { temperature: 0.8, tau: 0.2, pressure: 3.0, tau_pressure: 0.3, coupling: triclinic } }',
  ],
] as const;
it.each(runs(schemes.slice(0, 1), schemes.slice(1)))(
  'g(r) of types, which a device counts where particles are, is that of groups, which the host sorts: %s',
  async (name, scheme) => {
    const file = path.join(folder, `${name}.yaml`);
    const slots = 'every: 3, bins: 25, r_max: 2.4';
    writeFileSync(
      file,
      `
configuration: { units: lj, seed: 7 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 12, thermo_frequency: 24 }
particle_types: { A: { mass: 1.0 }, B: { mass: 2.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A, A, B, A] }
  - init_temperature: { temperature: 1.4 }
  - group: { name: a, types: [A] }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.0 }
numerical_scheme: ${scheme}
dump_data:
  - radial_distribution: { ${slots}, pairs: [[A, A]], file: types.json }
  - radial_distribution: { ${slots}, groups: [[a, a]], file: groups.json }
simulation: molecular_dynamics
`,
    );
    await using context = await createExecutionContext({ backend: 'webgpu', precision: 'f32' });
    const simulation = loadSimulation([file], { operators: createRegistry() });
    await runSimulation(simulation, { context, outputDirectory: folder });
    const [types, groups] = ['types.json', 'groups.json'].map((of) =>
      JSON.parse(readFileSync(path.join(folder, of), 'utf8')),
    );
    expect(types.frames).toBe(5);
    expect(groups.frames).toBe(5);
    types.pairs[0].coordination.forEach((found: number, bin: number) => {
      // A pair or two in a frame that single precision puts into the next bin, of 81 particles.
      expect(Math.abs(found - groups.pairs[0].coordination[bin])).toBeLessThan(2.1 / 81);
    });
    types.pairs[0].error.forEach((found: number, bin: number) => {
      expect(Math.abs(found - groups.pairs[0].error[bin])).toBeLessThan(2e-3);
    });
  },
);
