import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor, reduceFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { createArray } from '../../../src/plan/createArray.js';
import { drift, kickX, soft } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const clear = cellFunctor({ name: 'clear', fields: { fx: 'real', ep: 'real' } }, (i) => {
  i.fx = 0;
  i.ep = 0;
});

const addMark = cellFunctor({ name: 'add_mark', fields: { marks: 'u32' } }, (i) => {
  i.marks += 1;
});

const scaled = pairFunctor(
  { name: 'scaled', central: { fx: 'real' }, params: { rcut2: 'real', scale: 'real[]' } },
  (i, _j, d, p) => {
    i.fx += p.scale[1] * (p.rcut2 - d.r2) * d.x;
  },
);

const fastest = reduceFunctor(
  { name: 'fastest', result: { v2: 'max' }, read: { vx: 'real', vy: 'real', vz: 'real' } },
  (acc, i) => {
    acc.v2 = Math.max(acc.v2, i.vx * i.vx + i.vy * i.vy + i.vz * i.vz);
  },
);

interface Case {
  readonly steps: number;
  readonly speed: number;
  /** Drawn to the center with this speed. */
  readonly inward?: number;
  readonly periodic?: readonly [boolean, boolean, boolean];
  readonly dt?: number;
}

function start(
  ctx: ExecutionContext,
  { speed, inward = 0, periodic = [true, true, true] }: Case,
): Grid {
  const next = sequence(11);
  const places = Array.from(
    { length: runs(200, 300) },
    () => [9 * next(), 9 * next(), 9 * next()] as const,
  );
  const grid = gridOf(ctx.heap, Domain.orthorhombic([9, 9, 9], { periodic }), places);
  ['vx', 'vy', 'vz'].forEach((name, k) => {
    const toward = places.map((place) => inward * Math.sign(4.5 - place[k]!));
    grid.setValues(
      name,
      toward.map((v) => v + speed * (next() - 0.5)),
    );
  });
  return grid;
}

