import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Domain, defineOperator, loadSimulation, runSimulation } from '@corpuscle/core';
import { createExecutionContext, type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';
import { createGrid } from '../system/createGrid.js';
import { lattice } from '../system/lattice/lattice.js';
import { applyOperators, type OperatorUse } from './applyOperators.js';
import { gridKey } from './stateKeys.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-apply-'));
const sections = {
  configuration: { units: 'lj', seed: 3, deterministic: true },
  global: { dt: 0.004, rcut_inc: 0.3 },
  particle_types: { A: { mass: 1 } },
  pairs: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.2 } }],
  anchored: [{ spring_self: { k: 5 } }],
};
const size = { structure: 'fcc', density: 0.8, repeat: [4, 4, 4] } as const;

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1, deterministic: true });
});
afterAll(async () => {
  await ctx.close();
  rmSync(folder, { recursive: true });
});

const gridOf = () => createGrid(lattice(size), [{ name: 'A', mass: 1 }], ctx.heap);

/** Ids, positions and velocities after operators, by id. */
async function after(uses: readonly OperatorUse[], more: Readonly<Record<string, unknown>> = {}) {
  const grid = gridOf();
  if (JSON.stringify([uses, more]).includes('faces'))
    grid.domain = Domain.triclinic(grid.domain.matrix, { periodic: [false, false, false] });
  const all = { sections: { ...sections, ...more }, outputDirectory: folder };
  const { state } = await applyOperators(grid, ctx, uses, all);
  const found = state.get(gridKey);
  await newestOnHost(found, ctx);
  const rows = found.rowsById();
  const values = ['rx', 'ry', 'rz', 'vx'].map((name) =>
    Array.from(rows, (k) => found.values(name)[k]!),
  );
  return { values, count: found.count, domain: found.domain };
}

describe('applyOperators', () => {
  const hot: OperatorUse = { init_temperature: { temperature: 1 } };

  it('gives the same bits as a file', async () => {
    const ours = await after([hot, { run: { steps: 20 } }], {
      compute_force: ['pairs'],
      numerical_scheme: { langevin: { temperature: 1, friction: 1 } },
    });
    const document = {
      ...sections,
      compute_force: ['pairs'],
      numerical_scheme: { langevin: { temperature: 1, friction: 1 } },
      simulation: [{ lattice: { ...size, types: ['A'] } }, hot, { run: { steps: 20 } }],
    };
    const text = JSON.stringify(document);
    const simulation = loadSimulation([{ name: 'written', text }], { operators: createRegistry() });
    const { state } = await runSimulation(simulation, { context: ctx, outputDirectory: folder });
    const grid = state.get(gridKey);
    const rows = grid.rowsById();
    expect(Array.from(rows, (k) => grid.values('rx')[k]!)).toEqual(ours.values[0]);
  });

  it('makes respa, mirror and shrink_wrap functions', async () => {
    const respa = {
      respa: { levels: [{ forces: 'anchored', steps: 3 }, { forces: 'pairs' }] },
    };
    const compute_force = ['pairs', 'anchored'];
    const inner = await after([hot, { run: { steps: 10, numerical_scheme: respa } }], {
      compute_force,
    });
    const plain = await after([hot, { run: { steps: 10, numerical_scheme: 'velocity_verlet' } }], {
      compute_force,
    });
    const far = inner.values[0]!.map((x, k) => Math.abs(x - plain.values[0]![k]!));
    expect(Math.max(...far)).toBeGreaterThan(0);
    expect(Math.max(...far)).toBeLessThan(1e-3);

    const walls = { mirror: { faces: ['xlo', 'xhi', 'ylo', 'yhi', 'zlo', 'zhi'] } };
    const kept = await after([hot, { run: { steps: 100 } }], {
      compute_force: ['pairs'],
      after_drift: [walls],
    });
    const edge = kept.domain.matrix[0]!;
    for (const x of kept.values.slice(0, 3).flat()) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(edge);
    }
    const wrap = { shrink_wrap: { faces: ['zlo', 'zhi'], every: 1 } };
    const shrunk = await after([hot, { run: { steps: 20 } }], {
      compute_force: ['pairs'],
      after_drift: [wrap],
    });
    const [low, high] = [Math.min(...shrunk.values[2]!), Math.max(...shrunk.values[2]!)];
    expect(shrunk.domain.origin[2]).toBeCloseTo(low, 2);
    expect(shrunk.domain.origin[2] + shrunk.domain.matrix[8]!).toBeCloseTo(high, 2);
  });

  it('leaves other particles, and takes operators of your own', async () => {
    let seen = 0;
    const count = defineOperator({
      name: 'count_them',
      doc: 'Counts particles.',
      slots: {},
      requires: [gridKey],
      execute({ state }) {
        seen = state.get(gridKey).count;
      },
    });
    const { state } = await applyOperators(
      gridOf(),
      ctx,
      [{ replicate: { repeat: [2, 1, 1] } }, 'count_them'],
      {
        sections,
        operators: [count],
        outputDirectory: folder,
      },
    );
    expect(seen).toBe(512);
    expect(state.get(gridKey).count).toBe(512);
  });

  it('refuses what a file would be refused', async () => {
    const wrong =
      (use: OperatorUse, more = {}) =>
      () =>
        applyOperators(gridOf(), ctx, [use], { sections: { ...sections, ...more } });
    await expect(wrong({ displace_particles: { mve: [1, 0, 0] } })()).rejects.toThrow(
      /'mve'.*move/s,
    );
    await expect(wrong('velocity_verlt')()).rejects.toThrow(/velocity_verlet/);
    await expect(wrong('thermo', { gobal: { dt: 1 } })()).rejects.toThrow(/gobal/);
  });
});
