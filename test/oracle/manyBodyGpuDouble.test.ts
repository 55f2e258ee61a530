import { createExecutionContext, type ExecutionContext, type Precision } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluateForces } from '../support/evaluateForces.js';
import { manyBodyCases, manyBodyReference } from '../support/manyBodyCases.js';
import { largest, largestDifference, relativeRms } from '../support/particlesOf.js';
import { configurations } from '../support/potentialCases.js';

const open = (backend: 'cpu' | 'webgpu', precision: Precision) =>
  createExecutionContext({ backend, precision, threads: 1 });

let cpu: ExecutionContext;
let doubles: ExecutionContext;
let mixed: ExecutionContext;
beforeAll(async () => {
  cpu = await open('cpu', 'f64');
  doubles = await open('webgpu', 'f64');
  mixed = await open('webgpu', 'mixed');
});
afterAll(async () => {
  for (const ctx of [cpu, doubles, mixed]) await ctx?.close();
});

// Pairs of floats hold 48 bits, 3.6e-15; potentials are some fifty operations deep.
describe.each(manyBodyCases.filter(({ name }) => name !== 'bonds'))('$name', (potential) => {
  const evaluate = (ctx: ExecutionContext, configuration: string) => {
    const { frame, bonds } = manyBodyReference(potential, configuration);
    return evaluateForces(ctx, frame, potential.terms(), bonds);
  };

  // Embedded atoms are sums over pairs: a box that has all edges at work will do.
  const some = potential.name === 'stillinger_weber' ? configurations : ['triclinic'];
  it.each(some)('in f64 on WebGPU is that of doubles: %s', async (configuration) => {
    const exact = await evaluate(cpu, configuration);
    const found = await evaluate(doubles, configuration);
    expect(Math.abs(found.energy / exact.energy - 1)).toBeLessThan(1e-12);
    expect(Math.abs(found.perParticle / exact.energy - 1)).toBeLessThan(1e-12);
    // A perfect crystal has no forces: they are compared with those of a pair, about 1.
    const scale = Math.max(1, largest(exact.forces));
    expect(largestDifference(found.forces, exact.forces) / scale).toBeLessThan(1e-12);
    const tensor = largestDifference(found.pressure, exact.pressure);
    expect(tensor / largest(exact.pressure)).toBeLessThan(1e-12);
  });

  it.skipIf(some.length === 1)('in mixed is that of floats, in sums of doubles', async () => {
    const exact = await evaluate(cpu, 'liquid');
    const found = await evaluate(mixed, 'liquid');
    expect(Math.abs(found.energy / exact.energy - 1)).toBeLessThan(1e-6);
    expect(relativeRms(found.forces, exact.forces)).toBeLessThan(2e-6);
  });
});
