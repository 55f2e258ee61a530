import { readFileSync } from 'node:fs';
import { dimensions, type Grid, loadSimulation, runSimulation, stateKey } from '@corpuscle/core';
import { createRegistry, defineAnalysis } from '@corpuscle/operators';
import {
  computeCellParticlePairs,
  createExecutionContext,
  type ExecutionContext,
  newestOnHost,
  pairFunctor,
} from '@corpuscle/patterns';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { meltYaml, Workplace } from './support/runCli.js';

const work = new Workplace();
beforeAll(() => {
  process.env.CORPUSCLE_SOFTWARE_GPU = '1';
});
afterEach(() => work.clear());
afterAll(() => work.remove());

/** Σ (1 − r²/rcut²)², which ends smoothly at the cutoff: rounding puts no pair in or out. */
const overlap = pairFunctor(
  {
    name: 'overlap',
    central: { overlap: 'real', pairs: 'real' },
    read: { mass: 'real' },
    params: { inverse: 'real' },
    traits: { newton3: false },
  },
  (i, _j, d, p) => {
    const x = 1 - d.r2 * p.inverse;
    i.overlap += i.mass * x * x;
    i.pairs += 1;
  },
);

interface Found {
  readonly step: number;
  readonly found: number;
  readonly expected: number;
  readonly isCopy: boolean;
}
const foundKey = stateKey<Found[]>('found', 'overlaps that were found');

const overlaps = defineAnalysis({
  name: 'overlaps',
  doc: 'Sums a function over all pairs within its own cutoff.',
  slots: {
    cutoff: { type: 'quantity', dimension: dimensions.length, required: true, doc: 'its cutoff' },
  },
  async frame({ grid, ctx, slots, state, neighbors }) {
    const near = await neighbors(slots.cutoff);
    const { overlap: found } = await computeCellParticlePairs(near.grid, overlap, ctx, {
      rcut: near.rcut,
      params: { inverse: 1 / near.rcut ** 2 },
      outputs: { overlap: 'total', pairs: 'total' },
    });
    await newestOnHost(grid, ctx, ['rx']);
    const expected = bruteForce(grid, slots.cutoff);
    const { step } = state;
    state.obtain(foundKey, () => []).push({ step, found, expected, isCopy: near.isCopy });
  },
});

/** The same sum over all pairs of nearest images, for masses of 2. */
function bruteForce(grid: Grid, rcut: number): number {
  const [x, y, z] = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
  const { matrix } = grid.domain;
  const nearest = (d: number, edge: number) => d - edge * Math.round(d / edge);
  let sum = 0;
  for (let i = 0; i < grid.count; i++)
    for (let j = 0; j < i; j++) {
      const dx = nearest(x![i]! - x![j]!, matrix[0]!);
      const dy = nearest(y![i]! - y![j]!, matrix[4]!);
      const dz = nearest(z![i]! - z![j]!, matrix[8]!);
      const r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < rcut * rcut) sum += 4 * (1 - r2 / (rcut * rcut)) ** 2;
    }
  return sum;
}

const yamlOf = (analyses: string) =>
  meltYaml({
    global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 30, thermo_frequency: 7 }',
    particle_types: '{ A: { mass: 2.0 } }',
    dump_data: analyses,
    simulation_epilog:
      '\n  - write_extended_xyz: { file: last.xyz, fields: [pos, velo, forces, id] }',
  });

describe.each(['cpu', 'webgpu'] as const)(
  'an analysis with a cutoff of its own on %s',
  (backend) => {
    let context: ExecutionContext;
    beforeAll(async () => {
      context = await createExecutionContext({ backend, threads: 2, deterministic: true });
    });
    afterAll(() => context?.close());
    const tolerance = backend === 'cpu' ? 1e-12 : 1e-5;

    async function run(yaml: string): Promise<{ found: readonly Found[]; files: string[] }> {
      work.write({ 'run.yaml': yaml });
      const operators = createRegistry().add(overlaps);
      const simulation = loadSimulation([work.path('run.yaml')], { operators });
      const outputDirectory = work.path('out');
      const { state } = await runSimulation(simulation, { context, outputDirectory });
      const files = ['thermo.csv', 'last.xyz'].map((name) =>
        readFileSync(work.path(`out/${name}`), 'utf8'),
      );
      return { found: state.find(foundKey) ?? [], files };
    }

    it('finds all pairs and leaves the run as it is, whether it looks less far or farther', async () => {
      const alone = await run(yamlOf('nop'));
      expect(alone.files[0]!.split('\n')).toHaveLength(8);
      for (const [cutoff, isCopy] of [
        [1.7, false],
        [3.1, true],
      ] as const) {
        const { found, files } = await run(
          yamlOf(`[overlaps: { cutoff: ${cutoff}, frequency: 4 }]`),
        );
        expect(found.map(({ step }) => step)).toEqual([0, 4, 8, 12, 16, 20, 24, 28]);
        for (const one of found) {
          expect(one.isCopy).toBe(isCopy);
          expect(one.expected).toBeGreaterThan(1000);
          expect(Math.abs(one.found / one.expected - 1)).toBeLessThan(tolerance);
        }
        expect(files).toEqual(alone.files);
      }
    });

    it('begins at the step that is asked for, and serves two in one step', async () => {
      const one = 'overlaps: { cutoff: 3.1, from: 6, frequency: 20 }';
      const { found } = await run(yamlOf(`[${one}, overlaps: { cutoff: 1.7, from: 26 }]`));
      expect(found.map(({ step }) => step)).toEqual([6, 26, 26, 27, 28, 29, 30]);
      for (const { found: value, expected } of found)
        expect(Math.abs(value / expected - 1)).toBeLessThan(tolerance);
    });
  },
);
