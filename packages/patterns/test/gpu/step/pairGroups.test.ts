import { Domain, type Grid } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import type { PreparedCall } from '../../../src/pattern/PreparedCall.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { prepareNeighborLists, updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { drift } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { clear, lean, push, real, repel, velocity } from '../../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const repelByTable = pairFunctor(
  { name: 'repel_by_table', central: real, params: { strength: 'real[]' } },
  (i, _j, d, p) => {
    const u = p.strength[d.r2 < 1 ? 1 : 0] * (2.25 - d.r2);
    i.fx += u * d.x;
    i.fy += u * d.y;
    i.fz += u * d.z;
  },
);

/** Reads velocities of neighbors, which cell functors after it change. */
const rub = pairFunctor(
  { name: 'rub', central: { ...real, vx: 'real' }, neighbor: { vx: 'real' } },
  (i, j, d) => {
    i.fx -= (2.25 - d.r2) * (i.vx - j.vx);
    i.fy += d.y;
  },
);

const RCUT = 1.5;

type Mode = 'fused' | 'one by one';

interface Walk {
  readonly steps: number;
  readonly mode: Mode;
  /** The forces of a step. */
  readonly pairs: (grid: Grid) => Call;
  /** Done after the forces of each step. */
  readonly after?: (grid: Grid) => Call;
  /** Done between the two halves of a kick. */
  readonly between?: (grid: Grid) => Call;
  /** What the host does after each step. */
  readonly host?: (grid: Grid, step: number) => unknown;
}

type Call = PreparedCall<object, unknown>;

describeGpu('cell calls after a pair call in a step', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  async function start(box: Domain): Promise<Grid> {
    const next = sequence(3);
    const places = Array.from({ length: 400 }, () => [9 * next(), 9 * next(), 9 * next()] as const);
    const grid = gridOf(ctx.heap, box, places);
    for (const name of Object.keys(velocity))
      grid.setValues(
        name,
        places.map(() => next() - 0.5),
      );
    await updateNeighbors(grid, ctx, { rcut: RCUT, skin: 0.4 });
    return grid;
  }

  /** Positions and velocities by particle after some steps, and how many kernels these needed. */
  async function walk({ steps, mode, pairs, after, between, host }: Walk, box = cube) {
    const grid = await start(box);
    const { counters } = engineOf(ctx).gpu;
    const calls: Call[] = [
      prepareCellParticles(grid, push, ctx, { params: { dt: 0.002 } }),
      ...(between ? [between(grid)] : []),
      prepareCellParticles(grid, drift, ctx, { params: { dt: 0.004 } }),
      prepareNeighborLists(grid, ctx, { rcut: RCUT, skin: 0.4, ahead: true }),
      prepareCellParticles(grid, clear, ctx),
      pairs(grid),
      ...(after ? [after(grid)] : []),
      prepareCellParticles(grid, push, ctx, { params: { dt: 0.002 } }),
    ];
    const step = prepareStep(ctx, calls);
    const before = counters.dispatches;
    for (let k = 0; k < steps; k++) {
      if (mode === 'fused') await step.run();
      else for (const call of calls) call.run();
      await host?.(grid, k);
      if (!engineOf(ctx).idle) await engineOf(ctx).started();
    }
    await engineOf(ctx).finished();
    const kernels = counters.dispatches - before;
    await newestOnHost(grid, ctx);
    const rows = [...grid.rowsById()];
    const names = ['rx', 'ry', 'rz', ...Object.keys(velocity), ...Object.keys(real)];
    const values = names.map((name) => rows.map((row) => grid.values(name)[row]!));
    return { values, kernels };
  }

  const cube = Domain.orthorhombic([9, 9, 9]);
  const forces = { fx: 'particles', fy: 'particles', fz: 'particles' } as const;
  const repulsion = (grid: Grid): Call =>
    prepareCellParticlePairs(grid, repel, ctx, {
      rcut: RCUT,
      params: { strength: 0.5 },
      outputs: forces,
    });
  const byTable = (grid: Grid): Call =>
    prepareCellParticlePairs(grid, repelByTable, ctx, {
      rcut: RCUT,
      params: { strength: [0.5, 0.7] },
      outputs: forces,
    });
  const leaning = (grid: Grid): Call => prepareCellParticles(grid, lean, ctx);

  const steps: readonly [string, Domain, Pick<Walk, 'pairs' | 'after' | 'between'>][] = [
    ['in a cube', cube, { pairs: repulsion }],
    ['in a skewed box', Domain.triclinic([9, 0, 0, 2, 9, 0, -1, 2, 9]), { pairs: repulsion }],
    [
      'with open axes',
      Domain.orthorhombic([9, 9, 9], { periodic: [false, true, false] }),
      { pairs: repulsion },
    ],
    ['with tables', cube, { pairs: byTable }],
    ['that look at positions', cube, { pairs: repulsion, between: leaning }],
    ['of which some stay in their step', cube, { pairs: repulsion, after: leaning }],
  ];
  // binning.test.ts has other boxes.
  const boxes = /skewed|open/;
  const [others, short] = [true, false].map((is) =>
    steps.filter(([name]) => boxes.test(name) === is),
  );
  it.each(runs(short!, others!))(
    'are part of its kernel, to the same bits, %s',
    async (_, box, calls) => {
      const together = await walk({ steps: 40, mode: 'fused', ...calls }, box);
      const apart = await walk({ steps: 40, mode: 'one by one', ...calls }, box);
      expect(together.values).toEqual(apart.values);
      expect(together.kernels).toBeLessThan(apart.kernels - 85);
    },
  );

  itOnce('are part of each kernel where lists are split', async () => {
    const { builder } = engineOf(ctx).neighbors;
    const { mostBytes } = builder;
    const whole = await walk({ steps: 40, mode: 'fused', pairs: repulsion });
    builder.mostBytes = 2 ** 15;
    const split = await walk({ steps: 40, mode: 'fused', pairs: repulsion });
    builder.mostBytes = mostBytes;
    expect(split.values).toEqual(whole.values);
    expect(split.kernels).toBeGreaterThan(whole.kernels + 35);
  });

  itOnce('stay apart where they change what others still read of neighbors', async () => {
    const pairs = (grid: Grid): Call =>
      prepareCellParticlePairs(grid, rub, ctx, {
        rcut: RCUT,
        outputs: { fx: 'particles', fy: 'particles', vx: 'none' },
      });
    const together = await walk({ steps: 30, mode: 'fused', pairs });
    const apart = await walk({ steps: 30, mode: 'one by one', pairs });
    expect(together.values).toEqual(apart.values);
  });

  itOnce('see what the host writes in between, and leave what the host reads', async () => {
    const host = async (grid: Grid, step: number): Promise<void> => {
      if (step % 7 !== 6) return;
      await newestOnHost(grid, ctx, ['rx', 'vx']);
      grid.setValues(
        'vx',
        grid.values('vx').map((v) => 0.9 * v),
      );
      if (step % 2 === 0)
        grid.setValues(
          'rx',
          grid.values('rx').map((x) => x + 0.01),
        );
    };
    const together = await walk({ steps: 40, mode: 'fused', pairs: repulsion, host });
    const apart = await walk({ steps: 40, mode: 'one by one', pairs: repulsion, host });
    expect(together.values).toEqual(apart.values);
    expect(together.kernels).toBeLessThan(apart.kernels);
  });
});
