import { steinhardt, steinhardtById } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext, type Precision } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect } from 'vitest';
import { evaluateForces } from '../support/evaluateForces.js';
import { type ManyBodyCase, manyBodyCases, manyBodyReference } from '../support/manyBodyCases.js';
import { gridOf, largest, largestDifference, relativeRms } from '../support/particlesOf.js';
import { configurations } from '../support/potentialCases.js';
import { itLong } from '../support/runs.js';

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

const evaluate = (ctx: ExecutionContext, potential: ManyBodyCase, configuration: string) => {
  const { frame, bonds } = manyBodyReference(potential, configuration);
  return evaluateForces(ctx, frame, potential.terms(), bonds);
};

// A skewed box has all edges at work, and kernels for others are slow to compile; embedded atoms are sums over pairs. In the short
// form patternMatrix/pairs.test.ts has neighborhoods in f64.
const cases = manyBodyCases
  .filter(({ name }) => name !== 'bonds')
  .flatMap((potential) =>
    (potential.name === 'stillinger_weber' ? configurations : ['triclinic' as const]).map(
      (configuration) => ({ name: potential.name, configuration, potential }),
    ),
  );

// Pairs of floats hold 48 bits, 3.6e-15; potentials are some fifty operations deep.
itLong.each(cases)(
  '$name, $configuration, in f64 on WebGPU is that of doubles',
  async ({ potential, configuration }) => {
    const exact = await evaluate(cpu, potential, configuration);
    const found = await evaluate(doubles, potential, configuration);
    expect(Math.abs(found.energy / exact.energy - 1)).toBeLessThan(1e-12);
    expect(Math.abs(found.perParticle / exact.energy - 1)).toBeLessThan(1e-12);
    // A perfect crystal has no forces: they are compared with those of a pair, about 1.
    const scale = Math.max(1, largest(exact.forces));
    expect(largestDifference(found.forces, exact.forces) / scale).toBeLessThan(1e-12);
    const tensor = largestDifference(found.pressure, exact.pressure);
    expect(tensor / largest(exact.pressure)).toBeLessThan(1e-12);
  },
);

itLong('stillinger_weber in mixed is that of floats, in sums of doubles', async () => {
  const exact = await evaluate(cpu, manyBodyCases[0]!, 'liquid');
  const found = await evaluate(mixed, manyBodyCases[0]!, 'liquid');
  expect(Math.abs(found.energy / exact.energy - 1)).toBeLessThan(1e-6);
  expect(relativeRms(found.forces, exact.forces)).toBeLessThan(2e-6);
});

itLong('stillinger_weber in f64 gives the same bits again', async () => {
  const first = await evaluate(doubles, manyBodyCases[0]!, 'liquid');
  expect(await evaluate(doubles, manyBodyCases[0]!, 'liquid')).toEqual(first);
});

itLong('bond-order parameters in f64 on WebGPU are those of doubles', async () => {
  const parameters = async (ctx: ExecutionContext) => {
    const grid = gridOf(manyBodyReference(manyBodyCases[1]!, 'disturbed').frame, ctx);
    await steinhardt(grid, ctx, { nearest: 12 });
    return steinhardtById(grid, ctx);
  };
  const [exact, found] = [await parameters(cpu), await parameters(doubles)];
  expect(found.neighbors).toEqual(exact.neighbors);
  expect(largestDifference(found.q4, exact.q4)).toBeLessThan(1e-13);
  expect(largestDifference(found.q6, exact.q6)).toBeLessThan(1e-13);
});
