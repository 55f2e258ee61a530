import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, reduceFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { reduceCellParticles } from '../../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';
import { describeGpu, gpuContext } from '../../support/gpu.js';

const sum = reduceFunctor(
  {
    name: 'sum',
    result: { total: 'sum', most: 'max' },
    read: { rx: 'real', fx: 'real' },
    params: { each: 'real', table: 'real[]' },
  },
  (acc, i, p) => {
    acc.total += p.each * i.rx + p.table[0]! * i.fx;
    acc.most = Math.max(acc.most, i.rx);
  },
);
const push = cellFunctor({ name: 'push', fields: { fx: 'real' } }, (i) => {
  i.fx += 1;
});

function testReductions(makeContext: () => Promise<ExecutionContext>): void {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await makeContext();
  });
  afterAll(() => ctx.close());

  const grid = (...x: readonly number[]): Grid =>
    gridOf(
      ctx.heap,
      Domain.orthorhombic([16, 16, 16]),
      x.map((one) => [one, 1, 1]),
    );
  const plain = { each: 1, table: [0] };
  const reduced = (on: Grid, initial: { total?: number } = {}, params = plain) =>
    reduceCellParticles(on, sum, initial, ctx, { params });

  it('see other parameters, tables and initial values', async () => {
    const on = grid(1, 2);
    const params = { each: 1, table: [1] };
    const handles = [reduced(on, {}, params), reduced(on, {}, params)];
    params.each = 2;
    handles.push(reduced(on, {}, params));
    params.table[0] = 5;
    computeCellParticles(on, push, ctx);
    handles.push(reduced(on, {}, params), reduced(on, { total: 100 }, params), reduced(on));
    const totals = (await Promise.all(handles)).map(({ total }) => total);
    expect(totals).toEqual([3, 3, 6, 16, 116, 3]);
  });

  it('give records of their own', async () => {
    const on = grid(1, 2);
    const one = await reduced(on);
    const other = await reduced(on);
    Object.assign(one, { total: 7 });
    expect(await reduced(on)).toEqual({ total: 3, most: 2 });
    expect(other).toEqual({ total: 3, most: 2 });
  });

  it('give the sums of many particles, whose partial results several workgroups combine', async () => {
    const on = grid(...Array.from({ length: 40_000 }, () => 1));
    on.setValues(
      'fx',
      Array.from({ length: on.count }, (_, k) => k % 16),
    );
    const params = { each: 0, table: [1] };
    const handles = [reduced(on, {}, params), reduced(on, { total: 1 }, params), reduced(on)];
    const totals = (await Promise.all(handles)).map(({ total }) => total);
    expect(totals).toEqual([300_000, 300_001, 40_000]);
  });

  it('see grids in turn, each with its particles of now', async () => {
    const [few, more] = [grid(1, 2), grid(3, 4, 5)];
    const handles = [few, more, few, more].map((on) => reduced(on));
    expect(await Promise.all(handles)).toEqual([
      { total: 3, most: 2 },
      { total: 12, most: 5 },
      { total: 3, most: 2 },
      { total: 12, most: 5 },
    ]);
    more.resize(2);
    few.addBlock({ name: 'more', type: 'f64', width: 1, members: ['more'] });
    few.block('position').array[0] = 6;
    few.block('position').hostWritten();
    expect(await reduced(more)).toEqual({ total: 7, most: 4 });
    expect(await reduced(few)).toEqual({ total: 8, most: 6 });
    more.resize(0);
    expect(await reduced(more, { total: 2 })).toEqual({ total: 2, most: Number.NEGATIVE_INFINITY });
  });

  it('see a box that has changed', async () => {
    const on = grid(1, 2);
    await reduced(on);
    on.domain = Domain.orthorhombic([8, 8, 8]);
    expect(await reduced(on)).toEqual({ total: 3, most: 2 });
  });

  it('are made again when lists have served too long', async () => {
    const on = grid(1, 2, 3, 4);
    const step = () => {
      updateNeighbors(on, ctx, { rcut: 2, skin: 0.2, ahead: true });
      computeCellParticles(on, push, ctx);
      return reduced(on, {}, { each: 0, table: [1] });
    };
    const handles = Array.from({ length: 40 }, step);
    const totals = (await Promise.all(handles)).map(({ total }) => total);
    expect(totals).toEqual(totals.map((_, n) => 4 * (n + 1)));
  });
}

describe('reductions that are made again on the CPU', () => {
  testReductions(() => createExecutionContext({ backend: 'cpu', threads: 2 }));
});
describeGpu('reductions that are made again on a device', () => testReductions(() => gpuContext()));
