import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';
import { describeGpu, gpuContext } from '../../support/gpu.js';

const add = cellFunctor(
  { name: 'add', fields: { fx: 'real' }, params: { table: 'real[]', x: 'real' } },
  (i, p) => {
    i.fx += p.x + p.table[1]!;
  },
);
const addCharge = cellFunctor(
  { name: 'add_charge', fields: { fx: 'real' }, read: { q: 'real' }, defaults: { q: 5 } },
  (i) => {
    i.fx += i.q;
  },
);
const count = pairFunctor(
  { name: 'count', central: { fx: 'real', fy: 'real' }, params: { each: 'real' } },
  (i, _j, d, p) => {
    if (d.r2 < 4) {
      i.fx += p.each;
      i.fy += p.each;
    }
  },
);

describeGpu('calls that are made again', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  const pair = (): Grid =>
    gridOf(ctx.heap, Domain.orthorhombic([8, 8, 8]), [
      [1, 1, 1],
      [2, 1, 1],
    ]);
  async function forces(grid: Grid): Promise<number[]> {
    await newestOnHost(grid, ctx);
    return [grid.values('fx')[0]!, grid.values('fy')[0]!];
  }

  it('see parameters that their owner has changed in place', async () => {
    const grid = pair();
    const params = { x: 1, table: [0, 10] };
    for (let n = 0; n < 3; n++) computeCellParticles(grid, add, ctx, { params });
    params.table[1] = 100;
    computeCellParticles(grid, add, ctx, { params });
    params.x = 2;
    computeCellParticles(grid, add, ctx, { params });
    params.table[1] = -7;
    expect(await forces(grid)).toEqual([3 * 11 + 101 + 102, 0]);
  });

  it('refuse what the first one would have refused', async () => {
    const grid = pair();
    const params = { x: 1, table: [0, 10] };
    computeCellParticles(grid, add, ctx, { params });
    const wrong = (given: object) => () =>
      computeCellParticles(grid, add, ctx, { params: given as never });
    expect(wrong({ ...params, y: 1 })).toThrow(/has no parameter 'y'/);
    expect(wrong({ x: 1 })).toThrow(/'table' of functor 'add' is missing/);
    expect(wrong({ ...params, x: '1' })).toThrow(/must be a number/);
    expect(await forces(grid)).toEqual([11, 0]);
  });

  it('see a field that was added to the grid after they were prepared', async () => {
    const grid = pair();
    computeCellParticles(grid, addCharge, ctx);
    computeCellParticles(grid, addCharge, ctx);
    grid.addBlock({ name: 'other', type: 'f64', width: 1, members: ['q'] });
    grid.setValues('q', [1000, 1000]);
    computeCellParticles(grid, addCharge, ctx);
    expect(await forces(grid)).toEqual([1010, 0]);
  });

  it('are different calls if rows, cutoff or outputs differ', async () => {
    const grid = pair();
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.2 });
    const params = { each: 1 };
    const call = (options: object) =>
      computeCellParticlePairs(grid, count, ctx, { rcut: 2, params, ...options });
    call({});
    call({});
    call({ rcut: 0.5 });
    const outputs = { fx: 'none' };
    call({ outputs });
    call({ outputs });
    call({ outputs: { fx: 'none' } });
    outputs.fx = 'particles';
    call({ outputs });
    call({ rcut: 0.5, outputs });
    call({ outputs: { fy: 'none' } });
    call({ outputs: { fx: 'particles' } });
    computeCellParticles(grid, add, ctx, { params: { x: 1, table: [0, 0] } });
    await computeCellParticles(grid, add, ctx, { params: { x: 1, table: [0, 0] }, cells: [] });
    expect(await forces(grid)).toEqual([6, 7]);
  });

  it('wait for earlier calls on the CPU', async () => {
    const grid = pair();
    const params = { x: 1, table: [0, 0] };
    computeCellParticles(grid, add, ctx, { params });
    computeCellParticles(grid, add, ctx, { params, backend: 'cpu' });
    computeCellParticles(grid, add, ctx, { params });
    expect(await forces(grid)).toEqual([3, 0]);
  });
});
