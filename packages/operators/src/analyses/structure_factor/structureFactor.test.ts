import { Domain, Grid, philox4x32 } from '@corpuscle/core';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { StructureFactor } from './StructureFactor.js';
import { chooseWaveVectors, lengthOf } from './waveVectors.js';

const random = (k: number): number => philox4x32([k, 0, 0, 0], [7, 0])[0]! / 2 ** 32;

function gridOf(ctx: ExecutionContext, domain: Domain, s: readonly number[][], types = 1): Grid {
  const grid = new Grid(ctx.heap, domain);
  grid.resize(s.length);
  s.forEach(([a, b, c], k) => {
    (grid.block('position').array as Float64Array).set(domain.toCartesian(a!, b!, c!), 4 * k);
    (grid.block('type').array as Uint32Array)[k] = k % types;
  });
  for (const name of ['position', 'type']) grid.block(name).hostWritten();
  return grid;
}

const gas = (count: number, seed = 0): number[][] =>
  Array.from({ length: count }, (_, k) => [0, 1, 2].map((c) => random(3 * (k + seed) + c)));

const skewed = Domain.triclinic([6, 0, 0, 1.2, 6.5, 0, -0.7, 0.9, 7], { origin: [1, -2, 3] });

describe.each([
  ['cpu', 'f64', 2, 1e-9],
  ['webgpu', 'f32', 1, 2e-3],
] as const)('structure factor on %s', (backend, precision, threads, tolerance) => {
  it('is the sum over all particles, for each pair of types in a skewed box', async () => {
    await using ctx = await createExecutionContext({ backend, precision, threads });
    const grid = gridOf(ctx, skewed, gas(150), 2);
    const bins = 8;
    const qMax = 4;
    const factor = new StructureFactor(ctx, { types: ['A', 'B'], qMax, bins, vectors: 1e6 });
    await factor.add(grid);
    const { q, vectors, total, pairs } = factor.result();

    // All q = 2π (h a* + k b* + l c*), each with its opposite.
    const { matrix, volume } = skewed;
    const edge = (k: number) => [0, 1, 2].map((c) => matrix[3 * k + c]!);
    const cross = ([a, b, c]: number[], [x, y, z]: number[]) => [
      b! * z! - c! * y!,
      c! * x! - a! * z!,
      a! * y! - b! * x!,
    ];
    const stars = [0, 1, 2].map((k) => cross(edge((k + 1) % 3), edge((k + 2) % 3)));
    const sums = Array.from({ length: bins }, () => ({ n: 0, q: 0, s: [0, 0, 0, 0] }));
    const position = grid.block('position').array;
    const numbers = [75, 75];
    for (let h = -6; h <= 6; h++)
      for (let k = -6; k <= 6; k++)
        for (let l = -6; l <= 6; l++) {
          const wave = [0, 1, 2].map(
            (c) =>
              (2 * Math.PI * (h * stars[0]![c]! + k * stars[1]![c]! + l * stars[2]![c]!)) / volume,
          );
          const length = Math.hypot(...wave);
          if (length === 0 || length >= qMax) continue;
          const rho = [
            [0, 0],
            [0, 0],
          ];
          for (let row = 0; row < grid.count; row++) {
            const angle = wave.reduce((sum, x, c) => sum + x * Number(position[4 * row + c]), 0);
            rho[row % 2]![0]! += Math.cos(angle);
            rho[row % 2]![1]! += Math.sin(angle);
          }
          const product = (a: number, b: number) =>
            (rho[a]![0]! * rho[b]![0]! + rho[a]![1]! * rho[b]![1]!) /
            Math.sqrt(numbers[a]! * numbers[b]!);
          const all = Math.hypot(rho[0]![0]! + rho[1]![0]!, rho[0]![1]! + rho[1]![1]!) ** 2 / 150;
          const bin = sums[Math.floor((length * bins) / qMax)]!;
          bin.n++;
          bin.q += length;
          [all, product(0, 0), product(0, 1), product(1, 1)].forEach((x, m) => {
            bin.s[m]! += x;
          });
        }
    const filled = sums.filter(({ n }) => n > 0);
    expect(vectors).toEqual(filled.map(({ n }) => n / 2));
    expect(pairs.map(({ types }) => types.join('-'))).toEqual(['A-A', 'A-B', 'B-B']);
    filled.forEach(({ n, q: length, s }, k) => {
      expect(Math.abs(q[k]! - length / n)).toBeLessThan(1e-12);
      expect(Math.abs(total.s[k]! - s[0]! / n)).toBeLessThan(tolerance);
      pairs.forEach((pair, m) => {
        expect(Math.abs(pair.s[k]! - s[m + 1]! / n)).toBeLessThan(tolerance);
      });
    });
    factor.close();
    grid.free();
  });

  it('of a crystal is N at Bragg peaks and 0 elsewhere', async () => {
    await using ctx = await createExecutionContext({ backend, precision, threads });
    const basis = [
      [0, 0, 0],
      [0.5, 0.5, 0],
      [0.5, 0, 0.5],
      [0, 0.5, 0.5],
    ];
    const cells = [0, 1, 2];
    const sites = cells.flatMap((x) =>
      cells.flatMap((y) =>
        cells.flatMap((z) => basis.map(([a, b, c]) => [(x + a!) / 3, (y + b!) / 3, (z + c!) / 3])),
      ),
    );
    const domain = Domain.orthorhombic([3, 3, 3]);
    const grid = gridOf(ctx, domain, sites);
    // With n of the box: (333) is (111) of the crystal, and (600) is (200). Up to the sign there are 4 and 3 of them.
    const unit = (2 * Math.PI) / 3;
    const factor = new StructureFactor(ctx, {
      types: ['A'],
      qMax: unit * Math.sqrt(36.5),
      bins: 4000,
      vectors: 1e6,
    });
    await factor.add(grid);
    const { q, vectors, total } = factor.result();
    q.forEach((length, k) => {
      const square = Math.round((length / unit) ** 2);
      // Others have the same length, such as (511) and (442), and are no peaks.
      const peaks = square === 27 ? 4 : square === 36 ? 3 : 0;
      const expected = (108 * peaks) / vectors[k]!;
      expect(Math.abs(total.s[k]! - expected), `|n|² = ${square}`).toBeLessThan(100 * tolerance);
    });
    factor.close();
    grid.free();
  });
});

