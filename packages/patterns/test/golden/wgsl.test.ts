import { Domain, type Grid } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { boxStrain } from '../../src/box/boxStrain.js';
import { kernelText } from '../../src/gpu/device/kernelText.js';
import { manySteps } from '../../src/gpu/replicas/manySteps.js';
import { replicaSource } from '../../src/gpu/replicas/replicaSource.js';
import { type KernelList, listKernels } from '../../src/kernels/listKernels.js';
import {
  computeCellParticlePairs,
  prepareCellParticlePairs,
} from '../../src/pattern/computeCellParticlePairs.js';
import {
  computeCellParticles,
  prepareCellParticles,
} from '../../src/pattern/computeCellParticles.js';
import { prepareStep } from '../../src/pattern/prepareStep.js';
import { prepareReduction, reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { prepareNeighborLists, updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import type { Precision } from '../../src/plan/chooseBackend.js';
import { prepareValues } from '../../src/value/prepareValues.js';
import { gridOf } from '../shared/grids.js';
import { sequence } from '../shared/oracle.js';
import { engineOf } from '../support/gpu.js';
import {
  attract,
  clear,
  control,
  crowding,
  drift,
  kick,
  nearest,
  rescale,
  speeds,
  spring,
  zero,
} from './functors.js';

// Kernels are what the engine assembles for real calls, on a device that runs nothing. Changes of their text are to be
// looked at: `vitest run packages/patterns/test/golden -u` writes them anew.

const RCUT = 1.5;
const lists = { rcut: RCUT, skin: 0.5 };
const forces = { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'none' } as const;
const lj = { epsilon: 1, sigma2: 1 };
const cube = Domain.orthorhombic([9, 9, 9]);
const tilted = Domain.triclinic([9, 0, 0, 2, 9, 0, 1, 1, 9]);

interface Setting {
  readonly domain?: Domain;
  readonly precision?: Precision;
}

/** Does something with a grid of 400 particles. @returns the kernels that it needed. */
async function kernelsOf(
  work: (grid: Grid, context: KernelList['context']) => unknown,
  { domain = cube, precision = 'f32' }: Setting = {},
): Promise<Map<string, string>> {
  const { context, ...list } = await kernelList(precision);
  const next = sequence(3);
  const places = Array.from({ length: 400 }, () => [9 * next(), 9 * next(), 9 * next()] as const);
  const grid = gridOf(context.heap, domain, places);
  grid.setValues(
    'vx',
    places.map(() => next()),
  );
  grid.setValues(
    'fx',
    places.map(() => next()),
  );
  grid.setValues(
    'ep',
    places.map(() => next()),
  );
  await work(grid, context);
  await context.close();
  return new Map(list.kernels().map(({ label, text }) => [label, text]));
}

async function kernelList(precision: Precision) {
  const list = await listKernels({ target: 'wgsl', precision });
  return { context: list.context, kernels: () => list.kernels };
}

const golden = (text: string | undefined, name: string) =>
  expect(text).toMatchFileSnapshot(`./wgsl/${name}.wgsl`);

describe('the WGSL of', () => {
  it('sort and search', async () => {
    const search = (shareUpTo: number) => (grid: Grid, ctx: KernelList['context']) => {
      engineOf(ctx).neighbors.builder.shareUpTo = shareUpTo;
      return updateNeighbors(grid, ctx, lists);
    };
    const update = search(0);
    const found = await kernelsOf(update);
    expect([...found.keys()]).toEqual(['sort: bin', 'sort: permute', 'neighbors: build lists']);
    await golden(found.get('sort: bin'), 'sort.bin');
    await golden(found.get('sort: permute'), 'sort.permute');
    await golden(found.get('neighbors: build lists'), 'search.orthorhombic');
    const skew = await kernelsOf(update, { domain: tilted });
    await golden(skew.get('neighbors: build lists'), 'search.triclinic');
    const shared = await kernelsOf(search(Infinity));
    await golden(shared.get('neighbors: build lists'), 'search.shared');
    const double = await kernelsOf(update, { precision: 'f64' });
    await golden(double.get('sort: bin'), 'sort.bin.double');
  });

  it('pairs', async () => {
    const call =
      (form: 'bufferless' | 'buffered', outputs: typeof forces | object = forces) =>
      async (grid: Grid, ctx: KernelList['context']) => {
        await updateNeighbors(grid, ctx, lists);
        computeCellParticlePairs(grid, attract, ctx, { rcut: RCUT, params: lj, form, outputs });
      };
    await golden((await kernelsOf(call('bufferless'))).get('attract'), 'pair.bufferless');
    await golden((await kernelsOf(call('buffered'))).get('attract'), 'pair.buffered');
    const totals = await kernelsOf(call('bufferless', { ...forces, ep: 'both' }));
    await golden(totals.get('attract'), 'pair.total');
    await golden(totals.get('attract: combine'), 'reduce.total');
    const skew = await kernelsOf(call('bufferless'), { domain: tilted });
    await golden(skew.get('attract'), 'pair.triclinic');
    for (const precision of ['f64', 'mixed'] as const) {
      const double = await kernelsOf(call('bufferless'), { precision });
      await golden(double.get('attract'), `pair.${precision}`);
    }
  });

  it('pairs with tables, and with outputs that are no sums', async () => {
    const found = await kernelsOf(async (grid, ctx) => {
      await updateNeighbors(grid, ctx, lists);
      const params = { strength: [1, 2] };
      computeCellParticlePairs(grid, spring, ctx, { rcut: RCUT, params });
      computeCellParticlePairs(grid, nearest, ctx, { rcut: RCUT });
    });
    await golden(found.get('spring'), 'pair.table');
    await golden(found.get('nearest'), 'pair.general');
  });

  it('all pairs without lists, in tiles and in a sweep', async () => {
    const all = { rcut: RCUT, params: lj, allPairs: true } as const;
    const tiles = await kernelsOf((grid, ctx) => {
      computeCellParticlePairs(grid, attract, ctx, { ...all, outputs: { ...forces, ep: 'both' } });
    });
    await golden(tiles.get('all pairs: pack'), 'pair.all.pack');
    await golden(tiles.get('attract'), 'pair.all');
    await golden(tiles.get('attract: sums'), 'reduce.all');
    const sweep = await kernelsOf((grid, ctx) => {
      const into = ctx.value({ ep: 0 });
      const outputs = { ...forces, ep: 'both' } as const;
      prepareCellParticlePairs(grid, attract, ctx, { ...all, outputs, into }).run();
    });
    await golden(sweep.get('attract'), 'pair.sweep');
  });

  it('pairs in a box that values strain, with shears and without', async () => {
    for (const form of ['stretched', 'sheared'] as const) {
      const found = await kernelsOf(async (grid, ctx) => {
        await updateNeighbors(grid, ctx, lists);
        boxStrain(grid, ctx, 'engine', form);
        computeCellParticlePairs(grid, attract, ctx, { rcut: RCUT, params: lj, outputs: forces });
      });
      await golden(found.get('attract'), `pair.${form}`);
    }
  });

  it('sort, search and pairs of particles that one binding cannot hold', async () => {
    const found = await kernelsOf(async (grid, ctx) => {
      const { gpu, neighbors } = engineOf(ctx);
      gpu.segmentBytes = 4096;
      neighbors.builder.shareUpTo = 0; // as for large systems
      await updateNeighbors(grid, ctx, lists);
      computeCellParticlePairs(grid, attract, ctx, { rcut: RCUT, params: lj, outputs: forces });
    });
    await golden(found.get('sort: bin'), 'sort.bin.segments');
    await golden(found.get('sort: permute'), 'sort.permute.segments');
    await golden(found.get('neighbors: build lists'), 'search.segments');
    await golden(found.get('attract'), 'pair.segments');
  });

  it('cells and reductions', async () => {
    const found = await kernelsOf(async (grid, ctx) => {
      computeCellParticles(grid, kick, ctx, { params: { halfDt: 0.1 } });
      await reduceCellParticles(grid, speeds, {}, ctx);
    });
    await golden(found.get('kick'), 'cell');
    await golden(found.get('speeds'), 'reduce');
    await golden(found.get('speeds: combine'), 'reduce.combine');
  });

  it('a sort of more blocks than a kernel may bind', async () => {
    const found = await kernelsOf(async (grid, ctx) => {
      for (let k = 0; k < 8; k++)
        grid.addBlock({ name: `more${k}`, type: 'f64', width: 1, members: [`more${k}`] });
      await updateNeighbors(grid, ctx, lists);
    });
    await golden(found.get('sort: permute'), 'sort.permute.notes');
    await golden(found.get('sort: permute more'), 'sort.permute.more');
  });

  it('steps that are fused', async () => {
    const found = await kernelsOf((grid, ctx) => {
      engineOf(ctx).neighbors.builder.inPlace.upTo = 0;
      return steps(grid, ctx, 'kick drift lists clear pairs kick', 400);
    });
    expect([...found.keys()].filter((label) => label.includes('+'))).toEqual([
      'kick + drift + displacement',
      'attract + kick + kick + drift + displacement',
      'attract + kick + kick + drift + displacement, many steps',
      'attract + kick + kick + drift + displacement + bin',
    ]);
    await golden(found.get('kick + drift + displacement'), 'fusion.cells.displacement');
    const whole = 'attract + kick + kick + drift + displacement';
    await golden(found.get(whole), 'fusion.displacement');
    await golden(found.get(`${whole} + bin`), 'fusion.bin');
    await golden(found.get(`${whole}, many steps`), 'fusion.many_steps');
    await golden(found.get('resident: probe'), 'resident.probe');
    await golden(found.get('neighbors: fast pairs'), 'search.fast');
  });

  it('steps of few particles, whose lists are built in place', async () => {
    const found = await kernelsOf((grid, ctx) =>
      steps(grid, ctx, 'kick drift lists clear pairs kick', 400),
    );
    await golden(found.get('neighbors: build lists in place'), 'search.in_place');
    const whole = 'attract + kick + kick + drift + displacement, many steps';
    await golden(found.get(whole), 'fusion.many_steps.in_place');
  });

  it('steps of many replicas, with a sum', async () => {
    let text = '';
    await kernelsOf(async (grid, ctx) => {
      await steps(grid, ctx, 'kick drift lists clear pairs kick sum control rescale', 400);
      const { gpu } = engineOf(ctx);
      const kernels = gpu.kernelsSince(0);
      const build = kernels.find((kernel) => kernel.build)!;
      const [twin] = kernels.flatMap(({ twins }) => twins ?? []);
      text = kernelText(replicaSource(manySteps(twin!, build), 64));
    });
    await golden(text, 'replicas.many_steps');
  });

  it('steps with a sum, a value of it and what takes that', async () => {
    const found = await kernelsOf((grid, ctx) =>
      steps(grid, ctx, 'kick drift lists clear pairs kick sum control rescale', 400),
    );
    const many = [...found.keys()].filter((label) => label.endsWith('many steps'));
    expect(many).toHaveLength(1);
    await golden(found.get(many[0]!), 'fusion.many_steps.values');
    await golden(found.get('attract + kick + speeds'), 'fusion.sums');
    await golden(found.get('combine + control'), 'fusion.combine');
  });

  it('steps with a sweep over all pairs in the kernel of listed ones', async () => {
    const found = await kernelsOf((grid, ctx) => {
      grid.addBlock({ name: 'near', type: 'f64', width: 1, members: ['near'] });
      return steps(grid, ctx, 'kick drift lists clear pairs zero sweep kick', 20);
    });
    await golden(found.get('attract + zero + crowding'), 'fusion.sweep');
  });

  it('steps without an update of the lists', async () => {
    const kicked = await kernelsOf((grid, ctx) => steps(grid, ctx, 'clear pairs kick', 20));
    await golden(kicked.get('attract + kick'), 'fusion.kick');
    const moved = await kernelsOf((grid, ctx) => steps(grid, ctx, 'clear pairs kick drift', 20));
    await golden(moved.get('attract + kick + drift'), 'fusion.drift');
    const cells = await kernelsOf((grid, ctx) => steps(grid, ctx, 'kick drift', 20));
    await golden(cells.get('kick + drift'), 'fusion.cells');
  });
});

/** Makes steps of the named calls. */
async function steps(grid: Grid, ctx: KernelList['context'], names: string, count: number) {
  const half = { params: { halfDt: 0.1 } };
  const sums = ctx.value({ energy: 0, fastest: 0 });
  const state = ctx.value({ scale: 1 });
  const prepared = {
    sum: () => prepareReduction(grid, speeds, {}, ctx, { into: sums }),
    control: () =>
      prepareValues(control, ctx, {
        values: { energy: sums.of('energy'), scale: state.of('scale') },
        params: { target: 100 },
      }),
    rescale: () =>
      prepareCellParticles(grid, rescale, ctx, { params: { scale: state.of('scale') } }),
    kick: () => prepareCellParticles(grid, kick, ctx, half),
    drift: () => prepareCellParticles(grid, drift, ctx, { params: { dt: 0.1 } }),
    clear: () => prepareCellParticles(grid, clear, ctx),
    zero: () => prepareCellParticles(grid, zero, ctx),
    sweep: () =>
      prepareCellParticlePairs(grid, crowding, ctx, {
        rcut: RCUT,
        outputs: { near: 'both' },
        allPairs: true,
        into: ctx.value({ near: 0 }),
      }),
    lists: () => prepareNeighborLists(grid, ctx, { ...lists, ahead: true }),
    pairs: () =>
      prepareCellParticlePairs(grid, attract, ctx, { rcut: RCUT, params: lj, outputs: forces }),
  };
  const calls = names.split(' ').map((name) => prepared[name as keyof typeof prepared]());
  await updateNeighbors(grid, ctx, { ...lists, ahead: true });
  const step = prepareStep(ctx, calls);
  for (let k = 0; k < count; k++) await step.run();
  await ctx.device!.finished();
}
