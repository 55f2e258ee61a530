import { Domain, type Grid, imageFlags } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { itLong, itOnce, runs } from '../../../../../test/support/runs.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import {
  type KernelSource,
  MOST_PARAM_BYTES,
  mayBeOne,
} from '../../../src/gpu/device/GpuKernel.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import type { PreparedCall } from '../../../src/pattern/PreparedCall.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { prepareNeighborLists, updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import type { NeighborUpdate } from '../../../src/plan/calls.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { clear, push, real, repel, velocity } from '../../shared/step.js';
import { closedBehindTests, describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const RCUT = 1.5;
const EDGE = 9;

const BOXES = {
  'a cube': Domain.orthorhombic([EDGE, EDGE, EDGE]),
  'a skewed box': Domain.triclinic([EDGE, 0, 0, 2, EDGE, 0, -1, 2, EDGE]),
  'a box with open axes': Domain.orthorhombic([EDGE, EDGE, EDGE], {
    periodic: [false, true, false],
  }),
} as const;
type Box = keyof typeof BOXES;

/** Moves particles by their velocity times a stride that follows a timetable; the charge counts steps. */
const glide = cellFunctor(
  {
    name: 'glide',
    fields: { rx: 'real', ry: 'real', rz: 'real', charge: 'real' },
    read: velocity,
    params: {
      period: 'real',
      each: 'real',
      s0: 'real',
      s1: 'real',
      s2: 'real',
      s3: 'real',
      s4: 'real',
    },
  },
  (i, p) => {
    const k = Math.floor((i.charge - p.period * Math.floor(i.charge / p.period)) / p.each);
    let s = p.s0;
    if (k > 0.5) s = p.s1;
    if (k > 1.5) s = p.s2;
    if (k > 2.5) s = p.s3;
    if (k > 3.5) s = p.s4;
    i.rx += s * i.vx;
    i.ry += s * i.vy;
    i.rz += s * i.vz;
    i.charge += 1;
  },
);

function glideParams({ strides, each = 1, period = each * strides.length }: Walk) {
  const [s0, s1 = 0, s2 = 0, s3 = 0, s4 = 0] = strides;
  return { period, each, s0: s0!, s1, s2, s3, s4 };
}

interface Walk {
  readonly box: Box;
  readonly count: number;
  readonly steps: number;
  readonly skin: number;
  /** How far particles go along each axis in a step, at most: one after the other, each for some steps. */
  readonly strides: readonly number[];
  readonly each?: number;
  readonly period?: number;
  readonly lanes?: 1 | 2 | 4 | 8;
  /** What one buffer of lists may hold. */
  readonly mostBytes?: number;
  /** Whether particles have image flags. */
  readonly images?: boolean;
  /** Done before each step. */
  readonly before?: (grid: Grid, step: number) => unknown;
}

const calm: Walk = { box: 'a cube', count: 300, steps: runs(60, 80), skin: 0.4, strides: [0.02] };

function start(ctx: ExecutionContext, { box, count, images }: Walk): Grid {
  const next = sequence(3);
  const domain = BOXES[box];
  const places = Array.from({ length: count }, () => domain.toCartesian(next(), next(), next()));
  const grid = gridOf(ctx.heap, domain, places);
  for (const name of Object.keys(velocity))
    grid.setValues(
      name,
      places.map(() => 2 * next() - 1),
    );
  if (images) grid.addBlock(imageFlags);
  return grid;
}

/** All rows after some steps, what updates found, and how many sorts began in a kernel of their own and in one that does more. */
async function walk(ctx: ExecutionContext, test: Walk, joined: boolean) {
  const { gpu, speculation, pairs, neighbors } = engineOf(ctx);
  const { mostBytes } = neighbors.builder;
  const { repeats } = speculation;
  pairs.lanes = test.lanes ?? null;
  neighbors.builder.mostBytes = test.mostBytes ?? mostBytes;
  const grid = start(ctx, test);
  const lists = { rcut: RCUT, skin: test.skin };
  await updateNeighbors(grid, ctx, lists);
  const written = vi.spyOn(gpu.stream, 'dispatchWritten');
  const alone = vi.spyOn(gpu.stream, 'dispatch');
  const found: NeighborUpdate[] = [];
  const calls: PreparedCall<object, unknown>[] = [
    prepareCellParticles(grid, clear, ctx),
    prepareCellParticlePairs(grid, repel, ctx, {
      rcut: RCUT,
      params: { strength: 0.5 },
      outputs: { fx: 'particles', fy: 'particles', fz: 'particles' },
    }),
    prepareCellParticles(grid, push, ctx, { params: { dt: 0.002 } }),
    prepareCellParticles(grid, glide, ctx, { params: glideParams(test) }),
    prepareNeighborLists(grid, ctx, {
      ...lists,
      ahead: true,
      onUpdate: (update) => found.push(update),
    }),
  ];
  const prepared = prepareStep(ctx, calls);
  for (let step = 0; step < test.steps; step++) {
    await test.before?.(grid, step);
    if (joined) await prepared.run();
    else for (const call of calls) call.run();
    if (!engineOf(ctx).idle) await engineOf(ctx).started();
  }
  await newestOnHost(grid, ctx);
  const fields = ['id', 'rx', 'ry', 'rz', ...Object.keys(velocity), ...Object.keys(real)];
  const names = grid.hasField('ix') ? [...fields, 'ix', 'iy', 'iz'] : fields;
  const result = {
    rows: names.map((name) => [...grid.values(name)]),
    found,
    repeats: speculation.repeats - repeats,
    joined: written.mock.calls.filter(([{ label }]) => label.endsWith(' + bin')).length,
    alone: alone.mock.calls.filter(([{ label }]) => label === 'sort: bin').length,
  };
  vi.restoreAllMocks();
  neighbors.builder.mostBytes = mostBytes;
  pairs.lanes = null;
  grid.free();
  return result;
}

/** Rows come in the order of the last sort, which must be the same too. */
async function compare(ctx: ExecutionContext, test: Walk) {
  const joined = await walk(ctx, test, true);
  const apart = await walk(ctx, test, false);
  expect(apart.joined).toBe(0);
  expect(joined.rows).toEqual(apart.rows);
  expect(joined.found).toEqual(apart.found);
  return { ...joined, apart };
}

describeGpu('a sort that begins in the kernel of the step before it', () => {
  // One context at a time: it has the device for which the tests before have compiled.
  const opened = closedBehindTests();

  const boxes = Object.keys(BOXES) as Box[];
  it.each(runs(boxes.slice(0, 2), boxes.slice(2)))('gives the same bits in %s', async (box) => {
    const ctx = await opened(gpuContext());
    const { joined, alone, apart } = await compare(ctx, { ...calm, box });
    expect(joined).toBeGreaterThan(3);
    expect(alone).toBeLessThanOrEqual(apart.alone - joined);
  });

  it('is good for lists in several parts, and for any number of threads a particle', async () => {
    const ctx = await opened(gpuContext());
    // Each number of threads with one part and with several.
    for (const [lanes, count, parts] of runs(
      [
        [2, 129, 1],
        [2, 700, 3],
        [8, 3, 1],
      ] as const,
      [
        [1, 129, 1],
        [1, 700, 3],
        [4, 3, 1],
        [4, 700, 3],
        [8, 700, 3],
      ] as const,
    )) {
      const mostBytes = parts === 1 ? 2 ** 27 : 2 ** 15;
      const { joined } = await compare(ctx, { ...calm, lanes, count, mostBytes, steps: 50 });
      expect(joined).toBeGreaterThanOrEqual(2 * parts);
    }
  });

  it('is right if particles cross many cells or the box in a step', async () => {
    const ctx = await opened(gpuContext());
    for (const box of runs(['a skewed box'] as const, ['a cube', 'a skewed box'] as const)) {
      const wild = { strides: [0.7, 30], each: 4, period: 5, images: true };
      const { joined, rows } = await compare(ctx, { ...calm, box, steps: 40, ...wild });
      expect(joined).toBeGreaterThan(10);
      for (const boxes of rows.slice(-3)) expect(Math.max(...boxes)).toBeGreaterThan(3);
    }
  });

  it('is made again where lists were used too long', async () => {
    const ctx = await opened(gpuContext());
    const late = { strides: [0.01, 0.07], each: 31, period: 40, images: true };
    const { joined, repeats } = await compare(ctx, { ...calm, steps: runs(120, 160), ...late });
    expect(repeats).toBeGreaterThan(0);
    expect(joined).toBeGreaterThan(3);
  });

  it('counts boxes in image flags that come later', async () => {
    const ctx = await opened(gpuContext());
    const before = (grid: Grid, step: number): void => {
      if (step === 60) grid.addBlock(imageFlags);
    };
    const { joined, rows } = await compare(ctx, { ...calm, steps: runs(140, 240), before });
    expect(joined).toBeGreaterThan(8);
    for (const boxes of rows.slice(-3)) expect(Math.max(...boxes)).toBeGreaterThan(0);
  });

  itOnce('is made again where lists found no room', async () => {
    const ctx = await opened(gpuContext());
    const before = (grid: Grid, step: number): void => {
      if (step === 60) engineOf(ctx).neighbors.lists(grid)!.capacity = 4;
    };
    const { joined, repeats } = await compare(ctx, { ...calm, steps: 120, before });
    expect(repeats).toBeGreaterThan(0);
    expect(joined).toBeGreaterThan(3);
  });

  itOnce('takes the same steps where runs are deterministic, whatever is read', async () => {
    const same = await opened(createExecutionContext({ backend: 'webgpu', deterministic: true }));
    const unseen = await compare(same, calm);
    const before = async (grid: Grid, step: number): Promise<void> => {
      if (step % 9 === 4) await newestOnHost(grid, same);
    };
    const seen = await walk(same, { ...calm, before }, true);
    expect(seen.rows).toEqual(unseen.rows);
    expect(unseen.joined).toBeGreaterThan(3);
  });

  itOnce('stays apart where a kernel may not have so many buffers', async () => {
    for (const [buffers, joins] of [
      [9, false],
      [10, true],
    ] as const) {
      await using few = await gpuContext();
      const { gpu } = engineOf(few);
      const limits = { ...gpu.limits, maxStorageBuffersPerShaderStage: buffers };
      Object.defineProperty(gpu, 'limits', { value: limits });
      const { joined } = await compare(few, calm);
      expect(joined > 0).toBe(joins);
    }
  });

  itLong(
    'gives the same bits, whatever the particles do',
    async () => {
      const ctx = await opened(gpuContext());
      const tests = fc.record({
        box: fc.constantFrom(...(Object.keys(BOXES) as Box[])),
        count: fc.constantFrom(1, 2, 63, 64, 65, 256, 400),
        lanes: fc.constantFrom(1, 2, 4, 8),
        skin: fc.constantFrom(0.1, 0.3, 0.6),
        mostBytes: fc.constantFrom(2 ** 15, 2 ** 27),
        images: fc.boolean(),
        strides: fc.array(fc.constantFrom(0, 0.003, 0.03, 0.3), { minLength: 1, maxLength: 5 }),
      });
      const property = fc.asyncProperty(tests, async (test) => {
        await compare(ctx, { ...test, steps: 60 });
      });
      await fc.assert(property, { numRuns: 30 });
    },
    300_000,
  );
});

itOnce('a kernel may have as many buffers as the device allows, and a record of parameters', () => {
  const source = (words: number, buffers: number): KernelSource => ({
    label: 'test',
    workgroupSize: 1,
    body: '',
    params: Object.fromEntries(Array.from({ length: words }, (_, k) => [`p${k}`, 'f32'])),
    buffers: Array.from({ length: buffers }, (_, k) => ({
      name: `b${k}`,
      type: 'array<u32>',
      access: 'read',
    })),
  });
  const most = MOST_PARAM_BYTES / 4 - 1;
  expect(mayBeOne(source(most, 8), 8)).toBe(true);
  expect(mayBeOne(source(most + 1, 8), 8)).toBe(false);
  expect(mayBeOne(source(most, 9), 8)).toBe(false);
});