describeGpu('running ahead of the device', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  async function energies(
    test: Case,
    ahead: boolean,
    everyStep?: (grid: Grid) => PromiseLike<unknown>,
  ): Promise<{ e: number[]; x: number[] }> {
    const grid = start(ctx, test);
    const { dt = 0.01 } = test;
    const lists = { rcut: 1.5, skin: 0.3, ahead };
    const totals = [];
    for (let step = 0; step < test.steps; step++) {
      computeCellParticles(grid, drift, ctx, { params: { dt } });
      const update = updateNeighbors(grid, ctx, lists);
      if (!ahead) await update;
      computeCellParticles(grid, clear, ctx, {});
      const params = { rcut2: 2.25 };
      totals.push(
        computeCellParticlePairs(grid, soft, ctx, {
          rcut: 1.5,
          params,
          outputs: { fx: 'particles', ep: 'total' },
        }),
      );
      computeCellParticles(grid, kickX, ctx, { params: { dt: dt / 50 } });
      await everyStep?.(grid);
      if (everyStep) await totals.at(-1);
    }
    const e = [];
    for (const total of totals) e.push((await total).ep!);
    await newestOnHost(grid, ctx);
    const rows = [...grid.rowsById()];
    const vx = grid.values('vx');
    grid.free();
    return { e, x: rows.map((row) => vx[row]!) };
  }

  async function expectSame(test: Case): Promise<void> {
    const ahead = await energies(test, true);
    const waiting = await energies(test, false);
    expect(ahead.e.length).toBe(test.steps);
    ahead.e.forEach((e, k) => {
      expect(Math.abs(e / waiting.e[k]! - 1)).toBeLessThan(1e-5);
    });
    ahead.x.forEach((x, k) => {
      expect(Math.abs(x - waiting.x[k]!)).toBeLessThan(1e-4);
    });
  }

  const repeats = () => engineOf(ctx).speculation.repeats;

  it('gives what waiting gives, over many rebuilds', { timeout: 60_000 }, () =>
    expectSame({ steps: runs(60, 150), speed: 2 }),
  );

  itOnce('repeats steps whose lists were used too long', { timeout: 60_000 }, async () => {
    const before = repeats();
    await expectSame({ steps: 60, speed: 16 });
    expect(repeats()).toBeGreaterThan(before);
  });

  itOnce('keeps what the host writes while the steps before are made again', async () => {
    const grid = start(ctx, { steps: 60, speed: 16 });
    grid.addBlock({ name: 'marks', type: 'u32', width: 1, members: ['marks'] });
    const mark = () => computeCellParticles(grid, addMark, ctx, {});
    const before = repeats();
    for (let step = 0; step < 60; step++) {
      computeCellParticles(grid, drift, ctx, { params: { dt: 0.01 } });
      updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead: true });
      mark();
      if (step % 20 !== 19) continue;
      await engineOf(ctx).started(); // and proved later
      grid.setValues('marks', new Float64Array(grid.count).fill(1000 * step));
      mark();
      await newestOnHost(grid, ctx);
      expect(new Set(grid.values('marks'))).toEqual(new Set([1000 * step + 1]));
    }
    expect(repeats()).toBeGreaterThan(before);
    grid.free();
  });

  itOnce('rebuilds every step where particles move more than half the skin in one', async () => {
    await expectSame({ steps: 20, speed: 2, inward: 30 });
  });

  itOnce('makes lists longer when particles crowd together, and repeats', async () => {
    const before = repeats();
    await expectSame({ steps: 110, speed: 0.1, inward: 3, dt: 0.01 });
    expect(repeats()).toBeGreaterThan(before);
  });

  it('follows particles that leave an open box', { timeout: 60_000 }, () =>
    expectSame({ steps: runs(50, 80), speed: 10, periodic: [false, true, false] }),
  );

  itOnce('sees parameters that change in place, also in steps that are repeated', async () => {
    async function velocities(ahead: boolean): Promise<Float64Array> {
      const grid = start(ctx, { steps: 60, speed: 16 });
      const move = { dt: 0.01 };
      const params = { rcut2: 2.25, scale: [0, 4] };
      for (let step = 0; step < 60; step++) {
        move.dt = step % 7 < 3 ? 0.01 : 0.004;
        params.scale[1] = step % 11 < 6 ? 4 : -40;
        computeCellParticles(grid, drift, ctx, { params: move });
        const update = updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead });
        if (!ahead) await update;
        computeCellParticles(grid, clear, ctx, {});
        computeCellParticlePairs(grid, scaled, ctx, { rcut: 1.5, params });
        computeCellParticles(grid, kickX, ctx, { params: { dt: 2e-3 } });
        await engineOf(ctx).started();
      }
      await newestOnHost(grid, ctx);
      const vx = grid.values('vx');
      const sorted = Float64Array.from(grid.rowsById(), (row) => vx[row]!);
      grid.free();
      return sorted;
    }
    const before = repeats();
    const ahead = await velocities(true);
    expect(repeats()).toBeGreaterThan(before);
    const waiting = await velocities(false);
    ahead.forEach((x, k) => {
      expect(Math.abs(x - waiting[k]!)).toBeLessThan(1e-3);
    });
  });

  it('takes the same steps to the last bit in every run', { timeout: 60_000 }, async () => {
    const test = { steps: runs(60, 90), speed: 5 };
    const first = await energies(test, true);
    expect(await energies(test, true)).toEqual(first);
  });

  it('takes the same steps, however often results are read', {
    timeout: 60_000,
  }, async () => {
    const test = { steps: runs(60, 90), speed: 3 };
    const first = await energies(test, true);
    const look = (grid: Grid) => newestOnHost(grid, ctx, ['rx', 'vx']);
    expect(await energies(test, true, look)).toEqual(first);
  });

  itOnce('waits for nothing while steps are recorded', { timeout: 60_000 }, async () => {
    const grid = start(ctx, { steps: 0, speed: 1 });
    const { counters } = engineOf(ctx).gpu;
    const step = () => {
      computeCellParticles(grid, drift, ctx, { params: { dt: 0.01 } });
      updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead: true });
      computeCellParticles(grid, clear, ctx, {});
      computeCellParticlePairs(grid, soft, ctx, {
        rcut: 1.5,
        params: { rcut2: 2.25 },
        outputs: { fx: 'particles', ep: 'none' },
      });
    };
    for (let k = 0; k < 100; k++) {
      step();
      await engineOf(ctx).started();
    }
    const before = { ...counters };
    const steps = 256;
    for (let k = 0; k < steps; k++) {
      step();
      await engineOf(ctx).started();
    }
    // One record of some hundred bytes for each window of 64 steps or more; two dispatches a step, and rebuilds.
    expect(counters.downloads - before.downloads).toBeLessThanOrEqual(5);
    expect(counters.downloadedBytes - before.downloadedBytes).toBeLessThan(5 * 4096);
    expect(counters.uploads).toBe(before.uploads);
    await newestOnHost(grid, ctx);
    grid.free();
  });

  itOnce('waits for nothing where the host has written what no kernel looks at', async () => {
    const grid = start(ctx, { steps: 0, speed: 0 });
    grid.addBlock({ name: 'marks', type: 'u32', width: 1, members: ['marks'] });
    const update = (ahead: boolean) => updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead });
    await update(false);
    grid.setValues('marks', new Uint32Array(grid.count).fill(3));
    const { counters } = engineOf(ctx).gpu;
    const before = counters.downloads;
    for (let k = 0; k < 50; k++) {
      update(true);
      await engineOf(ctx).started();
    }
    expect(counters.downloads - before).toBeLessThanOrEqual(6);
    grid.free();
  });

  const distances: [string, number][] = [
    ['a window or two apart', 120],
    ['close', 100],
  ];
  it.each(runs(distances.slice(0, 1), distances.slice(1)))(
    'reads nothing back between results that are %s',
    { timeout: 60_000 },
    async (_, every) => {
      const grid = start(ctx, { steps: 0, speed: 1 });
      const { stream } = engineOf(ctx).gpu;
      const read = stream.read.bind(stream);
      const steps: number[] = [];
      let step = 0;
      stream.read = (...args) => {
        steps.push(step);
        return read(...args);
      };
      const totals = [];
      for (; step < 700; step++) {
        computeCellParticles(grid, drift, ctx, { params: { dt: 0.01 } });
        updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead: true });
        if (step % every === every - 1) totals.push(reduceCellParticles(grid, fastest, {}, ctx));
        await engineOf(ctx).started();
      }
      stream.read = read;
      // The first windows are short: they find the interval. Then records come with results, some steps later.
      const late = steps.filter((at) => at >= 200);
      expect(late.length).toBeGreaterThan(5);
      expect(late.filter((at) => (at + 1) % every > 20)).toEqual([]);
      for (const total of totals) expect((await total).v2).toBeGreaterThan(0);
      grid.free();
    },
  );

  itOnce(
    'ends a window before a call that names rows, which another order would make others',
    async () => {
      const grid = start(ctx, { steps: 1, speed: 1 });
      await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3 });
      computeCellParticles(grid, drift, ctx, { params: { dt: 0.01 } });
      updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead: true });
      await engineOf(ctx).started();
      const { speculation: ahead } = engineOf(ctx);
      expect(ahead.covers(grid)).toBe(true);
      const rows = createArray(ctx, 'u32', 10);
      rows.write(Uint32Array.from({ length: 10 }, (_, k) => 7 * k));
      const { ep } = await computeCellParticlePairs(grid, soft, ctx, {
        rcut: 1.5,
        params: { rcut2: 2.25 },
        outputs: { fx: 'none', ep: 'total' },
        allPairs: { central: rows },
      });
      expect(ep).toBeGreaterThan(0);
      expect(ahead.covers(grid)).toBe(false);
      rows.free();
      grid.free();
    },
  );

  itOnce('counts rebuilds and displacements truthfully', async () => {
    const grid = start(ctx, { steps: 0, speed: 4 });
    const updates = [];
    for (let k = 0; k < 40; k++) {
      computeCellParticles(grid, drift, ctx, { params: { dt: 0.01 } });
      updates.push(updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead: true }));
    }
    const { v2 } = await reduceCellParticles(grid, fastest, {}, ctx);
    let age = -1; // the first of all moves nothing: there were no lists before
    for (const update of updates) {
      const { rebuilt, maxDisplacement } = await update;
      age++;
      expect(maxDisplacement).toBeCloseTo(age * 0.01 * Math.sqrt(v2!), 5);
      if (rebuilt) age = 0;
      else expect(maxDisplacement).toBeLessThanOrEqual(0.165); // half of 1.1 skins
    }
    grid.free();
  });

  itOnce('starts over for another grid, an exact update, and the end', async () => {
    const first = start(ctx, { steps: 0, speed: 1 });
    const second = start(ctx, { steps: 0, speed: 1 });
    for (const grid of [first, second, first]) {
      for (let k = 0; k < 3; k++) updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead: true });
    }
    const { rebuilt } = await updateNeighbors(first, ctx, { rcut: 1.5, skin: 0.3 });
    expect(rebuilt).toBe(false);
    updateNeighbors(first, ctx, { rcut: 1.5, skin: 0.3, ahead: true });
    await engineOf(ctx).finished();
    first.free();
    second.free();
  });
});

