import { Domain, type Grid } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { assembleWat } from '../../../../test/support/assembleWat.js';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import type { CpuEngine } from '../../src/cpu/CpuEngine.js';
import type { Kernel } from '../../src/cpu/Kernel.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import type { Precision } from '../../src/plan/chooseBackend.js';
import { gridOf } from '../shared/grids.js';
import { sequence } from '../shared/oracle.js';
import { attract, kick, nearest, share, speeds, spring } from './functors.js';

// What the CPU engine assembles for real calls. Changes are to be looked at: `vitest run packages/patterns/test/golden -u`
// writes the files anew.

const RCUT = 1.5;
const lj = { epsilon: 1, sigma2: 1 };
const forces = { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'none' } as const;

/** Does something with a grid of 400 particles on one thread. @returns the kernels that it needed. */
async function kernelsOf(
  work: (grid: Grid, ctx: ExecutionContext) => unknown,
  precision: Precision = 'f64',
  lowering: 'simd' | 'scalar' = 'simd',
): Promise<Map<string, Kernel>> {
  const ctx = await createExecutionContext({
    backend: 'cpu',
    threads: 1,
    precision,
    lowering,
    deterministic: true,
  });
  const found = new Map<string, Kernel>();
  (ctx.engines.host as CpuEngine).pool.onKernel((kernel) => found.set(kernel.label, kernel));
  const next = sequence(3);
  const places = Array.from({ length: 400 }, () => [9 * next(), 9 * next(), 9 * next()] as const);
  const grid = gridOf(ctx.heap, Domain.orthorhombic([9, 9, 9]), places);
  await updateNeighbors(grid, ctx, { rcut: RCUT, skin: 0.5 });
  await work(grid, ctx);
  await ctx.close();
  return found;
}

/** Kernels whose form for 64-bit addresses is in a file, too. */
const hasWideFile = new Set(['pair.bufferless', 'cell']);

/** The text is that of the file, and assembles to the bytes that run. */
async function golden(kernel: Kernel | undefined, name: string): Promise<void> {
  if (kernel?.code.kind !== 'wasm') throw new Error(`there is no kernel for ${name}`);
  const { bytes, text } = kernel.code;
  await expect(text!('i32')).toMatchFileSnapshot(`./wat/${name}.wat`);
  for (const addresses of ['i32', 'i64'] as const)
    expect(Buffer.compare(await assembleWat(text!(addresses)), bytes(addresses))).toBe(0);
  if (hasWideFile.has(name)) await expect(text!('i64')).toMatchFileSnapshot(`./wat/${name}.64.wat`);
}

describe('the WebAssembly of', () => {
  it('sort and search', async () => {
    const found = await kernelsOf(async (grid, ctx) => {
      await updateNeighbors(grid, ctx, { rcut: RCUT, skin: 0.5 });
      computeCellParticlePairs(grid, attract, ctx, { rcut: RCUT, params: lj, outputs: forces });
      computeCellParticlePairs(grid, nearest, ctx, { rcut: RCUT });
    });
    for (const [label, name] of [
      ['neighbors.bin', 'sort.bin'],
      ['neighbors.countingSort', 'sort.count'],
      ['neighbors.permute', 'sort.permute'],
      ['neighbors.coordinates', 'sort.coordinates'],
      ['neighbors.displacement', 'displacement'],
      ['neighbors.search.half', 'search.half'],
      ['neighbors.search.full', 'search.full'],
    ] as const)
      await golden(found.get(label), name);
  });

  it('pairs', async () => {
    const call = (form: 'bufferless' | 'buffered') => (grid: Grid, ctx: ExecutionContext) =>
      computeCellParticlePairs(grid, attract, ctx, {
        rcut: RCUT,
        params: lj,
        form,
        outputs: forces,
      });
    await golden((await kernelsOf(call('bufferless'))).get('attract'), 'pair.bufferless');
    await golden((await kernelsOf(call('buffered'))).get('attract'), 'pair.buffered');
    await golden((await kernelsOf(call('bufferless'), 'mixed')).get('attract'), 'pair.mixed');
    await golden(
      (await kernelsOf(call('bufferless'), 'f64', 'scalar')).get('attract'),
      'pair.scalar',
    );
  });

  it('pairs with tables, with outputs that are no sums, of whole neighborhoods, and without lists', async () => {
    const found = await kernelsOf((grid, ctx) => {
      computeCellParticlePairs(grid, spring, ctx, { rcut: RCUT, params: { strength: [1, 2] } });
      computeCellParticlePairs(grid, nearest, ctx, { rcut: RCUT });
      computeCellParticlePairs(grid, share, ctx, { rcut: RCUT });
    });
    await golden(found.get('spring'), 'pair.table');
    await golden(found.get('nearest'), 'pair.general');
    await golden(found.get('share'), 'neighborhood');
    const all = await kernelsOf((grid, ctx) =>
      computeCellParticlePairs(grid, attract, ctx, { rcut: RCUT, params: lj, allPairs: true }),
    );
    await golden(all.get('attract'), 'pair.all');
  });

  it('cells and reductions', async () => {
    const found = await kernelsOf(async (grid, ctx) => {
      computeCellParticles(grid, kick, ctx, { params: { halfDt: 0.1 } });
      await reduceCellParticles(grid, speeds, {}, ctx);
    });
    await golden(found.get('kick'), 'cell');
    await golden(found.get('speeds'), 'reduce');
    const mixed = await kernelsOf(
      (grid, ctx) => computeCellParticlePairs(grid, attract, ctx, { rcut: RCUT, params: lj }),
      'mixed',
    );
    const sums = [...mixed.keys()].find((label) => label.startsWith('pair.reduce'));
    await golden(mixed.get(sums!), 'reduce.buffers');
    await golden(mixed.get('pair.fixedPoint'), 'pair.positions');
  });
});
