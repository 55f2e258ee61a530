import {
  createExecutionContext,
  type ExecutionContext,
  type ExecutionContextOptions,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluateForces } from '../support/evaluateForces.js';
import { KEPT, pairStyles, styleConfigurations, styleReference } from '../support/pairStyles.js';
import { largest, largestDifference } from '../support/particlesOf.js';
import { runs } from '../support/runs.js';

interface Machine {
  readonly machine: string;
  readonly options: ExecutionContextOptions;
  readonly within: number;
  readonly on: readonly string[];
  /** Shaders of the software adapter take seconds: all styles are compared in the long form, and those of f64 there alone. */
  readonly styles: readonly string[];
}

const every = pairStyles.map(({ name }) => name);
const some = ['zbl', 'coul/wolf, its energy', 'hybrid/overlay'];
const allBut = (left: readonly string[]) => every.filter((name) => !left.includes(name));

const cpu = { backend: 'cpu', threads: 1 } as const;
const machines: readonly Machine[] = [
  { machine: 'CPU', options: cpu, within: 1e-10, on: styleConfigurations, styles: runs(every, []) },
  {
    machine: 'CPU, javascript',
    options: { ...cpu, lowering: 'javascript' },
    within: 1e-10,
    on: ['triclinic'],
    styles: runs(every, []),
  },
  // Single precision, some ten operations deep: 6e-8 each, and exp(x) loses |x| of them.
  {
    machine: 'WebGPU, f32',
    options: { backend: 'webgpu' },
    within: 2e-5,
    on: ['liquid'],
    styles: runs(some, allBut(some)),
  },
  {
    machine: 'WebGPU, f64',
    options: { backend: 'webgpu', precision: 'f64' },
    within: 1e-11,
    on: ['triclinic'],
    styles: runs([], every),
  },
];

describe.each(machines.filter(({ styles }) => styles.length > 0))(
  '$machine',
  ({ options, within: ours, on, styles }) => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      process.env.CORPUSCLE_SOFTWARE_GPU = '1';
      ctx = await createExecutionContext(options);
    });
    afterAll(() => ctx?.close());

    describe.each(pairStyles.filter((style) => styles.includes(style.name)))(
      'LAMMPS $name',
      ({ name, term, compares, within = 0 }) => {
        it.each(on)('agrees on the %s', async (configuration) => {
          const reference = styleReference(configuration, name);
          const { energy, perParticle, pressure, forces } = await evaluateForces(
            ctx,
            reference.frame,
            [term()],
          );
          const limit = Math.max(ours, within);
          if (compares !== 'forces') {
            expect(Math.abs(energy / reference.energy - 1)).toBeLessThan(limit);
            expect(Math.abs(perParticle / reference.energy - 1)).toBeLessThan(limit);
          }
          if (compares === 'energy') return;
          const off = largestDifference(forces.slice(0, 3 * KEPT), reference.forces);
          expect(off / largest(reference.forces)).toBeLessThan(limit);
          const tensor = largestDifference(pressure, reference.pressure);
          expect(tensor / largest(reference.pressure)).toBeLessThan(limit);
        });
      },
    );
  },
);
