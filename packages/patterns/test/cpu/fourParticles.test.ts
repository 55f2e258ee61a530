import { Domain } from '@corpuscle/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { cellFunctor } from '../../src/index.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { gridOf } from '../shared/grids.js';

/** Of so many operations that two vectors of particles go side by side, with a branch that all particles take or none. */
const noise = cellFunctor(
  {
    name: 'noise',
    fields: { vx: 'real', vy: 'real' },
    read: { id: 'u32' },
    params: { wait: 'real' },
  },
  (i, p, h) => {
    i.vx += 0.25;
    if (p.wait < 0.5) {
      const [x, y] = h.normal(i.id, 7, 3, 5);
      i.vx += x;
      if (y > 0) i.vy = y * i.vx;
    } else i.vy -= 1;
  },
);

describe('particles by four, by two and one by one', () => {
  const contexts: ExecutionContext[] = [];
  beforeAll(async () => {
    for (const lowering of ['simd', 'scalar'] as const)
      contexts.push(await createExecutionContext({ backend: 'cpu', threads: 1, lowering }));
  });
  afterAll(() => Promise.all(contexts.map((ctx) => ctx.close())));

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 1027])('%i of them get the same bits', (count) => {
    for (const wait of [0, 1]) {
      const found = contexts.map((ctx) => {
        const places = Array.from({ length: count }, (_, k) => [k % 8, k % 7, k % 5] as const);
        const grid = gridOf(ctx.heap, Domain.orthorhombic([9, 9, 9]), places);
        computeCellParticles(grid, noise, ctx, { params: { wait } });
        const values = ['vx', 'vy'].map((name) => [...grid.values(name)].slice(0, count));
        grid.free();
        return values;
      });
      expect(found[0]).toEqual(found[1]);
      expect(new Set(found[0]![0]).size).toBe(wait === 0 ? count : 1);
    }
  });
});