it('of an ideal gas is 1, within the errors from blocks of frames', async () => {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const domain = Domain.orthorhombic([8, 9, 10]);
  const factor = new StructureFactor(ctx, { types: ['A'], qMax: 12, bins: 6, vectors: 40 });
  for (let frame = 0; frame < 24; frame++) {
    const grid = gridOf(ctx, domain, gas(300, 300 * frame));
    await factor.add(grid);
    grid.free();
  }
  const { total, vectors } = factor.result();
  expect(vectors.slice(2)).toEqual([40, 40, 40, 40]);
  total.s.forEach((s, k) => {
    expect(Math.abs(s - 1) / total.error[k]!).toBeLessThan(4);
    // |ρ|²/N is distributed exponentially, so that its deviation is 1.
    expect(total.error[k]! * Math.sqrt(24 * vectors[k]!)).toBeGreaterThan(0.5);
    expect(total.error[k]! * Math.sqrt(24 * vectors[k]!)).toBeLessThan(1.7);
  });
  factor.close();
});

it('chooses wave vectors of a large box from a sphere', () => {
  const domain = Domain.orthorhombic([200, 210, 190]);
  const { n, bin } = chooseWaveVectors(domain, { qMax: 20, bins: 50, most: 60 });
  expect(bin.length).toBe(50 * 60);
  const seen = new Set<string>();
  bin.forEach((k, v) => {
    const [x, y, z] = [n[3 * v]!, n[3 * v + 1]!, n[3 * v + 2]!];
    expect(Math.floor(lengthOf(domain, x, y, z) / 0.4)).toBe(k);
    expect(seen.has(`${x},${y},${z}`) || seen.has(`${-x},${-y},${-z}`)).toBe(false);
    seen.add(`${x},${y},${z}`);
  });
});

it('tells what is wrong', async () => {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  expect(() => new StructureFactor(ctx, { types: ['A'], qMax: 0 })).toThrow('q_max is 0');
  expect(() => new StructureFactor(ctx, { types: ['A'], qMax: 1, bins: 0 })).toThrow('bins is 0');
  const open = gridOf(ctx, Domain.open(), gas(4));
  const small = gridOf(ctx, Domain.orthorhombic([1, 1, 1]), gas(4));
  const factor = new StructureFactor(ctx, { types: ['A'], qMax: 1 });
  await expect(factor.add(open)).rejects.toThrow('open along an axis');
  await expect(factor.add(small)).rejects.toThrow('raise it');
  for (const grid of [open, small]) grid.free();
});
