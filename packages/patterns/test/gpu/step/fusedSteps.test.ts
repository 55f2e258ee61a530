import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import {
  computeCellParticles,
  prepareCellParticles,
} from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import type { PreparedCall } from '../../../src/pattern/PreparedCall.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { reduceCellParticles } from '../../../src/pattern/reduceCellParticles.js';
import { prepareNeighborLists, updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import type { NeighborUpdate } from '../../../src/plan/calls.js';
import { drift, forceNorms } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { lean, push, real, repel, velocity } from '../../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const EDGE = 8;
const RCUT = 1.5;
const SKIN = 0.5;
const STEPS = 48;

/** Clears the whole block of forces: pairs then overwrite it. */
const clear = cellFunctor({ name: 'clear', fields: { ...real, ep: 'real' } }, (i) => {
  i.fx = 0;
  i.fy = 0;
  i.fz = 0;
  i.ep = 0;
});

/** What happens between two steps. */
const DISTURBANCES = [
  'the host writes velocities',
  'the host writes forces',
  'the host moves particles',
  'the host looks',
  'a total is asked for',
  'what is recorded is submitted',
  'another call',
  'another box',
  'another field',
  'a turn of the event loop',
] as const;
type Disturbance = (typeof DISTURBANCES)[number];

/** Before which step. */
interface Event {
  readonly step: number;
  readonly what: Disturbance;
}

const events = fc.array(
  fc.record({
    step: fc.integer({ min: 6, max: STEPS - 1 }),
    what: fc.constantFrom(...DISTURBANCES),
  }),
  { maxLength: 8 },
);

describeGpu('fused steps', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  function start(): Grid {
    const next = sequence(5);
    const places = Array.from(
      { length: 200 },
      () => [EDGE * next(), EDGE * next(), EDGE * next()] as const,
    );
    const grid = gridOf(ctx.heap, Domain.orthorhombic([EDGE, EDGE, EDGE]), places);
    for (const name of Object.keys(velocity))
      grid.setValues(
        name,
        places.map(() => next() - 0.5),
      );
    return grid;
  }

  async function look(grid: Grid): Promise<number[][]> {
    await newestOnHost(grid, ctx);
    const names = ['rx', 'ry', 'rz', ...Object.keys(velocity), ...Object.keys(real)];
    const rows = [...grid.rowsById()];
    return names.map((name) => rows.map((row) => grid.values(name)[row]!));
  }

  async function disturb(grid: Grid, { what }: Event, seen: unknown[]): Promise<void> {
    const fill = (name: string, value: number) =>
      grid.setValues(name, new Array<number>(grid.count).fill(value));
    if (what === 'the host writes velocities') fill('vy', 0.25);
    else if (what === 'the host writes forces') fill('fx', -0.5);
    else if (what === 'the host looks') seen.push(await look(grid));
    else if (what === 'what is recorded is submitted') engineOf(ctx).gpu.stream.flush();
    else if (what === 'another call') computeCellParticles(grid, lean, ctx, {});
    else if (what === 'another box') {
      grid.domain = Domain.orthorhombic([1.001 * grid.domain.matrix[0]!, EDGE, EDGE]);
    } else if (what === 'another field')
      grid.addBlock({ name: `other${seen.push('field')}`, type: 'f64', width: 1, members: [] });
    else if (what === 'a turn of the event loop')
      await new Promise((resolve) => setImmediate(resolve));
    else if (what === 'a total is asked for')
      seen.push(reduceCellParticles(grid, forceNorms, {}, ctx));
    else {
      await newestOnHost(grid, ctx, ['rx']);
      grid.setValues(
        'rx',
        grid.values('rx').map((x) => x + 0.01),
      );
    }
  }

  /** @param order the update of the lists may come anywhere in a step. */
  async function run(happens: readonly Event[], mode: 'fused' | 'one by one', order = 2) {
    const grid = start();
    const seen: unknown[] = [];
    const { speculation } = engineOf(ctx);
    const before = speculation.fusedSteps;
    const found: NeighborUpdate[] = [];
    const others: PreparedCall<object, unknown>[] = [
      prepareCellParticles(grid, push, ctx, { params: { dt: 0.002 } }),
      prepareCellParticles(grid, drift, ctx, { params: { dt: 0.004 } }),
      prepareCellParticles(grid, clear, ctx),
      prepareCellParticlePairs(grid, repel, ctx, {
        rcut: RCUT,
        params: { strength: 0.5 },
        outputs: { fx: 'particles', fy: 'particles', fz: 'particles' },
      }),
      prepareCellParticles(grid, push, ctx, { params: { dt: 0.002 } }),
    ];
    const lists = prepareNeighborLists(grid, ctx, {
      rcut: RCUT,
      skin: SKIN,
      ahead: true,
      onUpdate: (update) => found.push(update),
    });
    const calls = [...others.slice(0, order), lists, ...others.slice(order)];
    const fused = prepareStep(ctx, calls);
    await updateNeighbors(grid, ctx, { rcut: RCUT, skin: SKIN });
    for (let step = 0; step < STEPS; step++) {
      for (const event of happens) if (event.step === step) await disturb(grid, event, seen);
      if (mode === 'fused') await fused.run();
      else for (const call of calls) call.run();
      if (!engineOf(ctx).idle) await engineOf(ctx).started();
    }
    const end = await look(grid);
    const steps = speculation.fusedSteps - before;
    return { end, seen: await Promise.all(seen), found, steps };
  }

  it.each(runs([0, 2], [1, 4, 5]))(
    'give the same bits, with lists updated after %i calls',
    async (order) => {
      const together = await run([], 'fused', order);
      const apart = await run([], 'one by one', order);
      expect(apart.steps).toBe(0);
      expect(together.steps).toBeGreaterThan(STEPS / 2);
      expect(together.end).toEqual(apart.end);
      expect(together.found).toEqual(apart.found);
      expect(together.found).toHaveLength(STEPS);
    },
  );

  itOnce(
    'are seen by a host that looks now and again one step later',
    async () => {
      const what = 'the host looks';
      const happens: Event[] = [
        { step: 30, what },
        { step: 31, what },
      ];
      const together = await run(happens, 'fused');
      const apart = await run(happens, 'one by one');
      expect(together.seen).toEqual(apart.seen);
    },
    120_000,
  );

  it('are made call by call as soon as anything else happens', async () => {
    const property = fc.asyncProperty(events, async (happens) => {
      const together = await run(happens, 'fused');
      const apart = await run(happens, 'one by one');
      expect(together.seen).toEqual(apart.seen);
      expect(together.end).toEqual(apart.end);
      expect(together.found).toEqual(apart.found);
    });
    await fc.assert(property, { numRuns: runs(3, 20) });
  }, 300_000);
});
