import { transformSync } from 'esbuild';
import { minify_sync } from 'terser';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/runs.js';
import type { FunctorIR } from '../../src/ir.js';
import type { JavaScriptEnv } from '../../src/lower/javascript/JavaScriptEnv.js';
import { lowerToJavaScript } from '../../src/lower/javascript/lowerToJavaScript.js';
import { withOutputs } from '../../src/passes/withOutputs.js';
import { RandomSource } from '../support/RandomSource.js';
import {
  callDirectly,
  outputs,
  type RandomFunctor,
  randomFunctor,
  randomParams,
  randomSample,
  type Sample,
} from '../support/randomFunctor.js';

const env: JavaScriptEnv = {
  read: (role, field) => `${role}.${field}`,
  item: (role, field, index) => `${role}.${field}[${index}]`,
  write: (role, field, op, value) => `${role}.${field} ${op} ${value};`,
  writeItem: (role, field, index, op, value) => `${role}.${field}[${index}] ${op} ${value};`,
};

type Run = (i: Sample['i'], j: Sample['j'], d: Sample['d'], p: typeof randomParams) => void;

function generated(ir: FunctorIR): Run {
  const { helpers, prologue, body } = lowerToJavaScript(ir, env);
  const run = `function run(i, j, d, p) {\n${prologue}functor: {\n${body}}\n}`;
  return new Function(`"use strict";\n${helpers}return ${run};`)() as Run;
}

function differences(random: RandomFunctor): string[] {
  const run = generated(random.functor.ir!);
  const source = new RandomSource(random.seed);
  const found: string[] = [];
  for (let k = 0; k < 8; k++) {
    const sample = randomSample(source);
    const expected = callDirectly(random, sample);
    const i = { ...sample.i };
    run(i, sample.j, sample.d, randomParams);
    outputs.forEach((field, f) => {
      const value = field === 'n' ? i[field] | 0 : i[field];
      if (!Object.is(value, expected[f]))
        found.push(`${field}: ${value} instead of ${expected[f]}`);
    });
  }
  return found;
}

/** `x = <function>` → the function as the tool rewrote it. */
const unwrap = (program: string): string => program.replace(/^x=/, '').replace(/;?\s*$/, '');

const minifiers: readonly [string, number, (text: string) => string][] = [
  ['esbuild', runs(25, 300), (text) => unwrap(transformSync(`x=${text}`, { minify: true }).code)],
  [
    'esbuild for ES2015',
    runs(12, 150),
    (text) =>
      unwrap(
        transformSync(`x=${text.replaceAll('**', '*')}`, { minify: true, target: 'es2015' }).code,
      ),
  ],
  ['terser', runs(15, 200), (text) => unwrap(minify_sync(`x=${text}`).code!)],
  [
    'terser, hard',
    runs(10, 150),
    (text) =>
      unwrap(
        minify_sync(`x=${text}`, { compress: { passes: 3, unsafe: true, hoist_vars: true } }).code!,
      ),
  ],
];

const count = runs(75, 2500);
const fewOutputs = runs(50, 500);

describe('generated JavaScript', () => {
  it(`agrees bit for bit with the direct call for ${count} random functors`, () => {
    for (let seed = 1; seed <= count; seed++) {
      const random = randomFunctor(seed);
      const found = differences(random);
      if (found.length > 0) expect.fail(`seed ${seed}: ${found.join('; ')}\n${random.text}`);
    }
  });

  it.each(minifiers)('agrees for random functors minified by %s (%i)', (_, many, rewrite) => {
    for (let seed = 1; seed <= many; seed++) {
      const random = randomFunctor(seed, { rewrite });
      const found = differences(random);
      if (found.length > 0) expect.fail(`seed ${seed}: ${found.join('; ')}\n${random.text}`);
    }
  });
});

describe('dropping outputs', () => {
  it(`leaves the others as they were, for ${fewOutputs} random functors`, () => {
    for (let seed = 1; seed <= fewOutputs; seed++) {
      const random = randomFunctor(seed);
      const { ir } = random.functor;
      const wanted = outputs[seed % outputs.length]!;
      const [all, one] = [generated(ir!), generated(withOutputs(ir!, new Set([wanted])))];
      const source = new RandomSource(seed);
      for (let k = 0; k < 4; k++) {
        const { i, j, d } = randomSample(source);
        const [expected, value] = [{ ...i }, { ...i }];
        all(expected, j, d, randomParams);
        one(value, j, d, randomParams);
        if (!Object.is(value[wanted], expected[wanted])) {
          expect.fail(
            `seed ${seed}: ${wanted} is ${value[wanted]}, not ${expected[wanted]}\n${random.text}`,
          );
        }
      }
    }
  });
});
