import { fileURLToPath } from 'node:url';
import { Domain } from '@corpuscle/core';
import { lennardJones, lennardJonesParameters } from '@corpuscle/operators';
import {
  computeCellParticlePairs,
  computeCellParticles,
  createExecutionContext,
  reduceCellParticles,
  registerEngine,
  updateNeighbors,
} from '@corpuscle/patterns';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import * as functors from '../../patterns/test/shared/functors.js';
import { gridOf } from '../../patterns/test/shared/grids.js';
import { filledGrid, sequence } from '../../patterns/test/shared/oracle.js';
import * as pairFunctors from '../../patterns/test/shared/pairFunctors.js';
import { WebglEngine } from '../src/WebglEngine.js';
import { noChromium, runInChromium } from './support/headlessChromium.js';
import { type RecordedCall, recordingStore } from './support/recordCalls.js';

/** Calls of all three patterns, run by gpu.js in software; that they are right is tested in patterns.test.ts. */
async function recordCalls(): Promise<RecordedCall[]> {
  const { kernels, gpu, calls } = recordingStore();
  registerEngine({
    name: 'webgl',
    defaultPrecision: 'f32',
    open: async ({ host }) => new WebglEngine({ gpu, mode: 'webasm' }, host, kernels),
  });
  await using ctx = await createExecutionContext({ backend: 'webgl', threads: 1 });
  const particles = filledGrid(ctx.heap, 500, 7);
  await computeCellParticles(particles, functors.kickDrift, ctx, { params: { dt: 0.005 } });
  await computeCellParticles(particles, functors.branches, ctx, {
    params: { limit: 0.5, table: [1, 2, 3], steps: 3 },
  });
  await computeCellParticles(particles, functors.transcendental, ctx, { params: { k: 0.75 } });
  await reduceCellParticles(particles, functors.forceNorms, {}, ctx);
  await reduceCellParticles(particles, functors.someOfThem, {}, ctx, {
    params: { wanted: 1, weight: 0.5 },
  });
  const next = sequence(3);
  const domain = Domain.triclinic([9, 0, 0, 3.5, 8, 0, -2.5, 3, 7.5]);
  const sites = Array.from({ length: 216 }, (_, k) =>
    domain.toCartesian(
      ((k % 6) + 0.2 * next()) / 6,
      ((Math.floor(k / 6) % 6) + 0.2 * next()) / 6,
      (Math.floor(k / 36) + 0.2 * next()) / 6,
    ),
  );
  const liquid = gridOf(ctx.heap, domain, sites);
  await updateNeighbors(liquid, ctx, { rcut: 2.5, skin: 0.3 });
  const params = lennardJonesParameters({ epsilon: [1], sigma: [1.1], rcut: [2.5] }, 'force');
  const outputs = {
    vxx: 'total',
    vyy: 'total',
    vzz: 'total',
    vxy: 'total',
    vxz: 'total',
    vyz: 'total',
  } as const;
  await computeCellParticlePairs(liquid, lennardJones, ctx, { rcut: 2.5, params, outputs });
  await computeCellParticlePairs(liquid, pairFunctors.morse, ctx, {
    rcut: 2.5,
    params: { depth: 1.5, width: 1.2, r0: 1.3 },
    outputs: { ep: 'total' },
  });
  return calls;
}

async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('./browser/replay.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}

const chromium = noChromium === null || process.env.CI === 'true' ? describe : describe.skip;

chromium('WebGL 2 in headless Chromium', () => {
  it('gives what gpu.js gives in software, for kernels of all three patterns', async () => {
    const calls = await recordCalls();
    expect(calls.length).toBeGreaterThan(6);
    const answers = (await runInChromium(await bundle(), calls)) as number[][][];
    answers.forEach((values, k) => {
      const { results, count, source } = calls[k]!;
      // GLSL ES leaves the precision of sin and cos open; f32 rounds by 6e-8, forces are steep.
      const tolerance = /Math\.(sin|cos)/.test(source.text) ? 3e-4 : 1e-5;
      expect(values).toHaveLength(count);
      for (let component = 0; component < 4; component++) {
        const expected = results.map((four) => four[component]!);
        const scale = Math.max(...expected.map(Math.abs), 1e-6);
        const error = Math.max(
          ...values.map((four, row) => Math.abs(four[component]! - expected[row]!)),
        );
        expect(error / scale, `call ${k}, component ${component}`).toBeLessThan(tolerance);
      }
    });
  }, 90_000);
});
