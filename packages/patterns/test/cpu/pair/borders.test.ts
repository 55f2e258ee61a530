import { Domain, SharedHeap } from '@corpuscle/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  lennardJones,
  lennardJonesParameters,
} from '../../../../operators/src/potentials/lennard_jones/lennardJones.js';
import type { PairServices } from '../../../src/cpu/CpuServices.js';
import { neighborList, updateNeighbors } from '../../../src/cpu/neighbors/updateNeighbors.js';
import { borderBuffers } from '../../../src/cpu/pair/borderBuffers.js';
import { computePairs } from '../../../src/cpu/pair/pairPattern.js';
import { RowQueue } from '../../../src/cpu/RowQueue.js';
import { ThreadPool } from '../../../src/cpu/ThreadPool.js';
import { Unfinished } from '../../../src/cpu/Unfinished.js';
import { gridOf } from '../../shared/grids.js';

// Many parts on few threads: what a machine of many cores does, by the rows that its lists name.

const params = lennardJonesParameters({ epsilon: [1], sigma: [0.7], rcut: [1.5] }, 'none');

/** A cubic lattice, a little disturbed. */
function crystal(
  heap: SharedHeap,
  [nx, ny, nz]: readonly [number, number, number],
  periodic = true,
) {
  const places = Array.from({ length: nx * ny * nz }, (_, k): [number, number, number] => {
    const shift = (a: number) => 0.5 + 0.05 * Math.sin(a * (k + 1));
    const rest = Math.floor(k / nx);
    return [(k % nx) + shift(1), (rest % ny) + shift(2), Math.floor(rest / ny) + shift(3)];
  });
  const box = Domain.orthorhombic([nx, ny, nz], { periodic: [periodic, periodic, periodic] });
  return gridOf(heap, box, places);
}

