// Particles that come and go in a run: forces, lists, ids, groups and bonds against brute force.

import { type Domain, defineOperator } from '@corpuscle/core';
import {
  bondParticles,
  bondsOf,
  changeParticles,
  contextOf,
  createGrid,
  createRegistry,
  gridKey,
  statisticsKey,
} from '@corpuscle/operators';
import { newestOnHost } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import { frameOfPositions } from '../support/frameOfPositions.js';
import { itOnce, runs } from '../support/runs.js';
import { runText } from '../support/runText.js';

/** What a step looked like. */
interface Look {
  readonly step: number;
  readonly ids: readonly number[];
  /** Largest difference of a force and that of brute force, over the largest force where that is more than 1. */
  readonly error: number;
  /** Particles of the group `marked`. */
  readonly marked: number;
}

/** Compares forces with those of all pairs. */
const looker = (looks: Look[]) =>
  defineOperator({
    name: 'look',
    doc: 'Compares forces with those of brute force.',
    slots: {},
    every: 5,
    requires: [gridKey],
    async execute({ state }) {
      const grid = state.get(gridKey);
      await newestOnHost(grid, contextOf(state));
      const names = ['rx', 'ry', 'rz', 'fx', 'fy', 'fz', 'id', 'group_mask'];
      const [x, y, z, fx, fy, fz, id, mask] = names.map((name) => [...grid.values(name)]);
      const found = [fx!, fy!, fz!];
      const expected = bruteForces(grid.domain, [x!, y!, z!]);
      let [error, largest] = [0, 1];
      for (let k = 0; k < grid.count; k++)
        for (let axis = 0; axis < 3; axis++) {
          error = Math.max(error, Math.abs(found[axis]![k]! - expected[axis]![k]!));
          largest = Math.max(largest, Math.abs(expected[axis]![k]!));
        }
      const marked = mask!.filter((bits) => (bits & 2) !== 0).length;
      looks.push({ step: state.step, ids: id!, error: error / largest, marked });
    },
  });

function bruteForces(domain: Domain, r: readonly number[][]): number[][] {
  const n = r[0]!.length;
  const f = r.map(() => new Array<number>(n).fill(0));
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      const d = domain.minimumImage(...(r.map((c) => c[i]! - c[j]!) as [number, number, number]));
      const r2 = d[0] ** 2 + d[1] ** 2 + d[2] ** 2;
      if (r2 >= 2.5 ** 2) continue;
      const s6 = 1 / r2 ** 3;
      const strength = (48 * s6 * s6 - 24 * s6) / r2;
      for (let axis = 0; axis < 3; axis++) {
        f[axis]![i]! += strength * d[axis]!;
        f[axis]![j]! -= strength * d[axis]!;
      }
    }
  return f;
}

const text = (change: string, steps: number) => `
configuration: { units: lj, seed: 5 }
global: { dt: 0.002, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: 1000 }
particle_types: { A: { mass: 1 }, B: { mass: 2 } }
setup_system:
  - lattice: { structure: sc, density: 0.5, repeat: [6, 6, 6], types: [A] }
  - group: { name: marked, ids: { first: 0, last: 215, stride: 2 } }
  - init_temperature: { temperature: 1 }
after_drift:
${change}
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }]
dump_data: [look]
simulation: molecular_dynamics
`;

const change = `
  - delete_particles: { fraction: 0.1, every: 20, from: 20 }
  - create_particles: { type: B, count: 22, min_distance: 0.9, temperature: 1, group: marked, every: 20, from: 20 }
`;

const targets = await openTargets('state');
for (const { name, ctx, tolerance } of targets) {
  if (/scalar|javascript|webgpu f64/.test(name)) continue;
  it(`${name}: forces are those of all pairs while a tenth is deleted and created`, async () => {
    const looks: Look[] = [];
    const operators = createRegistry().add(looker(looks));
    // The software adapter compiles kernels anew for each number of particles.
    const steps = ctx.backend === 'cpu' ? runs(100, 2000) : runs(25, 400);
    await runText(text(change, steps), ctx, { operators });
    expect(looks.map(({ step }) => step)).toEqual(
      Array.from({ length: steps / 5 + 1 }, (_, k) => 5 * k),
    );
    let highest = 215;
    let before = new Set(looks[0]!.ids);
    for (const { step, ids, error, marked } of looks) {
      expect(error, `step ${step}`).toBeLessThan(Math.max(1e-10, 20 * tolerance));
      const now = new Set(ids);
      expect(now.size).toBe(ids.length);
      const added = ids.filter((id) => !before.has(id));
      const changes = step > 0 && step % 20 === 0;
      expect(added.length).toBe(changes ? 22 : 0);
      // Ids are new, and one follows the other.
      if (changes) expect(Math.min(...added)).toBe(highest + 1);
      highest = Math.max(highest, ...ids);
      // Those created are in the group, and the even ones of the first.
      expect(marked).toBe(ids.filter((id) => id > 215 || id % 2 === 0).length);
      before = now;
    }
  });
}

