import { Domain } from '@corpuscle/core';
import { CoordinationNumber, coordination, createGrid } from '@corpuscle/operators';
import { cellFunctor, computeCellParticles, createExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { coordinationCase, frameOfCase } from './support/coordinationCase.js';

const big = coordinationCase('big_500_ortho');

describe('frame after frame', () => {
  it.each([
    ['little', 1e-3, 'neighbor_lists'],
    ['far', 0.3, 'cell_lists'],
  ] as const)('lists last when particles move %s', async (_, step, path) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
    const s = { type: 'rational', r0: 0.3, dMax: 0.6 } as const;
    const number = new CoordinationNumber(ctx, { groupA: 'all', switch: s });
    const paths: string[] = [];
    for (let frame = 0; frame < 12; frame++) {
      const { value, path: taken } = await number.evaluate(grid);
      paths.push(taken);
      const exact = await coordination(grid, ctx, { groupA: 'all', switch: s, path: 'all_pairs' });
      expect(Math.abs(value / exact.value - 1)).toBeLessThan(1e-13);
      const r = grid.block('position').array as Float64Array;
      for (let k = 0; k < 500; k++) r[4 * k + (frame % 3)]! += step * Math.sin(k + frame);
      grid.block('position').hostWritten();
    }
    expect(paths[0]).toBe('cell_lists');
    expect(paths[1]).toBe('neighbor_lists');
    expect(paths.at(-1)).toBe(path);
    number.close();
    grid.free();
  });
});

describe('coordination of a grid', () => {
  it.each([
    ['cpu', 'f64'],
    ['webgpu', 'f32'],
  ] as const)('is 0 without pairs on %s', async (backend, precision) => {
    await using ctx = await createExecutionContext({ backend, precision, threads: 1 });
    const frame = { ...frameOfCase(big), species: ['A', 'B'] };
    const types = ['A', 'B'].map((name) => ({ name, mass: 1 }));
    const grid = createGrid(frame, types, ctx.heap);
    const s = { type: 'rational', r0: 0.3, dMax: 0.6 } as const;
    for (const groups of [
      { groupA: 'all', groupB: 'B' },
      { groupA: 'B' },
      { groupA: [3] },
      { groupA: [3, 3, 3] },
      { groupA: [3], groupB: [3, 3] },
      { groupA: [3, 4], groupB: [3, 4], pair: true },
    ]) {
      const result = await coordination(grid, ctx, {
        ...groups,
        switch: s,
        types: ['A', 'B'],
      });
      expect(result.value).toBe(0);
      expect(result.derivatives.every((x) => x === 0)).toBe(true);
    }
    grid.free();
  });

  it.each([
    ['f32', 2e-6],
    ['f64', 1e-12],
  ] as const)('slot by slot reads nothing back but totals, %s', async (precision, tolerance) => {
    const push = cellFunctor({ name: 'push', fields: { rx: 'real', ry: 'real' } }, (i) => {
      i.rx += 0.01 * Math.sin(40 * i.ry);
    });
    const values: number[] = [];
    for (const backend of ['cpu', 'webgpu'] as const) {
      await using ctx = await createExecutionContext({
        backend,
        threads: 1,
        precision: backend === 'cpu' ? 'f64' : precision,
      });
      const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
      const number = new CoordinationNumber(ctx, {
        groupA: { first: 0, last: 249 },
        groupB: [...Array.from({ length: 240 }, (_, k) => k + 250), ...Array(10).fill(3)],
        pair: true,
        switch: { type: 'rational', r0: 0.3 },
      });
      await number.evaluate(grid);
      computeCellParticles(grid, push, ctx);
      await ctx.device?.finished();
      ctx.device?.startProfile();
      values.push((await number.evaluate(grid)).value);
      const profile = await ctx.device?.profile();
      if (profile) expect(profile.downloadedBytes).toBeLessThanOrEqual(64);
      number.close();
      grid.free();
    }
    expect(Math.abs(values[1]! / values[0]! - 1)).toBeLessThan(tolerance);
  });

  it('finds its groups again when there are other particles', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
    const options = {
      groupA: { first: 0, last: 99 },
      switch: { type: 'rational', r0: 0.3 },
    } as const;
    const number = new CoordinationNumber(ctx, options);
    const other = new CoordinationNumber(ctx, { ...options, groupB: [120, 110, 7] });
    for (const count of [500, 400, 450]) {
      grid.resize(count);
      const id = grid.block('id').array as BigUint64Array;
      for (let row = 0; row < count; row++) id[row] = BigInt((row * 7) % count);
      grid.block('id').hostWritten();
      for (const each of [number, other, number]) {
        const groups = each === number ? options : { ...options, groupB: [120, 110, 7] };
        const { value } = await each.evaluate(grid);
        expect(value).toBe((await coordination(grid, ctx, groups)).value);
      }
    }
    number.close();
    other.close();
    grid.free();
  });

  it('counts as many threads and lowerings as there are', async () => {
    const s = { type: 'rational', r0: 0.3, nn: 5, mm: 9, d0: 0.05, dMax: 0.7 } as const;
    const values: number[] = [];
    for (const lowering of ['simd', 'scalar', 'javascript'] as const)
      for (const threads of [1, 2])
        for (const path of ['all_pairs', 'neighbor_lists'] as const) {
          await using ctx = await createExecutionContext({ backend: 'cpu', threads, lowering });
          const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
          values.push((await coordination(grid, ctx, { groupA: 'all', switch: s, path })).value);
          grid.free();
        }
    for (const value of values) expect(Math.abs(value / values[0]! - 1)).toBeLessThan(1e-13);
  });

  it('finds nearest images in skewed, reduced and partly periodic boxes', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const cells = [
      [3, 0, 0, 5.7, 2.6, 0, -4.1, 7.7, 2.4], // far from reduced
      [3, 0, 0, 1, 2.83, 0, -1, 1.41, 2.45], // truncated octahedron
      [3, 0, 0, 0, 3, 0, 1.5, 1.5, 2.12], // rhombic dodecahedron
    ];
    for (const matrix of cells)
      for (const periodic of [
        [true, true, true],
        [true, false, true],
      ] as const) {
        const frame = {
          ...frameOfCase(big),
          lattice: matrix,
          periodic: [...periodic] as [boolean, boolean, boolean],
        };
        const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
        const { value } = await coordination(grid, ctx, {
          groupA: Array.from({ length: 60 }, (_, k) => k),
          switch: { type: 'exp', r0: 0.5 },
        });
        const domain = Domain.triclinic(matrix, { periodic });
        let expected = 0;
        for (let i = 0; i < 60; i++)
          for (let j = 0; j < i; j++) {
            const d = [0, 1, 2].map((k) => big.positions[i]![k]! - big.positions[j]![k]!);
            const r = Math.hypot(...domain.minimumImage(d[0]!, d[1]!, d[2]!));
            expected += Math.exp(-r / 0.5);
          }
        expect(Math.abs(value / expected - 1)).toBeLessThan(1e-12);
        grid.free();
      }
  });
});
