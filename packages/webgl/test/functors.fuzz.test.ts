import { GPU } from 'gpu.js';
import { expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.js';
import { allowedRange, tolerance } from '../../functor/test/support/allowedRange.js';
import { perturbedCall } from '../../functor/test/support/perturbedCall.js';
import { RandomSource } from '../../functor/test/support/RandomSource.js';
import {
  outputs,
  randomFunctor,
  randomParams,
  randomSample,
} from '../../functor/test/support/randomFunctor.js';
import { packParameters } from '../src/data/parameters.js';
import { KernelStore } from '../src/KernelStore.js';
import { functorRefusal } from '../src/refusal.js';

const COUNT = runs(25, 150);
const SAMPLES = 8;
const RUNS = 16;

/** Integers are floats in gpu.js, and sums of them may round on the way. */
const largestInt = 2 ** 22;

it.each(['webasm', 'cpu'] as const)(
  `gives for random functors what single precision gives, mode %s`,
  (mode) => {
    const gpu = new GPU({ mode });
    const kernels = new KernelStore(gpu);
    const failures: string[] = [];
    let [taken, compared] = [0, 0];
    for (let seed = 1; seed <= COUNT; seed++) {
      const random = randomFunctor(seed, { kind: 'cell' });
      const ir = random.functor.ir!;
      if (functorRefusal(ir) !== null) continue;
      taken++;
      const source = new RandomSource(seed + 7919);
      const samples = Array.from({ length: SAMPLES }, () => randomSample(source));
      const call = perturbedCall(ir);
      const errors = new RandomSource(seed);
      for (const { plan, kernel } of kernels.get(ir, outputs)) {
        const fields = Float32Array.from(
          plan.fields.flatMap((field) => samples.map(({ i }) => i[field as keyof typeof i])),
        );
        const values = kernel(
          SAMPLES,
          fields.length > 0 ? fields : new Float32Array(4),
          packParameters(plan.parameters, randomParams),
          SAMPLES,
          0,
        );
        samples.forEach((sample, s) => {
          const outcomes = Array.from({ length: RUNS }, () => call(sample, errors));
          plan.outputs.forEach((field, component) => {
            const o = outputs.indexOf(field as 'u');
            const range = allowedRange(
              outcomes.map((run) => run[o]!),
              field === 'n',
              tolerance.f32,
              { largestInt },
            );
            if (!range) return;
            compared++;
            const before = plan.carried.has(field) ? 0 : sample.i[field as 'u'];
            const value = before + values[s]![component]!;
            if (!(value >= range[0] && value <= range[1]))
              failures.push(`${seed} ${field}[${s}]: ${value}, not in ${range}\n${random.text}`);
          });
        });
      }
    }
    expect(failures.slice(0, 3)).toEqual([]);
    expect(taken).toBeGreaterThan(COUNT / 10);
    expect(compared).toBeGreaterThan(COUNT);
  },
);
