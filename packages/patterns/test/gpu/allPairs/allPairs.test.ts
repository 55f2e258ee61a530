import { Domain } from '@corpuscle/core';
import { computeCellParticlePairs, newestOnHost, pairFunctor } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { isLong, itOnce, runs } from '../../../../../test/support/runs.js';
import { AllPairsWork } from '../../../src/gpu/allPairs/AllPairsWork.js';
import { DeviceAllPairs } from '../../../src/gpu/allPairs/DeviceAllPairs.js';
import { describeAllPairs } from '../../shared/allPairBodies.js';
import { mutual, outputs, particles } from '../../shared/allPairSystems.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

describeGpu('WebGPU', () => {
  const machine = { backend: 'webgpu', threads: 1 } as const;
  // Pairs in single precision, their sums in double-single.
  if (isLong)
    describeAllPairs({ ...machine, precision: 'mixed', tolerance: 1e-6, functors: 'one' });
  else describeAllPairs({ ...machine, precision: 'f32', tolerance: 2e-6, functors: 'one' });
  describeAllPairs({
    ...{ ...machine, precision: 'f64', tolerance: 1e-13, functors: 'one' },
    isBrief: !isLong,
  });

  itOnce('takes as many dispatches as it may', async () => {
    const ctx = await gpuContext(undefined, 'f64');
    const engine = engineOf(ctx);
    const { gpu, residency } = engine;
    const grid = particles(ctx, Domain.orthorhombic([6, 7, 8]), 400);
    const whole = new AllPairsWork(gpu, residency);
    const split = new AllPairsWork(gpu, residency);
    split.dispatchLimits = { f32: 1, f64: 1, groups: 3 };
    const found: Float64Array[] = [];
    const totals: number[] = [];
    const dispatches: number[] = [];
    for (const work of [whole, split]) {
      (grid.block('force').array as Float64Array).fill(0);
      grid.block('force').hostWritten();
      const before = gpu.counters.dispatches;
      const allPairs = {
        images: true,
        central: null,
        neighbors: null,
        starts: null,
        labels: null,
      };
      const plan = {
        grid,
        functor: mutual,
        rcut: 2,
        outputs,
        form: 'bufferless',
        allPairs,
      } as const;
      const call = new DeviceAllPairs(engine.runner, work, plan);
      const { ep } = await call.run({ params: { k: 0.3 }, asynchronous: false });
      dispatches.push(gpu.counters.dispatches - before);
      await newestOnHost(grid, ctx);
      found.push((grid.block('force').array as Float64Array).slice(0, 1600));
      totals.push(ep!);
    }
    // 4 groups of particles by 4 tiles: 16 groups, 6 dispatches instead of 1.
    expect(dispatches[1]! - dispatches[0]!).toBe(5);
    expect(found[1]).toEqual(found[0]);
    expect(totals[1]).toBe(totals[0]);
    grid.free();
    await ctx.close();
  });

  const lennardJones = pairFunctor(
    {
      name: 'lennard_jones_everywhere',
      central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
      params: { eps: 'real', sigma: 'real' },
    },
    (i, _j, d, p) => {
      const s6 = (p.sigma * p.sigma * p.sigma * p.sigma * p.sigma * p.sigma) / (d.r2 * d.r2 * d.r2);
      const g = (24 * p.eps * (2 * s6 * s6 - s6)) / d.r2;
      i.fx += g * d.x;
      i.fy += g * d.y;
      i.fz += g * d.z;
      i.ep += 2 * p.eps * (s6 * s6 - s6);
    },
  );

  const crystals: readonly [string, Domain][] = [
    ['orthorhombic', Domain.orthorhombic([8, 8, 8.5], { origin: [1e3, 0, -7] })],
    ['triclinic', Domain.triclinic([8, 0, 0, 2.5, 8, 0, -3, 1.5, 7])],
  ];
  it.each(runs(crystals.slice(1), crystals.slice(0, 1)))(
    'Lennard-Jones of all pairs by the definition, f64, %s',
    async (_, domain) => {
      const ctx = await gpuContext(undefined, 'f64');
      const count = 216;
      const grid = particles(ctx, domain, count);
      const r = grid.block('position').array as Float64Array;
      for (let k = 0; k < count; k++) {
        // Sites of a lattice, disturbed by up to a tenth of their distance.
        const site = [k % 6, Math.floor(k / 6) % 6, Math.floor(k / 36)];
        const s = site.map((n, axis) => (n + 0.1 * Math.sin(37 * k + axis)) / 6);
        r.set(domain.toCartesian(s[0]!, s[1]!, s[2]!), 4 * k);
      }
      grid.block('position').hostWritten();
      const expected = new Float64Array(4 * count);
      for (let i = 0; i < count; i++)
        for (let j = 0; j < count; j++) {
          if (i === j) continue;
          const apart = [0, 1, 2].map((axis) => r[4 * i + axis]! - r[4 * j + axis]!);
          const d = domain.minimumImage(apart[0]!, apart[1]!, apart[2]!);
          const r2 = d[0]! ** 2 + d[1]! ** 2 + d[2]! ** 2;
          const s6 = 1.1 ** 6 / r2 ** 3;
          const g = (24 * (2 * s6 * s6 - s6)) / r2;
          for (let axis = 0; axis < 3; axis++) expected[4 * i + axis]! += g * d[axis]!;
          expected[4 * i + 3]! += 2 * (s6 * s6 - s6);
        }
      const outputs = { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'both' } as const;
      const { ep } = await computeCellParticlePairs(grid, lennardJones, ctx, {
        rcut: Number.POSITIVE_INFINITY,
        params: { eps: 1, sigma: 1.1 },
        outputs,
        allPairs: true,
      });
      await newestOnHost(grid, ctx);
      const found = grid.block('force').array as Float64Array;
      const largest = (of: (k: number) => boolean) =>
        Math.max(...expected.filter((_, k) => of(k)).map(Math.abs));
      const [force, energy] = [largest((k) => k % 4 < 3), largest((k) => k % 4 === 3)];
      expected.forEach((value, k) => {
        const scale = k % 4 < 3 ? force : energy;
        expect(Math.abs(found[k]! - value) / scale, `number ${k}`).toBeLessThan(1e-12);
      });
      const total = expected.reduce((sum, value, k) => (k % 4 === 3 ? sum + value : sum), 0);
      expect(Math.abs(ep / total - 1)).toBeLessThan(1e-12);
      grid.free();
      await ctx.close();
    },
  );
});
