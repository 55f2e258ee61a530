import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluateForces } from '../support/evaluateForces.js';
import { manyBodyCases, manyBodyReference } from '../support/manyBodyCases.js';
import { largest, largestDifference, relativeRms } from '../support/particlesOf.js';
import { configurations } from '../support/potentialCases.js';
import { isLong, runs } from '../support/runs.js';

// Single precision, some twenty operations deep: 6e-8 each.
describe('WebGPU, f32', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    ctx = await createExecutionContext({ backend: 'webgpu', precision: 'f32' });
  });
  afterAll(() => ctx?.close());

  // Sutton and Chen's are embedded atoms too.
  const inLong = (name: string) => name === 'sutton_chen';
  describe.each(manyBodyCases.filter(({ name }) => isLong || !inLong(name)))(
    '$name',
    (potential) => {
      const others = inLong(potential.name) ? configurations : configurations.slice(0, -1);
      it.each(runs(configurations.slice(-1), others))(
        'agrees with LAMMPS %s',
        async (configuration) => {
          const reference = manyBodyReference(potential, configuration);
          const { frame, bonds } = reference;
          const found = await evaluateForces(ctx, frame, potential.terms(), bonds);
          expect(Math.abs(found.energy / reference.energy - 1)).toBeLessThan(2e-5);
          expect(Math.abs(found.perParticle / reference.energy - 1)).toBeLessThan(2e-5);
          const tensor = largestDifference(found.pressure, reference.pressure);
          expect(tensor / largest(reference.pressure)).toBeLessThan(2e-5);
          if (largest(reference.forces) < 1e-6) expect(largest(found.forces)).toBeLessThan(1e-3);
          else expect(relativeRms(found.forces, reference.forces)).toBeLessThan(2e-5);
        },
      );

      const twice = inLong(potential.name) ? ['triclinic', 'liquid'] : ['liquid'];
      it.each(runs(['triclinic'], twice))(
        'gives the same bits again: %s',
        async (configuration) => {
          const { frame, bonds } = manyBodyReference(potential, configuration);
          const first = await evaluateForces(ctx, frame, potential.terms(), bonds);
          expect(await evaluateForces(ctx, frame, potential.terms(), bonds)).toEqual(first);
        },
      );
    },
  );
});
