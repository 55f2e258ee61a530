import { describe, expect, it } from 'vitest';
import { RandomSource } from '../support/RandomSource.js';
import {
  callDirectly,
  outputs,
  type RandomFunctor,
  randomFunctor,
  randomParams,
  randomSample,
} from '../support/randomFunctor.js';
import { type RunnerOptions, wasmRunner } from '../support/wasmRunner.js';

const { a, b, m, table, marks } = randomParams;
const tables = { 'p.table': table, 'p.marks': marks };

/** Runs one random functor on 8 samples and lists where wasm and the direct call differ. */
function differences(random: RandomFunctor, options: RunnerOptions, tolerance: number): string[] {
  const runner = wasmRunner(random.functor.ir!, options);
  const source = new RandomSource(random.seed);
  const found: string[] = [];
  for (let turn = 0; turn < 8 / options.lanes; turn++) {
    const samples = Array.from({ length: options.lanes }, () => randomSample(source));
    const expected = samples.map((sample) => callDirectly(random, sample));
    const given = samples.map(({ i, j, d }) => ({
      i: { ...i },
      j: { ...j },
      d: { ...d },
      p: { a, b, m },
    }));
    runner.run(given, tables);
    const live = options.liveLanes ?? options.lanes;
    given.forEach(({ i }, k) => {
      outputs.forEach((field, f) => {
        const value = i[field];
        const wanted = k < live ? (expected[k]?.[f] ?? 0) : (samples[k]?.i[field] ?? 0);
        if (!close(value, wanted, tolerance))
          found.push(`lane ${k} ${field}: ${value} instead of ${wanted}`);
      });
    });
  }
  return found;
}

const close = (x: number, y: number, tolerance: number) =>
  Object.is(x, y) || x === y || Math.abs(x - y) <= tolerance * Math.max(1, Math.abs(y));

const count = Number(process.env.FUZZ_COUNT ?? 5000);

describe('wasm bodies', () => {
  const forms: [string, RunnerOptions][] = [
    ['two lanes', { lanes: 2, real: 'f64' }],
    ['two lanes, hoisted, arrays in memory', { lanes: 2, real: 'f64', scratch: true, hoist: true }],
    ['two lanes, one of them off', { lanes: 2, real: 'f64', liveLanes: 1 }],
    ['one lane', { lanes: 1, real: 'f64' }],
  ];
  it.each(forms)(
    `f64, %s: agree with the direct call to 1e-12 for ${count} random functors`,
    (_, options) => {
      for (let seed = 1; seed <= count; seed++) {
        const random = randomFunctor(seed);
        const found = differences(random, options, 1e-12);
        if (found.length > 0) expect.fail(`seed ${seed}: ${found.join('; ')}\n${random.text}`);
      }
    },
  );
});