const [cpu] = targets;

itOnce.each(targets.filter(({ name }) => /simd|webgpu f32/.test(name)))(
  '$name: lists are built once where particles go and come in one step',
  async ({ ctx }) => {
    const operators = createRegistry().add(looker([]));
    const builds = async (changes: string) => {
      // Nothing moves as far as half the skin.
      const slow = text(changes, 60).replace('dt: 0.002', 'dt: 0.00001');
      const { result } = await runText(slow, ctx, { operators });
      return result.state.get(statisticsKey).updates.rebuilds;
    };
    const [gone, come] = change
      .trim()
      .split('\n')
      .map((line) => line.trim());
    const both = await builds(change);
    expect(both).toBe(await builds(`  ${come}`));
    expect(both).toBe(await builds(`  ${come}\n  ${gone}\n  ${come}`));
    // Those of begin_run, and in steps 20, 40 and 60.
    if (ctx.backend === 'cpu') expect(both).toBe(4);
  },
);
const setUp = (lines: string, ctx = cpu!.ctx) =>
  runText(
    `
configuration: { units: lj, seed: 5 }
particle_types: { A: { mass: 1 }, B: { mass: 2, charge: 3 } }
setup_system:
  - lattice: { structure: sc, lattice_constant: 1.5, repeat: [4, 4, 4], types: [A] }
${lines}
simulation: [setup_system]
`,
    ctx,
  );

itOnce(
  'random places keep their distance, from each other and from particles, at nearest images',
  async () => {
    const { grid } = await setUp('  - create_particles: { type: B, count: 40, min_distance: 0.7 }');
    expect(grid.count).toBe(104);
    const [x, y, z] = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
    for (let i = 64; i < grid.count; i++)
      for (let j = 0; j < i; j++) {
        const d = grid.domain.minimumImage(x![i]! - x![j]!, y![i]! - y![j]!, z![i]! - z![j]!);
        expect(Math.hypot(...d)).toBeGreaterThanOrEqual(0.7);
      }
    await expect(
      setUp('  - create_particles: { type: B, count: 4000, min_distance: 0.7, attempts: 100 }'),
    ).rejects.toThrow(/no place for particle \d+ of 4000 was found in 100 attempts/);
  },
);

itOnce(
  'a lattice of any basis and orientation has its density and its nearest neighbors',
  async () => {
    // fcc by its own vectors, turned by 45 degrees, in a box that it fits into: two layers with 16 sites.
    const constant = 3 / Math.SQRT2;
    const { grid, values } = await setUp(`
  - delete_particles: { region: { complement: { ids: [0] } } }
  - create_particles:
      type: B
      lattice:
        lattice_constant: ${constant}
        vectors: [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]
        basis: [[0, 0, 0]]
        orient: [[1, 1, 0], [-1, 1, 0], [0, 0, 1]]
        origin: [0.01, 0.01, 0.01]
      region: { box: { z: [0, 2.1] } }
`);
    expect(grid.count).toBe(33);
    expect(new Set(values('charge').slice(1))).toEqual(new Set([3]));
    const [x, y, z] = ['rx', 'ry', 'rz'].map((name) => values(name).slice(1));
    for (let i = 0; i < 32; i++) {
      const near = x!.filter((_, j) => {
        const d = grid.domain.minimumImage(x![i]! - x![j]!, y![i]! - y![j]!, z![i]! - z![j]!);
        return j !== i && Math.abs(Math.hypot(...d) - constant / Math.SQRT2) < 1e-9;
      });
      // Four in the layer, four in the other one.
      expect(near.length).toBe(8);
    }
  },
);

itOnce('of particles that overlap the one with the higher id goes', async () => {
  const { values } = await setUp(`
  - create_particles: { type: B, positions: [[0.1, 0, 0], [0.75, 0.75, 0.75], [0.8, 0.75, 0.75], [5.9, 1.5, 0]] }
  - delete_particles: { overlap: 0.5 }
`);
  expect(values('id')).toEqual([...Array.from({ length: 64 }, (_, k) => k), 65]);
});

