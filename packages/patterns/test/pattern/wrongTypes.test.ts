import type { Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor, valueFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { blockParallelFor, parallelFor } from '../../src/pattern/blockParallelFor.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import {
  computeCellParticles,
  prepareCellParticles,
} from '../../src/pattern/computeCellParticles.js';
import { explain } from '../../src/pattern/explain.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { prepareStep } from '../../src/pattern/prepareStep.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import { createArray } from '../../src/plan/createArray.js';
import { prepareValues } from '../../src/value/prepareValues.js';
import { addValue, addVelocity, forceNorms } from '../shared/functors.js';
import { filledGrid } from '../shared/oracle.js';

let ctx: ExecutionContext;
let grid: Grid;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  grid = filledGrid(ctx.heap, 10);
});
afterAll(() => ctx.close());

const pair = pairFunctor({ name: 'counted', central: { ep: 'real' } }, (i) => {
  i.ep += 1;
});
const twice = valueFunctor({ name: 'twice', values: { x: 'real' } }, (v) => {
  v.x *= 2;
});
const notAFunctor = (i: { vx: number }) => {
  i.vx = 1;
};
const params = { x: 1, y: 2, z: 3 };
/** Arguments that only a caller without a compiler can give. */
const any = <T>(value: T): never => value as never;

