import { Domain, Grid, type SharedHeap } from '@corpuscle/core';
import { cellFunctor, pairFunctor, reduceFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';

const add = cellFunctor(
  { name: 'add', fields: { vx: 'real' }, params: { a: 'real' }, traits: { gpu: true } },
  (i, p) => {
    i.vx += p.a;
  },
);
const scale = cellFunctor(
  { name: 'scale', fields: { vx: 'real' }, params: { table: 'real[]' }, traits: { gpu: true } },
  (i, p) => {
    i.vx *= p.table[1]!;
  },
);
const drift = cellFunctor(
  {
    name: 'drift',
    fields: { rx: 'real' },
    read: { vx: 'real', fx: 'real' },
    traits: { gpu: true },
  },
  (i) => {
    i.rx += 1e-3 * i.vx + 1e-4 * i.fx;
  },
);
const sum = reduceFunctor(
  { name: 'sum', result: { x: 'sum' }, read: { vx: 'real' }, traits: { gpu: true } },
  (acc, i) => {
    acc.x += i.vx;
  },
);
const spring = pairFunctor(
  {
    name: 'spring',
    central: { fx: 'real', fy: 'real', fz: 'real' },
    traits: { gpu: true, newton3: true },
  },
  (i, _j, d) => {
    const f = 1 - d.r2;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
  },
);

/** Particles in a periodic cube, a little off a simple cubic lattice. */
function particles(heap: SharedHeap, edge: number): Grid {
  const grid = new Grid(heap, Domain.orthorhombic([edge, edge, edge]));
  const count = edge ** 3;
  grid.resize(count);
  const at = (k: number) => [k % edge, Math.floor(k / edge) % edge, Math.floor(k / edge ** 2)];
  ['rx', 'ry', 'rz'].forEach((name, axis) => {
    grid.setValues(
      name,
      Array.from({ length: count }, (_, k) => at(k)[axis]! + 0.2 * Math.sin(7 * k + axis) + 0.3),
    );
  });
  grid.setValues(
    'vx',
    Array.from({ length: count }, (_, k) => Math.cos(k)),
  );
  grid.setValues(
    'id',
    Array.from({ length: count }, (_, k) => k + 1),
  );
  return grid;
}

describe.each([
  [1, 'f64'],
  [2, 'f64'],
  [1, 'mixed'],
  [2, 'mixed'],
] as const)('work that is put off on %i thread(s), %s', (threads, precision) => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await createExecutionContext({ backend: 'cpu', threads, precision });
  });
  afterAll(() => ctx.close());

  it('is done when its results are read in any way', async () => {
    const grid = particles(ctx.heap, 12);
    const before = grid.values('vx')[5]!;
    const held = grid.block('velocity').array;
    computeCellParticles(grid, add, ctx, { params: { a: 1 } });
    expect(grid.values('vx')[5]).toBe(before + 1);
    computeCellParticles(grid, add, ctx, { params: { a: 1 } });
    expect(grid.block('velocity').array[20]).toBe(before + 1 + 1);
    await computeCellParticles(grid, add, ctx, { params: { a: 1 } });
    expect(held[20]).toBe(before + 1 + 1 + 1);
    computeCellParticles(grid, add, ctx, { params: { a: 1 } });
    expect(reduceCellParticles(grid, sum, {}, ctx, {}).value.x).toBeCloseTo(
      grid.values('vx').reduce((a, b) => a + b, 0),
      9,
    );
    grid.free();
  });

  it('keeps the parameters of each of several calls, tables too', () => {
    const grid = particles(ctx.heap, 10);
    const before = grid.values('vx')[7]!;
    for (const a of [1, 2, 3]) {
      computeCellParticles(grid, add, ctx, { params: { a } });
      computeCellParticles(grid, scale, ctx, { params: { table: [0, a, 9] } });
    }
    expect(grid.values('vx')[7]).toBe((((before + 1) * 1 + 2) * 2 + 3) * 3);
    grid.free();
  });

  it('gives the bits of calls that are looked at one by one', () => {
    const run = (look: boolean) => {
      const grid = particles(ctx.heap, 14);
      const glance = () => {
        if (look)
          for (const block of grid.blocks.values()) expect(block.array.length).toBeGreaterThan(0);
      };
      for (let step = 0; step < 30; step++) {
        updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.1, force: step % 10 === 9 });
        glance();
        computeCellParticlePairs(grid, spring, ctx, { rcut: 1.5 });
        glance();
        computeCellParticles(grid, add, ctx, { params: { a: 0.1 } });
        glance();
        computeCellParticles(grid, drift, ctx, {});
        glance();
      }
      const order = grid.rowsById();
      const values = ['rx', 'vx', 'fx', 'fy', 'fz'].map((name) => {
        const column = grid.values(name);
        return Array.from(order, (row) => column[row]!);
      });
      grid.free();
      return values;
    };
    expect(run(false)).toEqual(run(true));
  });

  it('keeps the order between grids and contexts', async () => {
    const other = await createExecutionContext({ backend: 'cpu', threads: 1, heap: ctx.heap });
    const [a, b] = [particles(ctx.heap, 10), particles(ctx.heap, 9)];
    const before = a.values('vx')[3]!;
    computeCellParticles(a, add, ctx, { params: { a: 1 } });
    computeCellParticles(b, add, ctx, { params: { a: 5 } });
    computeCellParticles(a, scale, other, { params: { table: [0, 2] } });
    computeCellParticles(a, add, ctx, { params: { a: 1 } });
    expect(a.values('vx')[3]).toBe((before + 1) * 2 + 1);
    expect(b.values('vx')[3]).toBe(before + 5);
    computeCellParticles(a, add, other, { params: { a: 1 } });
    await other.close();
    expect(a.values('vx')[3]).toBe((before + 1) * 2 + 1 + 1);
    a.free();
    b.free();
  });

  it('is done before the grid grows, and before it is freed', () => {
    const grid = particles(ctx.heap, 10);
    const before = grid.values('vx')[999]!;
    computeCellParticles(grid, add, ctx, { params: { a: 1 } });
    grid.resize(3000);
    expect(grid.values('vx')[999]).toBe(before + 1);
    expect(grid.values('vx')[1000]).toBe(0);
    updateNeighbors(particles(ctx.heap, 8), ctx, { rcut: 1.5, skin: 0.1 });
    computeCellParticles(grid, add, ctx, { params: { a: 1 } });
    grid.free();
    const again = particles(ctx.heap, 10);
    expect(again.values('vx')[999]).toBe(before);
    again.free();
  });
});
