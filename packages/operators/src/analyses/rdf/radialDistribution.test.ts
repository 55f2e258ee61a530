import { readFileSync } from 'node:fs';
import { Domain, Grid } from '@corpuscle/core';
import { RadialDistribution } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';

const data = (name: string) =>
  readFileSync(new URL(`../../../../../test/data/rdf/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));

function gridOf(
  ctx: ExecutionContext,
  domain: Domain,
  particles: readonly { type: number; r: readonly number[] }[],
): Grid {
  const grid = new Grid(ctx.heap, domain);
  grid.resize(particles.length);
  particles.forEach(({ type, r }, k) => {
    (grid.block('position').array as Float64Array).set(r, 4 * k);
    (grid.block('type').array as Uint32Array)[k] = type;
    (grid.block('id').array as BigUint64Array)[k] = BigInt(k);
  });
  for (const name of ['position', 'type', 'id']) grid.block(name).hostWritten();
  return grid;
}

describe('radial distribution', () => {
  it.each(['cpu', 'webgpu'] as const)(
    'is that of LAMMPS in a skewed box, on %s',
    async (backend) => {
      process.env.CORPUSCLE_SOFTWARE_GPU = '1';
      await using ctx = await createExecutionContext({
        backend,
        threads: 1,
        precision: backend === 'cpu' ? 'f64' : 'f32',
      });
      const particles = data('frame.dump')
        .slice(9)
        .map(([, type, x, y, z]) => ({ type: type! - 1, r: [x!, y!, z!] }));
      const domain = Domain.triclinic([6, 0, 0, 1.2, 6.5, 0, -0.7, 0.9, 7]);
      const grid = gridOf(ctx, domain, particles);
      const rdf = new RadialDistribution(ctx, { types: ['A', 'B'], rMax: 2.6, bins: 40 });
      await rdf.add(grid);
      await rdf.add(grid); // the mean of two equal frames
      const result = rdf.result();
      expect(result.frames).toBe(2);
      expect(result.pairs.map(({ types }) => types.join('-'))).toEqual(['A-A', 'A-B', 'B-B']);
      data('rdf.txt')
        .slice(4)
        .forEach(([, r, ...columns], k) => {
          expect(Math.abs(result.r[k]! - r!)).toBeLessThan(1e-5);
          result.pairs.forEach(({ g, coordination }, n) => {
            // LAMMPS prints six digits.
            expect(Math.abs(g[k]! - columns[2 * n]!)).toBeLessThan(1e-5 * Math.max(1, g[k]!));
            expect(Math.abs(coordination[k]! - columns[2 * n + 1]!)).toBeLessThan(1e-4);
          });
        });
      grid.free();
    },
  );

  it('of an ideal gas is 1, with lists and without', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    let seed = 3;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    const gas = Array.from({ length: 3000 }, () => ({
      type: 0,
      r: [random() * 10, random() * 11, random() * 12],
    }));
    const grid = gridOf(ctx, Domain.orthorhombic([10, 11, 12]), gas);
    for (const rMax of [2, 5]) {
      const rdf = new RadialDistribution(ctx, { types: ['A'], rMax, bins: 4 });
      await rdf.add(grid);
      // 3000²/2 pairs, the least bin has 70 of them … a few per cent of noise in the first, less in the others.
      for (const [k, g] of rdf.result().pairs[0]!.g.entries())
        expect(Math.abs(g - 1)).toBeLessThan(k === 0 ? 0.15 : 0.03);
    }
    // Two equal frames and one that is denser: the error is that of three numbers.
    const one = new RadialDistribution(ctx, { types: ['A'], rMax: 2, bins: 2 });
    await one.add(grid);
    const [first] = one.result().pairs[0]!.g;
    expect(one.result().pairs[0]!.error[0]).toBeNaN();
    await one.add(grid);
    const other = gridOf(ctx, Domain.orthorhombic([10, 11, 12]), gas.slice(0, 2000));
    await one.add(other);
    const alone = new RadialDistribution(ctx, { types: ['A'], rMax: 2, bins: 2 });
    await alone.add(other);
    const values = [first!, first!, alone.result().pairs[0]!.g[0]!];
    const mean = (2 * values[0]! + values[2]!) / 3;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    expect(one.result().pairs[0]!.error[0]).toBeCloseTo(Math.sqrt(squares / 2 / 3), 12);
    other.free();
    const whole = new RadialDistribution(ctx, { types: ['A'] });
    await whole.add(grid);
    expect(whole.result().r.at(-1)).toBeCloseTo(5 - 0.025, 12);
    grid.free();
  });

  it('tells what is wrong', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const two = [
      { type: 0, r: [0, 0, 0] },
      { type: 0, r: [1, 0, 0] },
    ];
    expect(() => new RadialDistribution(ctx, { types: ['A'], pairs: [['A', 'C']] })).toThrow("'C'");
    expect(() => new RadialDistribution(ctx, { types: ['A'], bins: 0 })).toThrow('bins is 0');
    const box = gridOf(ctx, Domain.orthorhombic([4, 4, 4]), two);
    await expect(new RadialDistribution(ctx, { types: ['A'], rMax: 61 }).add(box)).rejects.toThrow(
      'is more than 15 times the box',
    );
    const open = gridOf(ctx, Domain.open(), two);
    await expect(new RadialDistribution(ctx, { types: ['A'] }).add(open)).rejects.toThrow('r_max');
    for (const grid of [box, open]) grid.free();
  });
});