it.each<[string, RegExp, () => unknown]>([
  [
    'a function that is no functor',
    /takes \(grid, functor, ctx, options\), and functor is a function: give one that cellFunctor has made$/,
    () => computeCellParticles(grid, any(notAFunctor), ctx),
  ],
  [
    'no functor',
    /functor is undefined: give one that pairFunctor or neighborhoodFunctor has made/,
    () => computeCellParticlePairs(grid, any(undefined), ctx, { rcut: 1 }),
  ],
  [
    'a functor of another kind',
    /functor is the reduce functor 'force_norms': give one that cellFunctor/,
    () => computeCellParticles(grid, any(forceNorms), ctx),
  ],
  [
    'a functor of another kind among forms',
    /functor is the cell functor 'add_velocity'/,
    () =>
      computeCellParticlePairs(grid, { buffered: pair, bufferless: any(addVelocity) }, ctx, {
        rcut: 1,
      }),
  ],
  ['no context', /ctx is undefined/, () => computeCellParticles(grid, addVelocity, any(undefined))],
  [
    'arguments in another order',
    /grid is an object of ExecutionContext: give a Grid/,
    () => computeCellParticles(any(ctx), addVelocity, any(grid), { params }),
  ],
  [
    'initial values that are left out',
    /takes \(grid, functor, initial, ctx, options\), and ctx is undefined/,
    () => reduceCellParticles(grid, forceNorms, any(ctx), any(undefined)),
  ],
  ['no options', /options is undefined/, () => updateNeighbors(grid, ctx, any(undefined))],
  [
    'a number for parameters',
    /its option params is 3: give an object/,
    () => computeCellParticles(grid, addVelocity, ctx, { params: any(3) }),
  ],
  [
    'a number for cells',
    /its option cells is 3: give an array/,
    () => computeCellParticles(grid, addVelocity, ctx, { params, cells: any(3) }),
  ],
  [
    'a function for a filter',
    /its option particleFilter is a function/,
    () =>
      computeCellParticles(grid, addVelocity, ctx, { params, particleFilter: any(notAFunctor) }),
  ],
  [
    'a text for a cutoff',
    /its option rcut is '2\.5': give a number/,
    () => computeCellParticlePairs(grid, pair, ctx, { rcut: any('2.5') }),
  ],
  [
    'a text for outputs',
    /its option outputs is 'total'/,
    () => computeCellParticlePairs(grid, pair, ctx, { rcut: 1, outputs: any('total') }),
  ],
  [
    'what is no value',
    /its option into is an object: give a value that ctx\.value has made/,
    () => reduceCellParticles(grid, forceNorms, {}, ctx, { into: any({}) }),
  ],
  [
    'a grid for a space',
    /space is an object of Grid: give a number/,
    () => blockParallelFor(any(grid), addValue, ctx),
  ],
  [
    'a number for a callback',
    /its option onComplete is 3: give a function/,
    () => parallelFor(3, addValue, ctx, { onComplete: any(3) }),
  ],
  ['what cannot be explained', /functor is 3: give one that/, () => explain(any(3), ctx)],
  [
    'a step of something else',
    /no array of prepared calls/,
    () => prepareStep(ctx, any([notAFunctor])),
  ],
  [
    'a functor of values that is none',
    /takes \(functor, ctx, options\), and functor is the cell functor 'add_velocity': give one that valueFunctor has made/,
    () => prepareValues(any(addVelocity), ctx, { values: any({}) }),
  ],
  [
    'no values',
    /value 'x' of functor 'twice' must be one of a context/,
    () => prepareValues(twice, ctx, { values: { x: any(3) } }),
  ],
  ['an array without a context', /ctx is none/, () => createArray(any(grid.count), 'real', 3)],
  ['a value without numbers', /made of named numbers/, () => ctx.value(any({ sum: '0' }))],
  ['a value of nothing', /made of named numbers/, () => ctx.value(any(undefined))],
  ['a value without names', /made of named numbers/, () => ctx.value(any([1, 2]))],
  [
    'a text for a number of a value',
    /made of named numbers/,
    () => ctx.value({ x: 1 }).write({ x: any('2') }),
  ],
  [
    'a number for the parameters of a run',
    /the parameters of a run are 5: give an object/,
    () => prepareCellParticles(grid, addVelocity, ctx, { params }).run(any(5)),
  ],
])('a call with %s is refused, with its line first in the stack', (_, message, call) => {
  expect(call).toThrow(
    expect.objectContaining({
      code: 'WRONG_TYPE',
      message: expect.stringMatching(message),
      stack: expect.stringMatching(/^.*\n\s*at \S* ?\(?\S*wrongTypes\.test\.ts:/),
    }),
  );
});

it('an option that no call takes is refused with the nearest that there is, at the line of the caller', () => {
  const options = any<object>({ paramz: params });
  expect(() => computeCellParticles(grid, addVelocity, ctx, options)).toThrow(
    expect.objectContaining({
      code: 'UNKNOWN_KEY',
      message: "no call takes an option 'paramz': did you mean 'params'?",
      stack: expect.stringMatching(/^.*\n\s*at \S* ?\(?\S*wrongTypes\.test\.ts:/),
    }),
  );
  expect(() => computeCellParticlePairs(grid, pair, ctx, any({ rcut: 1, output: {} }))).toThrow(
    /did you mean 'outputs'/,
  );
});

it.each<[string, RegExp, () => unknown]>([
  [
    'of pairs alone',
    /^computeCellParticles takes no option 'rcut', which is one of computeCellParticlePairs, updateNeighbors: leave it out, or make that call$/,
    () => computeCellParticles(grid, addVelocity, ctx, any({ params, rcut: 1 })),
  ],
  [
    'of particles alone',
    /^computeCellParticlePairs takes no option 'cells', which is one of computeCellParticles, red/,
    () => computeCellParticlePairs(grid, pair, ctx, any({ rcut: 1, cells: [0] })),
  ],
  [
    'of calls, to lists',
    /^updateNeighbors takes no option 'params'/,
    () => updateNeighbors(grid, ctx, any({ rcut: 1, params })),
  ],
])('an option %s is refused with the calls that take it', (_, message, call) => {
  expect(call).toThrow(
    expect.objectContaining({ code: 'UNKNOWN_KEY', message: expect.stringMatching(message) }),
  );
});

it('arrays of unknown types and hosts of nothing are refused', async () => {
  expect(() => createArray(ctx, any('float'), 3)).toThrow(/an array of float cannot be made/);
  await expect(newestOnHost(any(3), ctx)).rejects.toThrow(/grid is 3/);
});

it('names that a value has not are refused', () => {
  expect(() => ctx.value({ x: 1 }).write(any({ x: 1, y: 2 }))).toThrow(
    /there is no value 'y' \(there are: x\)/,
  );
});

it.each([-1, 1.5, '3'])('a step cannot be made %s times', (times) => {
  const step = prepareStep(ctx, [prepareCellParticles(grid, addVelocity, ctx, { params })]);
  expect(() => step.run(any(times))).toThrow(/give a whole number ≥ 0$/);
});

it('a value functor of other numbers than real ones is refused', () => {
  expect(() => valueFunctor({ name: 'whole', values: { n: any('i32') } }, () => {})).toThrow(
    /value 'n' of functor 'whole' is i32, but values of a context are real: declare it real/,
  );
});

it('a value functor, and one without a function, are told where they are declared', () => {
  const here = /defined at \S*wrongTypes\.test\.ts:/;
  expect(() => valueFunctor({ name: '3', values: { x: 'real' } }, () => {})).toThrow(here);
  expect(() => cellFunctor({ name: 'none', fields: { vx: 'real' } }, any(undefined))).toThrow(
    /defined at \S*wrongTypes\.test\.ts:\S*: there is no function/,
  );
});
