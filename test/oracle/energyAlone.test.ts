import {
  energyGradient,
  forceOutputs,
  lattice,
  lennardJonesForce,
  pairForceTerm,
  pairOutputs,
  virials,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContextOptions,
  pairFunctor,
} from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { embeddedAtomFromEnergy } from '../support/energyAlone.js';
import { evaluateForces } from '../support/evaluateForces.js';
import { manyBodyCases, manyBodyReference } from '../support/manyBodyCases.js';
import { largest, largestDifference } from '../support/particlesOf.js';
import { configurations } from '../support/potentialCases.js';
import { itOnce, runs } from '../support/runs.js';

// Stillinger–Weber states its energy only, too: manyBody.test.ts and its likes on GPUs compare it with LAMMPS.

const machines: readonly (readonly [ExecutionContextOptions, number])[] = [
  [{ backend: 'cpu', threads: 1 }, 1e-10],
  [{ backend: 'cpu', threads: 2 }, 1e-10],
  [{ backend: 'cpu', threads: 1, lowering: 'javascript' }, 1e-10],
  [{ backend: 'cpu', threads: 1, precision: 'f32' }, 2e-5],
  [{ backend: 'cpu', threads: 1, precision: 'mixed' }, 2e-5],
];

/** Shaders of the software adapter take seconds: one configuration, and other precisions in the long form. */
const devices: typeof machines = runs(
  [[{ backend: 'webgpu', precision: 'f32' }, 2e-5]],
  [
    [{ backend: 'webgpu', precision: 'mixed' }, 2e-5],
    [{ backend: 'webgpu', precision: 'f64' }, 1e-11],
  ],
);

const eam = manyBodyCases.find(({ name }) => name === 'eam')!;

describe.each(configurations)(
  'an embedded-atom potential from its energy alone: LAMMPS %s',
  (name) => {
    const reference = manyBodyReference(eam, name);
    const scale = Math.max(1, largest(reference.forces));

    const agrees = async (options: ExecutionContextOptions, limit: number): Promise<void> => {
      await using ctx = await createExecutionContext(options);
      const found = await evaluateForces(ctx, reference.frame, [embeddedAtomFromEnergy()]);
      expect(Math.abs(found.energy / reference.energy - 1)).toBeLessThan(limit);
      expect(Math.abs(found.perParticle / reference.energy - 1)).toBeLessThan(limit);
      const tensor = largestDifference(found.pressure, reference.pressure);
      expect(tensor / largest(reference.pressure)).toBeLessThan(limit);
      expect(largestDifference(found.forces, reference.forces) / scale).toBeLessThan(limit);
    };
    itOnce.each(machines)('agrees: %j to %d', agrees);
    if (name === 'triclinic') it.each(devices)('agrees: %j to %d', agrees);
  },
);

const rcut = 2.1;

/** 4 ε ((σ/r)¹² − (σ/r)⁶) of a pair, and nothing else. */
const lennardJonesEnergy = pairFunctor(
  {
    name: 'lennard_jones_energy',
    central: pairOutputs,
    gradient: energyGradient,
    params: { epsilon: 'real', sigma: 'real' },
    traits: { newton3: true },
  },
  (i, _j, d, p) => {
    const s = (p.sigma * p.sigma) / d.r2;
    const s6 = s * s * s;
    i.ep += 2 * p.epsilon * (s6 * s6 - s6);
  },
);

/** Dipoles along z: an energy of the direction, too. */
const dipoles = pairFunctor(
  {
    name: 'dipoles',
    central: forceOutputs,
    derived: virials,
    gradient: { of: 'ep', into: ['fx', 'fy', 'fz'] },
    params: { m: 'real' },
  },
  (i, _j, d, p) => {
    const r = Math.sqrt(d.r2);
    const c = d.z / r;
    i.ep += (0.5 * p.m * (1 - 3 * c * c)) / (r * d.r2);
  },
);

/** The same, with forces by hand. */
const dipolesByHand = pairFunctor(
  { name: 'dipoles_by_hand', central: forceOutputs, derived: virials, params: { m: 'real' } },
  (i, _j, d, p) => {
    const r2 = d.r2;
    const r5 = r2 * r2 * Math.sqrt(r2);
    const k = p.m / r5;
    const q = (5 * d.z * d.z) / r2;
    i.fx += 3 * k * (1 - q) * d.x;
    i.fy += 3 * k * (1 - q) * d.y;
    i.fz += 3 * k * (3 - q) * d.z;
    i.ep += 0.5 * p.m * (1 / (r2 * Math.sqrt(r2)) - (3 * d.z * d.z) / r5);
  },
);

const pairs = {
  'Lennard-Jones': [
    pairForceTerm(lennardJonesEnergy, rcut, { epsilon: 1.2, sigma: 0.95 }),
    lennardJonesForce({ types: ['A'], epsilon: 1.2, sigma: 0.95, rcut }),
  ],
  dipoles: [
    pairForceTerm(dipoles, rcut, { m: 0.8 }),
    pairForceTerm(dipolesByHand, rcut, { m: 0.8 }),
  ],
} as const;

describe('functors of pairs from their energy alone', () => {
  const frame = lattice({ structure: 'fcc', latticeConstant: 1.6, repeat: [3, 3, 3] });
  for (let k = 0; k < frame.position.length; k++) frame.position[k]! += 0.1 * Math.sin(7 * k + 1);

  const short = [
    ...machines.map(([options, limit]) => [options, limit === 1e-10 ? 1e-13 : limit] as const),
    [{ backend: 'webgpu', precision: 'f32' }, 2e-5] as const,
  ];
  it.each(runs(short, [[{ backend: 'webgpu', precision: 'f64' }, 1e-11] as const]))(
    'agree with forces by hand: %j to %d',
    async (options, limit) => {
      await using oracle = await createExecutionContext({ backend: 'cpu', threads: 1 });
      await using ctx = await createExecutionContext(options);
      const relative = (a: ArrayLike<number>, b: ArrayLike<number>) =>
        largestDifference(a, b) / largest(b);
      for (const [name, [ofEnergy, byHand]] of Object.entries(pairs)) {
        const exact = await evaluateForces(oracle, frame, [byHand]);
        const found = await evaluateForces(ctx, frame, [ofEnergy]);
        const energy = Math.abs(found.energy - exact.energy) / Math.abs(exact.energy);
        expect(energy, name).toBeLessThan(limit);
        expect(relative(found.forces, exact.forces), name).toBeLessThan(limit);
        expect(relative(found.pressure, exact.pressure), name).toBeLessThan(limit);
      }
    },
  );
});
