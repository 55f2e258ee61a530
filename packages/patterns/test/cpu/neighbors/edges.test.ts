import { Domain, type Grid, type NeighborListKind } from '@corpuscle/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RandomSource } from '../../../../functor/test/support/RandomSource.js';
import type { CpuServices } from '../../../src/cpu/CpuServices.js';
import { neighborList, updateNeighbors } from '../../../src/cpu/neighbors/updateNeighbors.js';
import { RowQueue } from '../../../src/cpu/RowQueue.js';
import { ThreadPool } from '../../../src/cpu/ThreadPool.js';
import { Unfinished } from '../../../src/cpu/Unfinished.js';
import { bruteForcePairs, pairNames } from '../../shared/bruteForce.js';
import { gridOf } from '../../shared/grids.js';
import { GuardedHeap } from '../../support/GuardedHeap.js';

type Place = readonly [number, number, number];

describe('neighbor lists', () => {
  const heap = new GuardedHeap();
  let services: CpuServices;
  beforeAll(async () => {
    const pool = new ThreadPool(heap, 1);
    await pool.ready();
    const rows = new RowQueue(heap, pool, new Unfinished());
    services = {
      heap,
      pool,
      rows,
      precision: 'f64',
      lowering: 'simd',
      deterministic: false,
      parts: pool.threads,
      relaxed: false,
    };
  });
  afterAll(() => services.pool.close());

  const update = (grid: Grid, rcut: number, skin = 0) =>
    updateNeighbors(services, { grid, rcut, skin, force: false });
  /** Pairs of the list within the cutoff, by their positions in doubles. */
  function near(grid: Grid, kind: NeighborListKind, rcut: number) {
    const p = grid.block('position').array as Float64Array;
    const pairs: { i: number; j: number; image: number }[] = [];
    neighborList(services, grid, kind, rcut).forEachPair((i, j, image) => {
      const shift = grid.domain.image(image);
      const d = [0, 1, 2].map((k) => p[4 * i + k]! + shift[k]! - p[4 * j + k]!);
      if (d[0]! * d[0]! + d[1]! * d[1]! + d[2]! * d[2]! < rcut * rcut) pairs.push({ i, j, image });
    });
    return pairs;
  }

  it('know the box of each build, also where it has as many cells as the one before', () => {
    const random = new RandomSource(4);
    const fractions = Array.from({ length: 150 }, () => [
      random.next(),
      random.next(),
      random.next(),
    ]);
    const grid = gridOf(
      heap,
      Domain.orthorhombic([9, 9, 9]),
      fractions.map((s) => s.map((x) => 9 * x) as unknown as Place),
    );
    for (const lengths of [
      [9, 9, 9],
      [9, 9.6, 9],
      [9, 9, 9],
      [8.7, 8.9, 9.3],
    ] as const) {
      grid.domain = Domain.orthorhombic(lengths);
      ['rx', 'ry', 'rz'].forEach((name, axis) => {
        const ids = grid.values('id');
        grid.setValues(
          name,
          Array.from(ids, (id) => fractions[id]![axis]! * lengths[axis]!),
        );
      });
      update(grid, 2.2);
      expect(grid.cells.dims).toEqual([4, 4, 4]);
      expect(pairNames(near(grid, 'full', 2.2))).toEqual(pairNames(bruteForcePairs(grid, 2.2)));
    }
    grid.free();
  });

  it('hold pairs just within the radius where single precision has few digits left', () => {
    const random = new RandomSource(9);
    const places: Place[] = [];
    for (let k = 0; k < 300; k++) {
      const center = [0, 1, 2].map(() => random.between(0, 4000));
      const d = [0, 1, 2].map(() => random.between(-1, 1));
      const norm = (2.5 * (1 - 1e-9)) / Math.hypot(...d);
      places.push(
        center as unknown as Place,
        center.map((x, axis) => x + d[axis]! * norm) as unknown as Place,
      );
    }
    for (const domain of [Domain.open(), Domain.orthorhombic([4000, 4000, 4000])]) {
      const grid = gridOf(heap, domain, places);
      update(grid, 2.5);
      expect(pairNames(near(grid, 'full', 2.5))).toEqual(pairNames(bruteForcePairs(grid, 2.5)));
      grid.free();
    }
  });

  it('lose no particle that is so far away that its place in the box is lost', () => {
    const random = new RandomSource(3);
    const inside = Array.from(
      { length: 60 },
      (): Place => [9.1 * random.next(), 9.1 * random.next(), 9.1 * random.next()],
    );
    for (let k = 0; k < 40; k++) {
      // Subtracting whole boxes leaves a multiple of 128, on either side of the box.
      const far = (k % 2 ? 1 : -1) * (1 + 0.0123 * k) * 1e18;
      const places = [...inside, [far, far, far], [4, far, 4], [far, 4, -far]] as Place[];
      const grid = gridOf(heap, Domain.orthorhombic([9.1, 9.1, 9.1]), places);
      update(grid, 2);
      expect([...grid.values('id')].sort((a, b) => a - b)).toEqual([...places.keys()]);
      expect(grid.cells.start[grid.cells.count]).toBe(places.length);
      expect(heap.overwritten()).toEqual([]);
      grid.free();
    }
  });

  it('write nothing after their buffers, whatever the numbers of neighbors', () => {
    const random = new RandomSource(2);
    const one = () => random.next() / 4;
    // Two particles far away make estimates small: all buffers become full, and grow.
    const counts = [...Array(60).keys()].map((k) => k + 30).concat([1000, 1008, 1016, 1024, 1032]);
    for (const count of counts) {
      const places = Array.from({ length: count }, (): Place => [one(), one(), one()]);
      const grid = gridOf(heap, Domain.open(), [...places, [300, 0, 0], [0, 300, 300]]);
      update(grid, 1);
      const half = neighborList(services, grid, 'half', 1);
      expect(heap.overwritten()).toEqual([]);
      let pairs = 0;
      half.forEachPair(() => pairs++);
      expect(pairs).toBe((count * (count - 1)) / 2);
      if (count < 100) neighborList(services, grid, 'full', 1);
      expect(heap.overwritten()).toEqual([]);
      grid.free();
    }
  });
});
