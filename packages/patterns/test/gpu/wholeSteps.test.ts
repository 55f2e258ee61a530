import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../test/support/runs.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbours } from '../../src/pattern/updateNeighbours.js';
import { drift, forceNorms } from '../shared/functors.js';
import { gridOf } from '../shared/grids.js';
import { sequence } from '../shared/oracle.js';
import { lean, push, real, repel, velocity } from '../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../support/gpu.js';

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

/** What somebody does between two calls of a step. */
const DISTURBANCES = [
  'the host writes velocities',
  'the host writes forces',
  'the host moves particles',
  'the host looks',
  'a total is asked for',
  'what is recorded is submitted',
  'another call',
  'another parameter',
  'another box',
  'another field',
  'a turn of the event loop',
] as const;
type Disturbance = (typeof DISTURBANCES)[number];

/** Between which calls of which step. */
interface Event {
  readonly step: number;
  readonly place: number;
  readonly what: Disturbance;
}

const events = fc.array(
  fc.record({
    step: fc.integer({ min: 6, max: STEPS - 1 }),
    place: fc.integer({ min: 0, max: 4 }),
    what: fc.constantFrom(...DISTURBANCES),
  }),
  { maxLength: 8 },
);

describeGpu('steps like the one before', () => {
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

  async function disturb(grid: Grid, { what, place }: Event, seen: unknown[]): Promise<void> {
    const fill = (name: string, value: number) =>
      grid.setValues(name, new Array<number>(grid.count).fill(value));
    if (what === 'the host writes velocities') fill('vy', 0.25);
    else if (what === 'the host writes forces') fill('fx', -0.5);
    else if (what === 'the host looks') seen.push(await look(grid));
    else if (what === 'what is recorded is submitted') engineOf(ctx).gpu.stream.flush();
    else if (what === 'another call') computeCellParticles(grid, lean, ctx, {});
    else if (what === 'another box') {
      if (place > 0) return; // lists are of one box
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

  /** @param named whether every step is made for an operator of its own: then none is like the one before. */
  async function run(happens: readonly Event[], named: boolean) {
    const grid = start();
    const seen: unknown[] = [];
    const before = engineOf(ctx).ahead.wholeSteps;
    const half = { dt: 0.002 };
    const outputs = { fx: 'particles', fy: 'particles', fz: 'particles' } as const;
    const calls = [
      () => updateNeighbours(grid, ctx, { rcut: RCUT, skin: SKIN, ahead: true }),
      () => computeCellParticles(grid, clear, ctx, {}),
      () =>
        computeCellParticlePairs(grid, repel, ctx, {
          rcut: RCUT,
          params: { strength: 0.5 },
          outputs,
        }),
      () => computeCellParticles(grid, push, ctx, { params: half }),
      () => computeCellParticles(grid, drift, ctx, { params: { dt: 0.004 } }),
    ];
    await updateNeighbours(grid, ctx, { rcut: RCUT, skin: SKIN });
    for (let step = 0; step < STEPS; step++) {
      ctx.enterOperator(named ? `step ${step}` : 'step');
      for (const [place, call] of calls.entries()) {
        for (const event of happens)
          if (event.step === step && event.place === place) {
            if (event.what === 'another parameter') half.dt *= 1.1;
            else await disturb(grid, event, seen);
          }
        call();
      }
      if (!engineOf(ctx).idle) await engineOf(ctx).started();
    }
    const end = await look(grid);
    return { end, seen: await Promise.all(seen), whole: engineOf(ctx).ahead.wholeSteps - before };
  }

  it('are made as a whole, to the same bits', async () => {
    const together = await run([], false);
    const oneByOne = await run([], true);
    expect(oneByOne.whole).toBe(0);
    expect(together.whole).toBeGreaterThan(STEPS / 3);
    expect(together.end).toEqual(oneByOne.end);
  });

  it('are seen by a host that looks now and again one step later, between whatever calls', async () => {
    const what = 'the host looks';
    for (const first of [3, 4])
      for (const second of [1, 2, 3, 4]) {
        const happens: Event[] = [
          { step: 30, place: first, what },
          { step: 31, place: second, what },
        ];
        const together = await run(happens, false);
        const oneByOne = await run(happens, true);
        expect(together.seen, `${first} and ${second}`).toEqual(oneByOne.seen);
      }
  }, 120_000);

  it('are made call by call as soon as anything else happens, whatever and when', async () => {
    const property = fc.asyncProperty(events, async (happens) => {
      const together = await run(happens, false);
      const oneByOne = await run(happens, true);
      expect(together.seen).toEqual(oneByOne.seen);
      expect(together.end).toEqual(oneByOne.end);
    });
    await fc.assert(property, { numRuns: runs(5, 40) });
  }, 300_000);
});