itOnce('bonds of particles that go are gone', () => {
  const frame = frameOfPositions([0, 1, 2, 3].map((x) => [x, 0, 0]));
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], cpu!.ctx.heap);
  bondParticles(grid, [{ ids: [0, 1] }, { ids: [1, 2] }, { ids: [2, 3], kind: 1 }]);
  changeParticles(grid, (row) => row !== 1, []);
  expect(bondsOf(grid)!.bonds).toEqual([{ ids: [2, 3], kind: 1 }]);
  expect([...grid.values('rx')]).toEqual([0, 2, 3]);
  grid.free();
});

itOnce('set changes type, mass, charge and fields of a group and a region', async () => {
  const { values } = await setUp(`
  - group: { name: low, ids: { first: 0, last: 31 } }
  - set: { type: B, group: low }
  - set: { charge: 5, velocity: [1, 2, 3], region: { ids: [7] } }
  - set: { fields: { vz: 4 }, region: { ids: [8, 40] } }
`);
  expect(values('type')).toEqual(Array.from({ length: 64 }, (_, id) => (id < 32 ? 1 : 0)));
  expect(values('mass')).toEqual(Array.from({ length: 64 }, (_, id) => (id < 32 ? 2 : 1)));
  expect(values('charge').slice(6, 9)).toEqual([3, 5, 3]);
  expect([values('vy')[7], values('vz')[7], values('vz')[8], values('vz')[40]]).toEqual([
    2, 3, 4, 4,
  ]);
});

itOnce(
  'fields of a file have the values of types, in regions and for particles that are created',
  async () => {
    const { values } = await setUp(`
  - particle_properties: { fields: { dipole: { default: 1, by_type: { B: 2.5 } }, label: {} } }
  - set: { fields: { label: 3 }, region: { ids: [4] } }
  - create_particles: { type: B, positions: [[0.7, 0.7, 0.7]] }
  - group: { name: strong, region: { field: { name: dipole, min: 2 } } }
`);
    expect(values('dipole')).toEqual([...new Array(64).fill(1), 2.5]);
    expect(values('label').indexOf(3)).toBe(4);
    expect(
      values('group_mask')
        .map((bits) => (bits & 2) !== 0)
        .indexOf(true),
    ).toBe(64);
    await expect(setUp('  - particle_properties: { fields: { mass: {} } }')).rejects.toThrow(
      /have a field 'mass' already/,
    );
  },
);

itOnce(
  'noise has its width, acts on its group alone, and is the same on every backend',
  async () => {
    const noise = '  - gaussian_noise: { sigma: 0.1, of: velocities, group: low }';
    const group = '  - group: { name: low, ids: { first: 0, last: 47 } }';
    const { values } = await setUp(`${group}\n${noise}`);
    const all = ['vx', 'vy', 'vz'].flatMap((name) => values(name).slice(0, 48));
    const square = all.reduce((sum, v) => sum + v * v, 0) / all.length;
    // The standard error of 144 squares is 12 %.
    expect(square / 0.01).toBeGreaterThan(0.6);
    expect(square / 0.01).toBeLessThan(1.4);
    expect(new Set(values('vx').slice(48))).toEqual(new Set([0]));
    const device = targets.find(({ name }) => name === 'webgpu f32');
    if (!device) return;
    const other = await setUp(`${group}\n${noise}`, device.ctx);
    const [a, b] = [values('vy'), other.values('vy')];
    a.forEach((v, k) => {
      expect(Math.abs(v - b[k]!)).toBeLessThan(1e-6);
    });
  },
);

itOnce('refuses to delete all particles, in one sentence', async () => {
  await expect(setUp('  - delete_particles: {}')).rejects.toThrow(/all particles would be deleted/);
});

itOnce('in dump_data nothing is created or deleted before the step that from names', async () => {
  const change = `dump_data:
  - create_particles: { type: B, count: 22, min_distance: 0.9, every: 20, from: 20 }
  - delete_particles: { fraction: 0.2, every: 20, from: 20 }
  - look
`;
  const looks: Look[] = [];
  const operators = createRegistry().add(looker(looks));
  const whole = text('', 25).replace('after_drift:\n', '').replace('dump_data: [look]\n', change);
  await runText(whole, cpu!.ctx, { operators });
  const counts = looks.map(({ step, ids }) => [step, ids.length]);
  expect(counts.slice(0, 4)).toEqual([0, 5, 10, 15].map((step) => [step, 216]));
  expect(counts[4]![1]).not.toBe(216);
});
