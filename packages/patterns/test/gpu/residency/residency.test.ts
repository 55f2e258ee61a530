import { Domain } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  lennardJones,
  lennardJonesParameters,
} from '../../../../operators/src/potentials/lennard_jones/lennardJones.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { fccPositions, gridOf } from '../../shared/grids.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const kickDrift = cellFunctor(
  {
    name: 'kick_drift',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real' },
    params: { dt: 'real' },
  },
  (i, p) => {
    i.vx += p.dt * i.fx;
    i.vy += p.dt * i.fy;
    i.vz += p.dt * i.fz;
    i.rx += p.dt * i.vx;
    i.ry += p.dt * i.vy;
    i.rz += p.dt * i.vz;
  },
);
const clear = cellFunctor(
  { name: 'clear', fields: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' } },
  (i) => {
    i.fx = 0;
    i.fy = 0;
    i.fz = 0;
    i.ep = 0;
  },
);
const drift = cellFunctor(
  { name: 'drift', fields: { rx: 'real' }, params: { by: 'real' } },
  (i, p) => {
    i.rx += p.by;
  },
);

describeGpu('residency on WebGPU', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  function crystal() {
    const { length, positions } = fccPositions(4, 0.8442);
    return gridOf(ctx.heap, Domain.orthorhombic([length, length, length]), positions);
  }

  it('moves no particle data inside a step loop', async () => {
    const grid = crystal();
    const params = lennardJonesParameters({ epsilon: [1], sigma: [1], rcut: [2.5] }, 'none');
    const step = async () => {
      computeCellParticles(grid, kickDrift, ctx, { params: { dt: 0.005 } });
      await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
      computeCellParticles(grid, clear, ctx);
      computeCellParticlePairs(grid, lennardJones, ctx, {
        rcut: 2.5,
        params,
        outputs: { vxx: 'none', vyy: 'none', vzz: 'none', vxy: 'none', vxz: 'none', vyz: 'none' },
      });
    };
    await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
    // The first ones compile kernels, also that of calls that follow each other every time.
    for (let k = 0; k < 6; k++) await step();
    const { counters } = engineOf(ctx);
    const before = { ...counters };
    for (let k = 0; k < 10; k++) await step();
    expect(counters.uploads - before.uploads).toBe(0);
    expect(counters.pipelines - before.pipelines).toBe(0);
    // One word a step and four for the longest list of a rebuild: the displacement trigger, nothing else.
    expect(counters.downloadedBytes - before.downloadedBytes).toBeLessThanOrEqual(10 * 36);
    // Displacement trigger and rebuild end a submit; everything else rides along.
    expect(counters.submits - before.submits).toBeLessThanOrEqual(20);
    grid.free();
  });

  it('uploads a block once after the host has written it, and downloads what the device has written', async () => {
    const grid = crystal();
    const { counters } = engineOf(ctx);
    const run = () => computeCellParticles(grid, clear, ctx);
    grid.setValues('fx', new Float64Array(grid.count).fill(1));
    const before = { ...counters };
    await run();
    await run();
    expect(counters.uploads - before.uploads).toBe(1);
    await newestOnHost(grid, ctx);
    await newestOnHost(grid, ctx);
    expect(counters.downloads - before.downloads).toBe(1);
    await run();
    expect(counters.uploads - before.uploads).toBe(1);
    grid.setValues('fx', new Float64Array(grid.count).fill(2));
    await run();
    expect(counters.uploads - before.uploads).toBe(2);
    await newestOnHost(grid, ctx, ['fx']);
    expect(Math.max(...grid.values('fx'))).toBe(0);
    grid.free();
  });

  it('brings ids beyond 2^32 through a sort unharmed', async () => {
    const grid = crystal();
    const big = 2n ** 53n + 1n;
    const ids = grid.block('id').array as BigUint64Array;
    for (let row = 0; row < grid.count; row++) ids[row] = big + BigInt(row);
    grid.block('id').hostWritten();
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3 });
    await newestOnHost(grid, ctx);
    const after = [...(grid.block('id').array as BigUint64Array).subarray(0, grid.count)];
    expect(after.map((id) => Number(id - big)).sort((a, b) => a - b)).toEqual([
      ...Array(grid.count).keys(),
    ]);
    grid.free();
  });

  it('keeps positions to the precision of a cell however large the box is', async () => {
    const side = 3000;
    const positions = Array.from(
      { length: 200 },
      (_, k) => [side - 5 + 0.02 * k, 1 + 0.01 * k, 2] as const,
    );
    const grid = gridOf(ctx.heap, Domain.orthorhombic([side, 12, 12]), positions);
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.5 });
    for (let k = 0; k < 100; k++)
      await computeCellParticles(grid, drift, ctx, { params: { by: 0.001 } });
    await newestOnHost(grid, ctx);
    const ids = grid.values('id');
    grid.values('rx').forEach((x, row) => {
      const expected = side - 5 + 0.02 * ids[row]! + 0.1;
      // 100 roundings of numbers below a cell's 15: 5e-5 at worst; f32 of the box would be off by 1e-4 a step.
      expect(Math.abs(x - expected)).toBeLessThan(5e-5);
    });
    grid.free();
  });

  it('lets both backends take turns on one grid', async () => {
    const grid = crystal();
    const params = lennardJonesParameters({ epsilon: [1], sigma: [1.1], rcut: [2.5] }, 'none');
    const lists = { rcut: 2.5, skin: 0.3 };
    for (const name of ['vx', 'vy', 'vz'])
      grid.setValues(
        name,
        Array.from({ length: grid.count }, (_, k) => ((k * 37) % 64) / 32 - 1),
      );
    const energies: number[] = [];
    for (const backend of ['webgpu', 'cpu', 'webgpu', 'cpu'] as const) {
      await updateNeighbors(grid, ctx, { ...lists, backend });
      const { ep } = await computeCellParticlePairs(grid, lennardJones, ctx, {
        rcut: 2.5,
        params,
        backend,
        outputs: {
          ep: 'total',
          vxx: 'none',
          vyy: 'none',
          vzz: 'none',
          vxy: 'none',
          vxz: 'none',
          vyz: 'none',
        },
      });
      energies.push(ep);
      // Move on the other backend, so that the next update starts from its positions.
      const other = backend === 'cpu' ? 'webgpu' : 'cpu';
      await computeCellParticles(grid, clear, ctx, { backend });
      await computeCellParticles(grid, kickDrift, ctx, { params: { dt: 0.01 }, backend: other });
      await computeCellParticles(grid, kickDrift, ctx, { params: { dt: -0.01 }, backend: other });
    }
    await newestOnHost(grid, ctx);
    // There and back leaves a rounding of f32 behind, and so do the two engines.
    for (const energy of energies) expect(Math.abs(energy / energies[0]! - 1)).toBeLessThan(2e-6);
    grid.free();
  });
});
