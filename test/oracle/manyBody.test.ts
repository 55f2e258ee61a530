import {
  ForceLedger,
  type ForceTerm,
  lattice,
  type ParticleFrame,
  silicon,
  stillingerWeberForce,
  suttonChenForce,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  type ExecutionContextOptions,
  updateNeighbours,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyBodyCases, manyBodyReference } from '../support/manyBodyCases.js';
import {
  gridOf,
  largest,
  largestDifference,
  relativeRms,
  vectorsById,
} from '../support/particlesOf.js';
import { configurations, frameOf } from '../support/potentialCases.js';

async function evaluate(ctx: ExecutionContext, frame: ParticleFrame, term: ForceTerm) {
  const grid = gridOf(frame, ctx);
  await updateNeighbours(grid, ctx, { rcut: term.rcut, skin: 0.2 });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true, energies: true });
  ledger.add(term);
  const { energy, virial } = await ledger.totals();
  const forces = await vectorsById(grid, ctx, 'force');
  const perParticle = grid.values('ep').reduce((sum, e) => sum + e, 0);
  return { energy, perParticle, pressure: virial.map((w) => w / grid.domain.volume), forces };
}

const machines: ExecutionContextOptions[] = [
  { backend: 'cpu', threads: 1 },
  { backend: 'cpu', threads: 2 },
  { backend: 'cpu', threads: 1, lowering: 'javascript' },
];

describe.each(manyBodyCases)('$name', (potential) => {
  describe.each(configurations)('LAMMPS %s', (configuration) => {
    const reference = manyBodyReference(potential, configuration);
    // A perfect crystal has no forces but LAMMPS's rounding: they are compared with those of a pair.
    const scale = Math.max(1, largest(reference.forces));

    it.each(machines)('agrees: cpu, $threads thread(s) $lowering', async (options) => {
      await using ctx = await createExecutionContext(options);
      const found = await evaluate(ctx, reference.frame, potential.term());
      expect(Math.abs(found.energy / reference.energy - 1)).toBeLessThan(1e-10);
      expect(Math.abs(found.perParticle / reference.energy - 1)).toBeLessThan(1e-10);
      const tensor = largestDifference(found.pressure, reference.pressure);
      expect(tensor / largest(reference.pressure)).toBeLessThan(1e-10);
      expect(largestDifference(found.forces, reference.forces) / scale).toBeLessThan(1e-10);
    });
  });
});

/** A cluster of both types without a box: distances from 2 to 5. */
const cluster = Array.from(
  { length: 24 },
  (_, k) => 2.2 * ((Math.floor(k / 3) >> (k % 3)) & 1) + 0.25 * Math.sin(3 * k * k + 1),
);
const clusterTypes = [0, 1, 0, 1, 1, 0, 0, 1];

describe.each(manyBodyCases)('$name', ({ name, term }) => {
  it('force is −dU/dr', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const step = 1e-5;
    const { forces } = await evaluate(ctx, frameOf(cluster, clusterTypes), term());
    const energyAt = async (k: number, by: number) => {
      const moved = cluster.map((x, m) => (m === k ? x + by : x));
      return (await evaluate(ctx, frameOf(moved, clusterTypes), term())).energy;
    };
    const numeric: number[] = [];
    for (let k = 0; k < cluster.length; k++)
      numeric.push(((await energyAt(k, -step)) - (await energyAt(k, step))) / (2 * step));
    // A table has kinks in its third derivative.
    const limit = name === 'eam' ? 1e-6 : 1e-8;
    expect(largestDifference(forces, numeric) / largest(forces)).toBeLessThan(limit);
  });

  it('gives a lonely particle its own energy and no force', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const { energy, forces } = await evaluate(ctx, frameOf([1, 2, 3], [0]), term());
    expect(Math.abs(energy)).toBe(0);
    expect(largest(forces)).toBe(0);
  });
});

describe('published values', () => {
  const energyAt = async (structure: 'diamond' | 'fcc', a: number, term: ForceTerm, n: number) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const frame = lattice({ structure, latticeConstant: a, repeat: [n, n, n] });
    return (await evaluate(ctx, frame, term)).energy / frame.count;
  };

  it('silicon at 5.431 Å has −4.3366 eV per atom (Stillinger and Weber)', async () => {
    const term = stillingerWeberForce({ types: ['A'], triplets: [silicon] });
    expect(await energyAt('diamond', 5.431, term, 2)).toBeCloseTo(-4.3366, 4);
  });

  it('copper has 3.49 eV per atom at 3.61 Å, and that is its minimum (Sutton and Chen)', async () => {
    const copper = { epsilon: 0.012382, a: 3.61, n: 9, m: 6, c: 39.432, rcut: 3.6 * 3.61 };
    const term = suttonChenForce({ types: ['A'], pairs: [copper] });
    const [below, here, above] = [
      await energyAt('fcc', 3.6, term, 8),
      await energyAt('fcc', 3.61, term, 8),
      await energyAt('fcc', 3.62, term, 8),
    ];
    expect(here).toBeCloseTo(-3.49, 2);
    // The parabola through three points has its minimum there.
    const minimum = 3.61 + (0.005 * (below - above)) / (below - 2 * here + above);
    expect(Math.abs(minimum - 3.61)).toBeLessThan(0.01);
  });
});

// Single precision, some twenty operations deep: 6e-8 each.
describe('WebGPU, f32', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    ctx = await createExecutionContext({ backend: 'webgpu', precision: 'f32' });
  });
  afterAll(() => ctx?.close());

  describe.each(manyBodyCases)('$name', (potential) => {
    it.each(configurations)('agrees with LAMMPS %s', async (configuration) => {
      const reference = manyBodyReference(potential, configuration);
      const found = await evaluate(ctx, reference.frame, potential.term());
      expect(Math.abs(found.energy / reference.energy - 1)).toBeLessThan(2e-5);
      expect(Math.abs(found.perParticle / reference.energy - 1)).toBeLessThan(2e-5);
      const tensor = largestDifference(found.pressure, reference.pressure);
      expect(tensor / largest(reference.pressure)).toBeLessThan(2e-5);
      if (largest(reference.forces) < 1e-6) expect(largest(found.forces)).toBeLessThan(1e-3);
      else expect(relativeRms(found.forces, reference.forces)).toBeLessThan(2e-5);
    });

    it('gives the same bits again', async () => {
      const { frame } = manyBodyReference(potential, 'liquid');
      const first = await evaluate(ctx, frame, potential.term());
      expect(await evaluate(ctx, frame, potential.term())).toEqual(first);
    });
  });
});
