import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  type Bond,
  coulombDsf,
  coulombWolf,
  type ForceTerm,
  lattice,
  readStillingerWeber,
  silicon,
  stillingerWeberForce,
  suttonChenForce,
} from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContextOptions } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { evaluateForces } from '../support/evaluateForces.js';
import { manyBodyCases, manyBodyData, manyBodyReference } from '../support/manyBodyCases.js';
import { largest, largestDifference } from '../support/particlesOf.js';
import { configurations, frameOf } from '../support/potentialCases.js';

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
      const { frame, bonds } = reference;
      const found = await evaluateForces(ctx, frame, potential.terms(), bonds);
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

/** Chains of four, where particles are bonded at all. */
const clusterBonds = (family: string): Bond[] =>
  family === 'chains'
    ? [
        [0, 1],
        [1, 3],
        [3, 2],
        [4, 5],
        [5, 7],
        [7, 6],
      ].map(([a, b]) => ({ ids: [a!, b!] }))
    : [];

describe.each(manyBodyCases)('$name', ({ name, family, terms }) => {
  const bonds = clusterBonds(family);

  it('force is −dU/dr', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const step = 1e-5;
    const { forces } = await evaluateForces(ctx, frameOf(cluster, clusterTypes), terms(), bonds);
    const energyAt = async (k: number, by: number) => {
      const moved = cluster.map((x, m) => (m === k ? x + by : x));
      return (await evaluateForces(ctx, frameOf(moved, clusterTypes), terms(), bonds)).energy;
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
    const { energy, forces } = await evaluateForces(ctx, frameOf([1, 2, 3], [0]), terms());
    expect(Math.abs(energy)).toBe(0);
    expect(largest(forces)).toBe(0);
  });
});

describe('a Stillinger–Weber file of two elements', () => {
  it('with zeros that no pair uses and products split differently agrees with LAMMPS', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const stored = JSON.parse(gunzipSync(readFileSync(manyBodyData('split.json.gz'))).toString());
    const silicon = manyBodyCases.find(({ name }) => name === 'stillinger_weber')!;
    const { frame } = manyBodyReference(silicon, 'triclinic');
    const triplets = readStillingerWeber(manyBodyData('Split.sw'), { A: 'A', B: 'B' });
    const term = stillingerWeberForce({ types: ['A', 'B'], triplets });
    const mixed = { ...frame, type: Uint32Array.from(stored.types as number[]) };
    const found = await evaluateForces(ctx, mixed, [term]);
    expect(Math.abs(found.energy / stored.energy - 1)).toBeLessThan(1e-10);
    const off = largestDifference(found.forces, stored.forces);
    expect(off / largest(stored.forces)).toBeLessThan(1e-10);
    const tensor = largestDifference(found.pressure, stored.pressure);
    expect(tensor / largest(stored.pressure)).toBeLessThan(1e-10);
  });
});

describe('published values', () => {
  // Two sublattices of charges ±1 at distance 1: −1.7475645946 a pair of ions (Madelung's constant)
  it.each([
    ['Wolf’s sum', coulombWolf],
    ['damped shifted forces', coulombDsf],
  ])('of rock salt, by %s', async (_, potential) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const frame = lattice({ structure: 'sc', latticeConstant: 1, repeat: [14, 14, 14] });
    const charge = Float64Array.from({ length: frame.count }, (_, k) => {
      const place = [0, 1, 2].map((axis) => Math.round(frame.position[3 * k + axis]!));
      return place.reduce((sum, x) => sum + x) % 2 === 0 ? 1 : -1;
    });
    const term = potential.term({ types: ['A'], alpha: 0.6, rcut: 6.5 });
    const { energy } = await evaluateForces(ctx, { ...frame, charge }, [term]);
    // erfc(3.9) and exp(−k²/4α²) are 1e-8
    expect(energy / (frame.count / 2)).toBeCloseTo(-1.7475645946, 5);
  });

  const energyAt = async (structure: 'diamond' | 'fcc', a: number, term: ForceTerm, n: number) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const frame = lattice({ structure, latticeConstant: a, repeat: [n, n, n] });
    return (await evaluateForces(ctx, frame, [term])).energy / frame.count;
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
