import { Domain, Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor, reduceFunctor } from '@corpuscle/functor';
import { afterEach, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import type { ExecutionContextOptions } from '../../src/context/ExecutionContextOptions.js';
import { availableThreads } from '../../src/engine/availableThreads.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import { createArray } from '../../src/plan/createArray.js';
import { addValue, addVelocity, forceNorms, someOfThem } from '../shared/functors.js';
import { filledGrid } from '../shared/oracle.js';

let ctx: ExecutionContext;
afterEach(() => ctx?.close());

const open = async (options: Parameters<typeof createExecutionContext>[0] = {}) => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 2, ...options });
  return ctx;
};

const pair = pairFunctor(
  { name: 'count_neighbors', central: { ep: 'real' }, params: { unit: 'real' } },
  (i, _j, _d, p) => {
    i.ep += p.unit;
  },
);

describe('what a call is given', () => {
  it.each<[string, string, RegExp, (grid: Grid) => unknown]>([
    [
      'a missing parameter',
      'MISSING_VALUE',
      /'z' of functor 'add_velocity' is missing/,
      (grid) => computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 2 } as never }),
    ],
    [
      'a parameter that is NaN',
      'INVALID_VALUE',
      /'y' of functor 'add_velocity' is NaN/,
      (grid) => computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: NaN, z: 0 } }),
    ],
    [
      'no parameters at all',
      'MISSING_VALUE',
      /'x' of functor 'add_velocity'/,
      (grid) => computeCellParticles(grid, addVelocity, ctx),
    ],
    [
      'an unknown parameter',
      'UNKNOWN_KEY',
      /no parameter 'w'.*x, y, z/,
      (grid) =>
        computeCellParticles(grid, addVelocity, ctx, {
          params: { x: 1, y: 2, z: 3, w: 4 } as never,
        }),
    ],
    [
      'a number for a table',
      'WRONG_TYPE',
      /must be an array/,
      (grid) =>
        computeCellParticles(
          grid,
          cellFunctor({ name: 't', fields: { vx: 'real' }, params: { t: 'real[]' } }, (i, p) => {
            i.vx = p.t[0]!;
          }),
          ctx,
          { params: { t: 4 } as never },
        ),
    ],
    [
      'an empty table',
      'INVALID_VALUE',
      /table 't'.*is empty/,
      (grid) =>
        computeCellParticles(
          grid,
          cellFunctor({ name: 't', fields: { vx: 'real' }, params: { t: 'real[]' } }, (i, p) => {
            i.vx = p.t[0]!;
          }),
          ctx,
          { params: { t: [] } },
        ),
    ],
    [
      'a fraction for an integer',
      'INVALID_VALUE',
      /'wanted'.*is 0.5, but its type is u32/,
      (grid) =>
        reduceCellParticles(grid, someOfThem, {}, ctx, { params: { wanted: 0.5, weight: 1 } }),
    ],
    [
      'an unknown result',
      'UNKNOWN_KEY',
      /no result 'sum'.*norm, largest, smallest/,
      (grid) => reduceCellParticles(grid, forceNorms, { sum: 0 } as never, ctx),
    ],
    [
      'a field the grid lacks',
      'UNKNOWN_FIELD',
      /no field 'spin'/,
      (grid) =>
        computeCellParticles(
          grid,
          cellFunctor({ name: 'f', fields: { spin: 'real' } }, (i) => {
            i.spin = 1;
          }),
          ctx,
        ),
    ],
    [
      'a pair output the grid has no field for',
      'UNKNOWN_FIELD',
      /output 'spin' of functor 'f'.*grid\.addBlock.*outputs: \{ spin: 'total' \}/,
      (grid) =>
        computeCellParticlePairs(
          grid,
          pairFunctor({ name: 'f', central: { spin: 'real' } }, (i) => {
            i.spin += 1;
          }),
          ctx,
          { rcut: 1 },
        ),
    ],
    [
      'a real field read as an integer',
      'WRONG_TYPE',
      /'vx' of functor 'f' is declared as u32, but the grid stores it as f64/,
      (grid) =>
        reduceCellParticles(
          grid,
          reduceFunctor(
            { name: 'f', result: { n: 'sum' }, read: { vx: 'u32' } },
            (acc, i, _p, h) => {
              acc.n += h.real(i.vx);
            },
          ),
          {},
          ctx,
        ),
    ],
    [
      'an integer field read as a real, as on a GPU',
      'WRONG_TYPE',
      /'type' of functor 'f' is declared as real, but the grid stores it as u32/,
      (grid) =>
        computeCellParticles(
          grid,
          cellFunctor({ name: 'f', fields: { fx: 'real' }, read: { type: 'real' } }, (i) => {
            i.fx = i.type;
          }),
          ctx,
        ),
    ],
    [
      'a negative skin',
      'INVALID_VALUE',
      /skin is -1: give a length/,
      (grid) => updateNeighbors(grid, ctx, { rcut: 1, skin: -1 }),
    ],
    [
      'a cutoff of nothing',
      'INVALID_VALUE',
      /rcut is 0: give a positive length/,
      (grid) => updateNeighbors(grid, ctx, { rcut: 0 }),
    ],
    [
      'an array that is missing',
      'MISSING_VALUE',
      /array 'values' of functor 'add_value'/,
      () => blockParallelFor(3, addValue, ctx, { params: { columns: 1, value: 1 } }),
    ],
    [
      'an array of another type',
      'WRONG_TYPE',
      /'values'.*holds u32.*wants real/,
      () =>
        blockParallelFor(3, addValue, ctx, {
          arrays: { values: createArray(ctx, 'u32', 3) },
          params: { columns: 1, value: 1 },
        }),
    ],
    [
      'a negative space',
      'INVALID_VALUE',
      /blocks is -1: give one to three/,
      () =>
        blockParallelFor(-1, addValue, ctx, {
          arrays: { values: createArray(ctx, 'real', 3) },
          params: { columns: 1, value: 1 },
        }),
    ],
    [
      'pairs without lists',
      'NO_NEIGHBOR_LISTS',
      /updateNeighbors/,
      (grid) => computeCellParticlePairs(grid, pair, ctx, { rcut: 1, params: { unit: 1 } }),
    ],
    [
      'an unknown output',
      'UNKNOWN_KEY',
      /no output 'fx'/,
      (grid) =>
        computeCellParticlePairs(grid, pair, ctx, {
          rcut: 1,
          params: { unit: 1 },
          outputs: { fx: 'total' } as never,
        }),
    ],
    [
      'a cutoff that is not a number',
      'INVALID_VALUE',
      /rcut is NaN/,
      (grid) => updateNeighbors(grid, ctx, { rcut: Number.NaN, skin: 0 }),
    ],
    ['a negative array length', 'INVALID_VALUE', /length -3/, () => createArray(ctx, 'real', -3)],
  ])(
    'is refused, with the line of the call first in the stack: %s',
    async (_, code, message, call) => {
      await open();
      const grid = filledGrid(ctx.heap, 10);
      expect(() => call(grid)).toThrow(
        expect.objectContaining({
          code,
          message: expect.stringMatching(message),
          stack: expect.stringMatching(/^.*\n\s*at \S* ?\(?\S*callErrors\.test\.ts:/),
        }),
      );
    },
  );

  it('choices and kinds of parameters are checked, for callers without a compiler too', async () => {
    for (const options of [{ backend: 'cuda' }, { precision: 'f16' }, { lowering: 'avx' }]) {
      const made = createExecutionContext(options as ExecutionContextOptions);
      await expect(made).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    }
    const scale = cellFunctor(
      { name: 'scale', fields: { vx: 'real' }, params: { factor: 'real' } },
      (i, p) => {
        i.vx *= p.factor;
      },
    );
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = new Grid(ctx.heap, Domain.open());
    const params = { factor: '2' } as unknown as { factor: number };
    expect(() => computeCellParticles(grid, scale, ctx, { params })).toThrow(/must be a number/);
  });

  it('threads are checked and capped', async () => {
    await expect(createExecutionContext({ backend: 'cpu', threads: 0 })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
    });
    await open({ threads: 10_000 });
    expect(ctx.threads).toBe(availableThreads());
  });
});
