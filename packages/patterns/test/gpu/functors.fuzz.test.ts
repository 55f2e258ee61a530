import { expect, it } from 'vitest';
import { runs } from '../../../../test/support/runs.js';
import { allowedRange, tolerance } from '../../../functor/test/support/allowedRange.js';
import { perturbedCall } from '../../../functor/test/support/perturbedCall.js';
import { RandomSource } from '../../../functor/test/support/RandomSource.js';
import {
  outputs,
  type RandomFunctor,
  randomFunctor,
  randomSample,
} from '../../../functor/test/support/randomFunctor.js';
import { describeGpu, openEngine } from '../support/gpu.js';
import { runFunctorsOnGpu } from '../support/runFunctorsOnGpu.js';

const COUNT = runs(20, 160);
/** Texts in double-single are long: fewer. */
const DOUBLE_COUNT = runs(2, 10);
/** Functors that share a kernel. */
const BATCH = 20;
const SAMPLES = 8;
const RUNS = 16;

describeGpu('WGSL', () => {
  it.each([
    ['single precision', 'f32', COUNT],
    ['double-single', 'f64', DOUBLE_COUNT],
  ] as const)(
    'gives for random functors what %s gives',
    {
      timeout: 240_000,
    },
    async (_, real, count) => {
      const engine = await openEngine();
      let compared = 0;
      let total = 0;
      const failures: string[] = [];
      for (let first = 1; first <= count; first += BATCH) {
        const functors: RandomFunctor[] = [];
        for (let seed = first; seed < first + BATCH && seed <= count; seed++)
          functors.push(randomFunctor(seed));
        const samples = functors.map(({ seed }) => {
          const source = new RandomSource(seed + 7919);
          return Array.from({ length: SAMPLES }, () => randomSample(source));
        });
        const results = await runFunctorsOnGpu(engine.gpu, functors, samples, real);
        functors.forEach((random, f) => {
          const call = perturbedCall(random.functor.ir!, real);
          const errors = new RandomSource(random.seed);
          samples[f]!.forEach((sample, s) => {
            const outcomes = Array.from({ length: RUNS }, () => call(sample, errors));
            outputs.forEach((field, o) => {
              total++;
              const range = allowedRange(
                outcomes.map((values) => values[o]!),
                field === 'n',
                tolerance[real],
              );
              if (!range) return;
              compared++;
              const value = results[f]![s]![o]!;
              if (value >= range[0] && value <= range[1]) return;
              failures.push(
                `seed ${random.seed}, sample ${s}: ${field} is ${value}, not in ${range.join(' … ')}\n${random.text}`,
              );
            });
          });
        });
      }
      await engine.close();
      expect(failures.slice(0, 3).join('\n')).toBe('');
      expect(failures.length).toBe(0);
      expect(compared / total).toBeGreaterThan(0.8);
    },
  );
});
