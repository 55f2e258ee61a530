import {
  ForceLedger,
  type ForceTerm,
  initTemperature,
  lattice,
  molecularDynamics,
  type ParticleFrame,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  type ExecutionContextOptions,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  gridOf,
  largest,
  largestDifference,
  relativeRms,
  vectorsById,
} from '../support/particlesOf.js';
import {
  configurations,
  frameOf,
  potentialCases,
  potentialReference,
} from '../support/potentialCases.js';
import { itOnce, runs } from '../support/runs.js';

const SKIN = 0.1;

async function evaluate(ctx: ExecutionContext, frame: ParticleFrame, term: ForceTerm) {
  const grid = gridOf(frame, ctx);
  await updateNeighbors(grid, ctx, { rcut: term.rcut, skin: SKIN });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true });
  ledger.add(term);
  const { energy, virial } = await ledger.totals();
  const pressure = virial.map((w) => w / grid.domain.volume);
  return { energy, pressure, forces: await vectorsById(grid, ctx, 'force') };
}

/** Eight particles of both types at distances from 0.8 to 2. */
const cluster = Array.from(
  { length: 24 },
  (_, k) => 1.05 * ((Math.floor(k / 3) >> (k % 3)) & 1) + 0.12 * Math.sin(3 * k * k + 1),
);
const clusterTypes = [0, 1, 0, 1, 1, 0, 0, 1];

const machines: ExecutionContextOptions[] = [
  { backend: 'cpu', threads: 1 },
  { backend: 'cpu', threads: 2 },
  { backend: 'cpu', threads: 1, lowering: 'javascript' },
];

/** A context for each machine: all potentials use the same. */
let contexts: ReadonlyMap<ExecutionContextOptions, ExecutionContext>;
beforeAll(async () => {
  contexts = new Map(
    await Promise.all(
      machines.map(async (one) => [one, await createExecutionContext(one)] as const),
    ),
  );
});
afterAll(async () => {
  for (const ctx of contexts.values()) await ctx.close();
});

describe.each(potentialCases)('$name', ({ name, term, smooth }) => {
  itOnce.each(['none', 'energy', 'force'] as const)('force is −dU/dr, shift %s', async (shift) => {
    const ctx = contexts.get(machines[0]!)!;
    const step = 1e-5;
    const one = term(shift);
    const { forces } = await evaluate(ctx, frameOf(cluster, clusterTypes), one);
    const numeric: number[] = [];
    for (let k = 0; k < cluster.length; k++) {
      const energyAt = async (by: number) => {
        const moved = cluster.map((x, m) => (m === k ? x + by : x));
        return (await evaluate(ctx, frameOf(moved, clusterTypes), one)).energy;
      };
      numeric.push(((await energyAt(-step)) - (await energyAt(step))) / (2 * step));
    }
    // Central differences: step² u‴ and 1e-16 u / step, of forces of some hundred.
    expect(largestDifference(forces, numeric) / largest(forces)).toBeLessThan(smooth);
  });

  describe.each(configurations)('LAMMPS %s', (configuration) => {
    const reference = potentialReference(configuration, name);
    // A perfect crystal has no forces and LAMMPS's rounding: they are compared with those of a pair.
    const scale = Math.max(1, largest(reference.forces));

    itOnce.each(machines)('agrees: cpu, $threads thread(s) $lowering', async (options) => {
      const ctx = contexts.get(options)!;
      const { energy, pressure, forces } = await evaluate(ctx, reference.frame, term());
      expect(Math.abs(energy / reference.energy - 1)).toBeLessThan(1e-10);
      const tensor = largestDifference(pressure, reference.pressure);
      expect(tensor / largest(reference.pressure)).toBeLessThan(1e-10);
      expect(largestDifference(forces, reference.forces) / scale).toBeLessThan(1e-10);
    });
  });

  itOnce('conserves energy and momentum', async () => {
    const ctx = contexts.get(machines[0]!)!;
    const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [4, 4, 4] });
    const grid = gridOf(
      { ...crystal, species: ['A', 'B'], type: crystal.type.map((_, k) => k % 2) },
      ctx,
    );
    initTemperature(grid, { temperature: 1, seed: 4711 });
    const { rows } = await molecularDynamics(grid, ctx, {
      forces: [term('force')],
      dt: 0.002,
      steps: 200,
      skin: 0.3,
      thermoFrequency: 20,
    });
    const drift = rows.map(
      (row) => Math.abs(row.total_energy - rows[0]!.total_energy) / grid.count,
    );
    expect(Math.max(...drift)).toBeLessThan(2e-4);
    // It is a run, not a crystal at rest: a third of the kinetic energy has gone into the potential.
    expect(rows.at(-1)!.kinetic_energy).toBeLessThan(0.9 * rows[0]!.kinetic_energy);
    for (const axis of ['vx', 'vy', 'vz'])
      expect(Math.abs(grid.values(axis).reduce((sum, v) => sum + v, 0))).toBeLessThan(1e-11);
  });
});

// Single precision, some ten operations deep: 6e-8 each, and exp(x) loses |x| of them.
describe('WebGPU, f32', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    ctx = await createExecutionContext({ backend: 'webgpu', precision: 'f32' });
  });
  afterAll(() => ctx?.close());

  // Kernels for boxes with right angles differ by how they find images, which is the same for all potentials.
  // pairStyles.test.ts has most potentials on WebGPU too.
  const some = potentialCases.filter((_, k) => k % 2 === 0);
  describe.each(runs(some, potentialCases))('$name', ({ name, term }) => {
    const right = configurations.filter((configuration) => configuration !== 'triclinic');
    const isKnown = some.some((one) => one.name === name);
    const short = name === some[0]!.name ? configurations : ['triclinic'];
    it.each(runs<readonly string[]>(short, isKnown ? right : configurations))(
      'agrees with LAMMPS %s',
      async (configuration) => {
        const reference = potentialReference(configuration, name);
        const { energy, pressure, forces } = await evaluate(ctx, reference.frame, term());
        expect(Math.abs(energy / reference.energy - 1)).toBeLessThan(2e-5);
        const tensor = largestDifference(pressure, reference.pressure);
        expect(tensor / largest(reference.pressure)).toBeLessThan(2e-5);
        if (configuration === 'crystal') expect(largest(forces)).toBeLessThan(1e-3);
        else expect(relativeRms(forces, reference.forces)).toBeLessThan(2e-5);
      },
    );
  });
});
