import {
  type CorpuscleError,
  Domain,
  type Grid,
  type NeighborListKind,
  SharedHeap,
} from '@corpuscle/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CpuServices } from '../../../src/cpu/CpuServices.js';
import { neighborList, updateNeighbors } from '../../../src/cpu/neighbors/updateNeighbors.js';
import { RowQueue } from '../../../src/cpu/RowQueue.js';
import { ThreadPool } from '../../../src/cpu/ThreadPool.js';
import { Unfinished } from '../../../src/cpu/Unfinished.js';
import { bruteForcePairs, pairNames } from '../../shared/bruteForce.js';
import { fccPositions, gridOf } from '../../shared/grids.js';

const code = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as CorpuscleError).code;
  }
  return 'none';
};

describe.each([1, 2])('neighbor lists on %i threads', (threads) => {
  const heap = new SharedHeap();
  let services: CpuServices;
  beforeAll(async () => {
    const pool = new ThreadPool(heap, threads);
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

  const update = (grid: Grid, rcut: number, skin = 0, force = false) =>
    updateNeighbors(services, { grid, rcut, skin, force });
  const listed = (grid: Grid, kind: NeighborListKind, rcut: number) => {
    const pairs: { i: number; j: number; image: number }[] = [];
    neighborList(services, grid, kind, rcut).forEachPair((i, j, image) => {
      pairs.push({ i, j, image });
    });
    return pairs;
  };
  const within = (grid: Grid, pairs: { i: number; j: number; image: number }[], rcut: number) => {
    const p = grid.block('position').array as Float64Array;
    return pairs.filter(({ i, j, image }) => {
      const shift = grid.domain.image(image);
      const d = [0, 1, 2].map((k) => p[4 * i + k]! + shift[k]! - p[4 * j + k]!);
      return d[0]! * d[0]! + d[1]! * d[1]! + d[2]! * d[2]! < rcut * rcut;
    });
  };
  const mirrored = (pairs: { i: number; j: number; image: number }[]) =>
    pairs.flatMap(({ i, j, image }) => [
      { i, j, image },
      { i: j, j: i, image: 26 - image },
    ]);
  // Lists may hold a little more than the radius, never less and nothing twice.
  const expectExact = (grid: Grid, rcut: number, radius: number) => {
    const full = listed(grid, 'full', rcut);
    const half = listed(grid, 'half', rcut);
    expect(new Set(pairNames(full)).size).toBe(full.length);
    expect(pairNames(mirrored(half))).toEqual(pairNames(full));
    expect(pairNames(within(grid, full, rcut))).toEqual(pairNames(bruteForcePairs(grid, rcut)));
    expect(pairNames(within(grid, full, radius))).toEqual(pairNames(bruteForcePairs(grid, radius)));
  };

  it('lists 39 N pairs within 2.8 and counts 27 N within 2.5 in an fcc crystal of density 0.8442', () => {
    const { length, positions } = fccPositions(8, 0.8442);
    const grid = gridOf(heap, Domain.orthorhombic([length, length, length]), positions);
    update(grid, 2.5, 0.3);
    const half = listed(grid, 'half', 2.5);
    expect(half.length).toBe(39 * positions.length);
    expect(within(grid, half, 2.5).length).toBe(27 * positions.length);
    expect(listed(grid, 'full', 2.5).length).toBe(78 * positions.length);
    grid.free();
  });

  const coordinate = fc.double({ min: -0.6, max: 1.6, noNaN: true });
  const fraction = fc.oneof(
    { weight: 5, arbitrary: coordinate },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, 0.5, 1 - 2 ** -53, -(2 ** -60), 2 / 3) },
    { weight: 2, arbitrary: fc.double({ min: 0.5, max: 0.52, noNaN: true }) }, // a cluster
  );
  const places = fc.array(fc.tuple(fraction, fraction, fraction), { minLength: 1, maxLength: 60 });
  const length = fc.double({ min: 2, max: 14, noNaN: true });
  const skew = fc.double({ min: -6, max: 6, noNaN: true });
  const boxes = fc.record({
    lengths: fc.tuple(length, length, length),
    skews: fc.oneof(fc.constant([0, 0, 0] as [number, number, number]), fc.tuple(skew, skew, skew)),
    periodic: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    origin: fc.tuple(skew, skew, skew),
    share: fc.oneof(fc.constant(1), fc.double({ min: 0.2, max: 1, noNaN: true })),
    skin: fc.double({ min: 0, max: 2, noNaN: true }),
  });

  it('holds exactly the pairs of brute force, in any box', () => {
    fc.assert(
      fc.property(boxes, places, ({ lengths, skews, periodic, origin, share, skin }, fractions) => {
        const [xy, xz, yz] = skews;
        const matrix = [lengths[0], 0, 0, xy, lengths[1], 0, xz, yz, lengths[2]];
        const domain = Domain.triclinic(matrix, { periodic, origin });
        const widths = domain.heights.filter((_, axis) => periodic[axis]);
        const rcut = share * (widths.length > 0 ? Math.min(...widths) / 2 : 3);
        const before = fractions.map((s) => domain.toCartesian(...s));
        const grid = gridOf(heap, domain, before);
        update(grid, rcut, skin);
        const radius = Math.min(rcut + skin, ...widths.map((w) => Math.max(rcut, w * (1 - 1e-9))));
        expectExact(grid, rcut, radius * (1 - 1e-9));
        // Every particle is still there, moved by whole lattice vectors along periodic axes only.
        const ids = grid.values('id');
        expect(Array.from(ids).sort((a, b) => a - b)).toEqual([...before.keys()]);
        const [rx, ry, rz] = ['rx', 'ry', 'rz'].map((name) => grid.values(name)) as [
          Float64Array,
          Float64Array,
          Float64Array,
        ];
        ids.forEach((id, row) => {
          const was = before[id]!;
          const s = domain.toFractional(
            rx[row]! - was[0] + origin[0],
            ry[row]! - was[1] + origin[1],
            rz[row]! - was[2] + origin[2],
          );
          s.forEach((value, axis) => {
            expect(Math.abs(value - (periodic[axis] ? Math.round(value) : 0))).toBeLessThan(1e-9);
          });
        });
        grid.free();
      }),
      { numRuns: 150 },
    );
  });

  it('is exact for rcut of half the box with one, two and three cells an axis', () => {
    for (const [lx, ly, lz] of [
      [4, 4, 4],
      [4, 8, 12],
      [8, 8, 8],
      [4, 30, 4],
    ] as const) {
      const random = mulberry(lx + 10 * ly);
      const positions = Array.from(
        { length: 90 },
        () => [lx * random(), ly * random(), lz * random()] as const,
      );
      const grid = gridOf(heap, Domain.orthorhombic([lx, ly, lz]), positions);
      update(grid, Math.min(lx, ly, lz) / 2, 1);
      expectExact(grid, Math.min(lx, ly, lz) / 2, Math.min(lx, ly, lz) / 2);
      grid.free();
    }
  });

  it('keeps lists until a particle has moved half the skin, and stays exact until then', () => {
    const random = mulberry(7);
    const positions = Array.from(
      { length: 400 },
      () => [9 * random(), 9 * random(), 9 * random()] as const,
    );
    const grid = gridOf(heap, Domain.orthorhombic([9, 9, 9]), positions);
    expect(update(grid, 2.5, 0.4).reason).toBe('first build');
    listed(grid, 'half', 2.5);
    const version = grid.sortVersion;
    const p = grid.block('position').array as Float64Array;
    for (let row = 0; row < 400; row++) {
      const [a, b, c] = [random() - 0.5, random() - 0.5, random() - 0.5];
      const norm = Math.hypot(a, b, c) / 0.1999;
      [a, b, c].forEach((value, k) => {
        p[4 * row + k] = p[4 * row + k]! + value / norm;
      });
    }
    const kept = update(grid, 2.5, 0.4);
    expect(kept.rebuilt).toBe(false);
    expect(kept.maxDisplacement).toBeCloseTo(0.1999, 10);
    expect(grid.sortVersion).toBe(version);
    expectExact(grid, 2.5, 2.5);
    p[4 * 17]! += 0.2;
    const rebuilt = update(grid, 2.5, 0.4);
    expect(rebuilt.rebuilt).toBe(true);
    expect(rebuilt.reason).toContain('moved');
    expectExact(grid, 2.5, 2.9);
    expect(update(grid, 2.5, 0.4).rebuilt).toBe(false);
    expect(update(grid, 2.5, 0.4, true).rebuilt).toBe(true);
    expect(update(grid, 2.4, 0.4).reason).toContain('cutoff');
    // Lists outlast small strains: strainedLists.test.ts.
    grid.domain = Domain.orthorhombic([9.01, 9, 9], { periodic: [true, true, false] });
    expect(update(grid, 2.4, 0.4).reason).toContain('box');
    grid.free();
  });

  it('permutes every block of whatever storage, stably', () => {
    const random = mulberry(3);
    const positions = Array.from(
      { length: 300 },
      () => [12 * random(), 12 * random(), 12 * random()] as const,
    );
    const grid = gridOf(heap, Domain.orthorhombic([12, 12, 12]), positions);
    for (const type of ['f64', 'f32', 'u32', 'i32', 'u64'] as const) {
      grid.addBlock({
        name: `wide_${type}`,
        type,
        width: 4,
        members: [`${type}a`, null, `${type}b`, null],
      });
      grid.addBlock({ name: `thin_${type}`, type, width: 1, members: [`${type}c`] });
      for (const name of 'abc')
        grid.setValues(
          `${type}${name}`,
          Array.from(positions.keys(), (k) => k + name.charCodeAt(0)),
        );
    }
    update(grid, 2, 0.2);
    const ids = grid.values('id');
    for (const type of ['f64', 'f32', 'u32', 'i32', 'u64'] as const) {
      for (const name of 'abc') {
        expect(Array.from(grid.values(`${type}${name}`))).toEqual(
          Array.from(ids, (id) => id + name.charCodeAt(0)),
        );
      }
    }
    const { start } = grid.cells;
    for (let cell = 0; cell < grid.cells.count; cell++) {
      const inCell = Array.from(ids.subarray(start[cell]!, start[cell + 1]!));
      expect(inCell).toEqual([...inCell].sort((a, b) => a - b));
    }
    expect(start[grid.cells.count]).toBe(300);
    grid.free();
  });

  it('grows lists and stencil buffers for a cluster that no estimate foresees', () => {
    const random = mulberry(5);
    const positions = Array.from(
      { length: 2500 },
      () => [50 + random(), 50 + random(), 50 + random()] as const,
    );
    const grid = gridOf(heap, Domain.orthorhombic([100, 100, 100]), positions);
    update(grid, 2, 0.1);
    expect(listed(grid, 'half', 2).length).toBe((2500 * 2499) / 2);
    grid.free();
  });

  it('handles no, one and two particles, planes and lines, and one that has flown away', () => {
    const open = Domain.open();
    for (const positions of [
      [],
      [[1, 2, 3]],
      [
        [0, 0, 0],
        [1, 1, 0],
      ],
      [
        [0, 0, 0],
        [0, 0, 1.5],
        [0, 0, 2.5],
      ],
      [
        [0, 0, 0],
        [1, 0, 0],
        [1e7, -1e6, 3],
      ],
    ] as [number, number, number][][]) {
      const grid = gridOf(heap, open, positions);
      update(grid, 2, 0.3);
      expectExact(grid, 2, 2.2999);
      grid.free();
    }
  });

  it('gives all memory back with the grid', () => {
    const before = heap.allocatedBytes;
    const { length, positions } = fccPositions(5, 0.8442);
    const grid = gridOf(heap, Domain.orthorhombic([length, length, length]), positions);
    update(grid, 2.5, 0.3);
    expect(listed(grid, 'half', 2.5).length).toBe(39 * positions.length);
    grid.free();
    expect(heap.allocatedBytes).toBe(before);
  });

  it('reports a skin that the box does not allow', () => {
    const grid = gridOf(heap, Domain.orthorhombic([5, 9, 9]), [
      [0, 0, 0],
      [2.4, 0, 0],
    ]);
    expect(update(grid, 2.5, 4).reason).toContain('a skin of 2.4999');
    expect(update(grid, 2.5, 4).rebuilt).toBe(false);
    grid.free();
  });

  it('finds the largest displacement, beside that of the box, and no number wherever one is', () => {
    const size = [7, 8, 9] as const;
    const at = (k: number, c: 0 | 1 | 2) => (size[c] * ((5 * k + 3 * c) % 37)) / 37;
    const places = Array.from({ length: 37 }, (_, k) => [at(k, 0), at(k, 1), at(k, 2)] as const);
    const grid = gridOf(heap, Domain.orthorhombic(size), places);
    const skin = 1;
    update(grid, 2, skin, true);
    const position = grid.block('position').array as Float64Array;
    const found = () =>
      updateNeighbors(services, { grid, rcut: 2, skin, force: 'never' }).maxDisplacement;
    const start = position.slice(0, 4 * grid.count);
    for (const [isStrained, map] of [
      [false, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
      [true, [1.001, 0.002, 0.003, 0.001, 1.002, 0.004, 0, 0.002, 1.003]],
    ] as const) {
      let most = 0;
      for (let row = 0; row < grid.count; row++) {
        const by = [0, 1, 2].map((c) => 0.01 * Math.sin(7 * row + c));
        most = Math.max(most, Math.hypot(...by));
        for (let c = 0; c < 3; c++)
          position[4 * row + c] =
            by[c]! + [0, 1, 2].reduce((sum, k) => sum + start[4 * row + k]! * map[3 * k + c]!, 0);
      }
      if (isStrained) {
        const rows = [0, 1, 2].flatMap((k) => [0, 1, 2].map((c) => size[k]! * map[3 * k + c]!));
        grid.domain = Domain.triclinic(rows);
        expect(found()).toBeGreaterThan(most); // what the strain takes of the skin comes to it
        expect(found()).toBeLessThan(most + 0.03);
      } else expect(found()).toBeCloseTo(most, 14);
      for (let row = 0; row < grid.count; row++) {
        const kept = position[4 * row + (row % 3)]!;
        position[4 * row + (row % 3)] = Number.NaN;
        expect(found(), `row ${row}`).toBeNaN();
        position[4 * row + (row % 3)] = kept;
      }
    }
    grid.free();
  });

  it('names what is wrong', () => {
    const grid = gridOf(heap, Domain.orthorhombic([5, 9, 9]), [
      [0, 0, 0],
      [2.4, 0, 0],
    ]);
    expect(code(() => update(grid, 76))).toBe('BOX_TOO_THIN');
    expect(code(() => neighborList(services, grid, 'half', 2))).toBe('NO_NEIGHBOR_LISTS');
    update(grid, 2, 0.1);
    expect(code(() => neighborList(services, grid, 'half', 2.2))).toBe('NO_NEIGHBOR_LISTS');
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const row = grid.rowsById()[1]!;
      (grid.block('position').array as Float64Array)[4 * row + 1] = value;
      expect(code(() => update(grid, 2, 0.1))).toBe('NOT_FINITE');
      expect(() => update(grid, 2, 0.1, true)).toThrow(/particle 1 /);
    }
    grid.free();
  });
});

function mulberry(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