describe.each(['f64', 'mixed'] as const)('pairs in many parts, %s', (precision) => {
  const heap = new SharedHeap();
  let pool: ThreadPool;
  beforeAll(async () => {
    pool = new ThreadPool(heap, 2);
    await pool.ready();
  });
  afterAll(() => pool.close());
  const services = (parts: number): PairServices => ({
    heap,
    pool,
    rows: new RowQueue(heap, pool, new Unfinished()),
    precision,
    lowering: 'simd',
    deterministic: false,
    parts,
    relaxed: false,
    reduce: () => {
      throw new Error('no moments are asked for');
    },
  });
  const forces = (parts: number, size: readonly [number, number, number], periodic: boolean) => {
    const grid = crystal(heap, size, periodic);
    const engine = services(parts);
    updateNeighbors(engine, { grid, rcut: 1.5, skin: 0.2, force: true });
    for (let pass = 0; pass < 2; pass++)
      computePairs(engine, {
        grid,
        functor: lennardJones,
        params,
        rcut: 1.5,
        form: 'bufferless',
        outputs: { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'particles' },
      });
    engine.rows.flush();
    const list = neighborList(engine, grid, 'half', 1.5);
    const order = [...grid.rowsById()];
    const values = ['fx', 'fy', 'fz', 'ep'].flatMap((name) => {
      const all = grid.values(name);
      return order.map((row) => all[row]!);
    });
    return { grid, list, values };
  };

  it.each([
    [2, [6, 6, 6], true],
    [3, [6, 6, 24], true],
    [16, [6, 6, 24], true],
    [16, [4, 3, 3], true],
    [30, [6, 6, 6], true],
    [16, [12, 12, 12], true],
    [9, [4, 9, 8], true],
    [8, [9, 8, 9], false],
    [16, [5, 5, 20], false],
  ] as const)('%i parts of %j particles give the forces of one', (parts, size, periodic) => {
    const one = forces(1, size, periodic);
    const many = forces(parts, size, periodic);
    const scale = Math.max(...one.values.map(Math.abs));
    const worst = Math.max(...one.values.map((v, k) => Math.abs(v - many.values[k]!)));
    expect(worst / scale).toBeLessThan(precision === 'f64' ? 1e-13 : 3e-6);
    one.grid.free();
    many.grid.free();
  });

  it('entries before the border name rows of their own segment, and the border names those of its ranges', () => {
    const { grid, list } = forces(16, [6, 6, 24], true);
    const rowsOf = list.segments.map(() => [Number.POSITIVE_INFINITY, -1] as [number, number]);
    const visit = (border: boolean, see: (segment: number, i: number, js: number[]) => void) => {
      for (const { segment, address, count, isBorder } of list.pieces()) {
        if (isBorder !== border) continue;
        const { indices, indexCount } = list.segments[segment]!;
        const all = heap.i32(indices, indexCount);
        const entries = heap.i32(address, 4 * count);
        for (let e = 0; e < entries.length; e += 4) {
          const js = [...all.slice(entries[e + 2], entries[e + 3])];
          see(
            segment,
            entries[e]!,
            js.filter((j) => j < grid.count),
          );
        }
      }
    };
    for (const border of [false, true])
      visit(border, (segment, i) => {
        const own = rowsOf[segment]!;
        own[0] = Math.min(own[0], i);
        own[1] = Math.max(own[1], i);
      });
    const strays: number[] = [];
    let inside = 0;
    visit(false, (segment, _, js) => {
      for (const j of js) {
        inside++;
        const isOf = ([first, last]: [number, number]) => j >= first && j <= last;
        if (rowsOf.some((rows, t) => t !== segment && isOf(rows))) strays.push(j);
      }
    });
    let across = 0;
    visit(true, (segment, i, js) => {
      for (const row of [i, ...js]) {
        across++;
        const { borderRows } = list.segments[segment]!;
        if (!borderRows.some(({ first, end }) => row >= first && row < end)) strays.push(row);
      }
    });
    expect(strays).toEqual([]);
    expect([inside > 0, across > 0]).toEqual([true, true]);
    grid.free();
  });

  it.each([
    [16, [6, 6, 24], true, 0.4],
    [16, [4, 3, 3], true, 1],
    [3, [5, 5, 30], true, 0.5],
    [7, [5, 7, 20], false, 0.7],
  ] as const)(
    'entries of full lists of %i parts of %j name rows within reach',
    (parts, size, periodic, share) => {
      const grid = crystal(heap, size, periodic);
      const engine = services(parts);
      updateNeighbors(engine, { grid, rcut: 1.5, skin: 0.2, force: true });
      const list = neighborList(engine, grid, 'full', 1.5);
      const within = list.segments.map(({ borderRows }) =>
        borderRows.reduce((sum, { first, end }) => sum + end - first, 0),
      );
      expect(Math.min(...within)).toBeLessThanOrEqual(share * grid.count);
      for (const { indices, indexCount, borderRows, entries, entryCount } of list.segments) {
        if (entryCount === 0) continue;
        const named = new Set(heap.i32(indices, indexCount).filter((j) => j < grid.count));
        const central = heap.i32(entries, 4 * entryCount);
        for (let e = 0; e < central.length; e += 4) named.add(central[e]!);
        const isIn = (row: number) =>
          borderRows.some(({ first, end }) => row >= first && row < end);
        expect([...named].filter((row) => !isIn(row))).toEqual([]);
        expect(named.size).toBeGreaterThan(0);
      }
      grid.free();
    },
  );

  it('few buffers serve many parts if the parts are thicker than their borders', () => {
    const thick = forces(8, [3, 3, 80], true);
    expect(new Set(borderBuffers(thick.list, thick.grid.sortVersion)).size).toBeLessThanOrEqual(2);
    const [first, last] = [thick.list.segments[0]!, thick.list.segments[7]!];
    expect([first.borderRows.length, last.borderRows.length]).toEqual([1, 2]);
    thick.grid.free();
  });
});