// Beside another context its device would compile all kernels anew.
describeGpu('running ahead of the device where it is deterministic', () => {
  it('takes the same steps, whatever is read', async () => {
    const options = { backend: 'webgpu', precision: 'f32', deterministic: true } as const;
    await using exact = await createExecutionContext(options);
    async function velocities(every: number, look: number): Promise<Float64Array> {
      const grid = start(exact, { steps: 0, speed: 16 });
      for (let step = 0; step < runs(110, 150); step++) {
        computeCellParticles(grid, drift, exact, { params: { dt: 0.01 } });
        updateNeighbors(grid, exact, { rcut: 1.5, skin: 0.3, ahead: true });
        computeCellParticles(grid, clear, exact, {});
        // Forces that make some particles faster as they go on.
        const params = { rcut2: 2.25, scale: [0, 4] };
        computeCellParticlePairs(grid, scaled, exact, { rcut: 1.5, params });
        computeCellParticles(grid, kickX, exact, { params: { dt: 2e-3 } });
        if (step % every === 0) reduceCellParticles(grid, fastest, {}, exact);
        await engineOf(exact).started();
        if (step % look === look - 1) await newestOnHost(grid, exact, ['rx']);
      }
      await newestOnHost(grid, exact);
      const vx = grid.values('vx');
      const sorted = Float64Array.from(grid.rowsById(), (row) => vx[row]!);
      grid.free();
      return sorted;
    }
    const before = engineOf(exact).speculation.repeats;
    const first = await velocities(1000, 1000);
    expect(engineOf(exact).speculation.repeats).toBeGreaterThan(before);
    const others: readonly (readonly [number, number])[] = [
      [1, 1000],
      [1000, 9],
      [70, 40],
    ];
    for (const [every, look] of runs(others.slice(2), others.slice(0, 2)))
      expect(await velocities(every, look)).toEqual(first);
  });
});
