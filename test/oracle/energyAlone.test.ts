import { createExecutionContext, type ExecutionContextOptions } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { embeddedAtomFromEnergy } from '../support/energyAlone.js';
import { evaluateForces } from '../support/evaluateForces.js';
import { manyBodyCases, manyBodyReference } from '../support/manyBodyCases.js';
import { largest, largestDifference } from '../support/particlesOf.js';
import { configurations } from '../support/potentialCases.js';

// Stillinger–Weber states its energy only, too: manyBody.test.ts and its likes on GPUs compare it with LAMMPS.

const machines: readonly (readonly [ExecutionContextOptions, number])[] = [
  [{ backend: 'cpu', threads: 1 }, 1e-10],
  [{ backend: 'cpu', threads: 2 }, 1e-10],
  [{ backend: 'cpu', threads: 1, lowering: 'javascript' }, 1e-10],
  [{ backend: 'cpu', threads: 1, precision: 'f32' }, 2e-5],
];

const eam = manyBodyCases.find(({ name }) => name === 'eam')!;

describe.each(configurations)(
  'an embedded-atom potential from its energy alone: LAMMPS %s',
  (name) => {
    const reference = manyBodyReference(eam, name);
    const scale = Math.max(1, largest(reference.forces));

    it.each(machines)('agrees: %j to %d', async (options, limit) => {
      await using ctx = await createExecutionContext(options);
      const found = await evaluateForces(ctx, reference.frame, [embeddedAtomFromEnergy()]);
      expect(Math.abs(found.energy / reference.energy - 1)).toBeLessThan(limit);
      expect(Math.abs(found.perParticle / reference.energy - 1)).toBeLessThan(limit);
      const tensor = largestDifference(found.pressure, reference.pressure);
      expect(tensor / largest(reference.pressure)).toBeLessThan(limit);
      expect(largestDifference(found.forces, reference.forces) / scale).toBeLessThan(limit);
    });
  },
);
