import { afterEach, expect, it, vi } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { preparePrecision, probePrecisions } from '../../../src/gpu/double/preparePrecision.js';
import { probeDoubles } from '../../../src/gpu/double/probeDoubles.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { explain } from '../../../src/pattern/explain.js';
import { filledGrid } from '../../shared/oracle.js';
import { coordination } from '../../shared/pairFunctors.js';
import { describeGpu, openEngine } from '../../support/gpu.js';

// Every sum loses its error, as on a device whose compiler rearranges additions.
let collapse = false;
vi.mock('../../../../functor/src/lower/wgsl/double/doubleLibrary.js', async (original) => {
  const library =
    await original<typeof import('../../../../functor/src/lower/wgsl/double/doubleLibrary.js')>();
  return {
    ...library,
    doubleLibrary: (text: string, fused: boolean) => {
      const whole = library.doubleLibrary(text, fused);
      return collapse ? whole.replaceAll('fma(a, P.one, b)', '0.0 * P.one') : whole;
    },
  };
});

afterEach(() => {
  collapse = false;
});

describeGpu('precision on WebGPU', () => {
  it('is double-single where the device passes the probe', async () => {
    const engine = await openEngine({ precision: 'f64' });
    expect(engine.precisions).toEqual(['f32', 'mixed', 'f64']);
    expect(engine.gpu.reals).toEqual({ state: 'f64', pair: 'f64' });
    await engine.close();
    expect(await probePrecisions()).toEqual({ precisions: ['f32', 'mixed', 'f64'], reason: '' });
  });

  it('knows whether products need halves', async () => {
    const engine = await openEngine();
    const { fused, reason } = await probeDoubles(engine.gpu);
    expect(reason).toBeNull();
    // SwiftShader multiplies and adds one after the other.
    if (/swiftshader/i.test(engine.description)) expect(fused).toBe(false);
    await engine.close();
  });

  it.each(['f64', 'mixed'] as const)(
    'refuses %s with a reason where the probe fails',
    async (precision) => {
      collapse = true;
      const refusal = {
        code: 'BACKEND_UNAVAILABLE',
        message: expect.stringMatching(/compiler makes sums.* inexact.*f32.*cpu/),
      };
      const context = createExecutionContext({ backend: 'webgpu', precision });
      await expect(context).rejects.toMatchObject(refusal);
      const engine = await openEngine();
      const found = await preparePrecision(engine.gpu, precision);
      expect(found).toEqual({ precisions: ['f32'], reason: expect.stringContaining('inexact') });
      await engine.close();
    },
  );

  it.each(['f64', 'mixed'] as const)('meets pairs without lists in %s too', async (precision) => {
    const ctx = await createExecutionContext({ backend: 'webgpu', precision, threads: 1 });
    const grid = filledGrid(ctx.heap, 60);
    const options = { rcut: 2, params: { r0: 1.5, near2: 2.25 }, allPairs: true } as const;
    const decision = explain(coordination, ctx, options);
    expect(decision).toMatchObject({ backend: 'webgpu', form: 'all_pairs' });
    const outputs = { cn: 'total', hard: 'none' } as const;
    const { cn } = await computeCellParticlePairs(grid, coordination, ctx, {
      ...options,
      outputs,
    });
    expect(cn).toBeGreaterThan(0);
    await ctx.close();
  });

  it('is what auto takes for mixed, while f64 stays on the CPU', async () => {
    const mixed = await createExecutionContext({ precision: 'mixed', threads: 1 });
    expect(mixed.backend).toBe('webgpu');
    await mixed.close();
    const doubles = await createExecutionContext({ precision: 'f64', threads: 1 });
    expect(doubles.backend).toBe('cpu');
    expect(doubles.backendReason).toMatch(/53 bits/);
    await doubles.close();
  });
});
