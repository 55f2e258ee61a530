import { Domain, philox4x32 } from '@corpuscle/core';
import { createGrid, lattice, lennardJonesForce, minimize } from '@corpuscle/operators';
import { createExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../test/support/frameOfPositions.js';
import { setBox } from '../box/setBox.js';
import { noStrain, strainBox } from '../box/strainBox.js';

type Vector = readonly [number, number, number];

/** All orders and signs of three numbers. */
function family(...numbers: Vector): Vector[] {
  const [a, b, c] = numbers;
  const orders = [numbers, [b, c, a], [c, a, b], [a, c, b], [c, b, a], [b, a, c]] as const;
  const signs = [1, -1];
  const all = orders.flatMap(([x, y, z]) =>
    signs.flatMap((p) =>
      signs.flatMap((q) => signs.map((r): Vector => [p * x + 0, q * y + 0, r * z + 0])),
    ),
  );
  return [
    ...new Map(
      all.map((v) => [
        v
          .map((x) => x + 0)
          .join(' ')
          .replaceAll('-0', '0'),
        v,
      ]),
    ).values(),
  ];
}

const golden = (1 + Math.sqrt(5)) / 2;
const clusters: Record<string, { places: Vector[]; energy: number }> = {
  // Wales and Doye, J. Phys. Chem. A 101, 5111 (1997); six digits are published.
  LJ13: {
    places: [
      [0, 0, 0],
      ...family(0, 1, golden).filter(([x, y, z]) => {
        const at = [x, y, z].indexOf(0);
        return Math.abs([x, y, z][(at + 1) % 3]!) === 1; // even orders
      }),
    ].map((v) => v.map((x) => x * 0.57) as unknown as Vector),
    energy: -44.326801,
  },
  LJ38: {
    places: [...family(1, 0, 0), ...family(1, 1, 1), ...family(2, 1, 0)].map(
      (v) => v.map((x) => x * 0.78) as unknown as Vector,
    ),
    energy: -173.928427,
  },
};

/** Places, each coordinate moved by up to `by`. */
const disturbed = (places: readonly Vector[], by: number, seed: number): number[] =>
  places.flatMap((v, k) => {
    const words = philox4x32([k, 0, 0, 0], [seed, 0]);
    return v.map((x, axis) => x + by * (2 * (words[axis]! / 2 ** 32) - 1));
  });

const force = (rcut: number) => lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut });

describe.each(['fire', 'cg', 'sd'] as const)('%s', (style) => {
  it.each(['LJ13', 'LJ38'])(
    'brings %s from disturbed starts to its published energy',
    async (name) => {
      await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
      const { places, energy } = clusters[name]!;
      expect(places).toHaveLength(Number(name.slice(2)));
      for (const seed of [1, 2]) {
        const frame = frameOfPositions(disturbed(places, 0.12, seed), null);
        const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
        grid.domain = Domain.open();
        const found = await minimize(grid, ctx, [force(8)], {
          style,
          forceTolerance: style === 'sd' ? 1e-5 : 1e-9,
          maxDisplacement: 0.1,
        });
        expect(found.end).toBe('force');
        expect(Math.abs(found.energy - energy)).toBeLessThan(1e-6);
        expect(found.evaluations).toBeGreaterThan(found.steps);
        expect(found.evaluations).toBeLessThan(style === 'sd' ? 8000 : 1500);
        grid.free();
      }
    },
  );
});

it('fire goes on from a minimum without leaving it', async () => {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const frame = frameOfPositions(disturbed(clusters.LJ38!.places, 0.12, 1), null);
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
  grid.domain = Domain.open();
  await minimize(grid, ctx, [force(8)], { forceTolerance: 1e-5 });
  const places = () => Array.from(grid.block('position').array as Float64Array);
  const before = places();
  const options = { style: 'fire', forceTolerance: 1e-9, maxSteps: 6 } as const;
  await minimize(grid, ctx, [force(8)], options);
  const moved = places().map((x, k) => Math.abs(x - before[k]!));
  expect(Math.max(...moved)).toBeGreaterThan(0);
  expect(Math.max(...moved)).toBeLessThan(1e-6);
  grid.free();
});

/** Energy of an atom and pressure of an fcc crystal, summed over its lattice within a cutoff. */
function latticeSums(density: number, rcut: number): { energy: number; pressure: number } {
  const a = Math.cbrt(4 / density);
  const most = Math.ceil((2 * rcut) / a);
  let [energy, virial] = [0, 0];
  for (let i = -most; i <= most; i++)
    for (let j = -most; j <= most; j++)
      for (let k = -most; k <= most; k++) {
        const r2 = ((i * i + j * j + k * k) * a * a) / 4;
        if ((i + j + k) % 2 !== 0 || r2 === 0 || r2 >= rcut * rcut) continue;
        const s6 = r2 ** -3;
        energy += 2 * (s6 * s6 - s6);
        virial += 0.5 * 24 * (2 * s6 * s6 - s6);
      }
  return { energy, pressure: (density * virial) / 3 };
}

/** Where the lattice sums have this pressure. */
function relaxedDensity(pressure: number, rcut: number): number {
  let [low, high] = [0.9, 1.3];
  for (let n = 0; n < 60; n++) {
    const middle = (low + high) / 2;
    if (latticeSums(middle, rcut).pressure < pressure) low = middle;
    else high = middle;
  }
  return low;
}

describe('a box relaxes', () => {
  it.each([
    ['fire', 0, 2.5, 'iso'],
    ['cg', 0, 2.5, 'iso'],
    ['cg', 5, 2.2, 'iso'],
    ['cg', 0, 2.5, 'aniso'],
    ['fire', 5, 2.2, 'triclinic'],
  ] as const)(
    'with %s at pressure %d as direct lattice sums do (rcut %d, %s)',
    async (style, pressure, rcut, coupling) => {
      await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
      const crystal = lattice({ structure: 'fcc', density: 1.0, repeat: [4, 4, 4] });
      const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
      const r = grid.block('position').array as Float64Array;
      for (let k = 0; k < grid.count; k++) r[4 * k + (k % 3)]! += 0.05 * Math.sin(k * k);
      grid.block('position').hostWritten();
      const strain = { ...noStrain, xx: 0.01, zz: -0.02, xz: coupling === 'triclinic' ? 0.01 : 0 };
      if (coupling !== 'iso') setBox(grid, ctx, strainBox(grid.domain, strain), 'positions');
      const found = await minimize(grid, ctx, [force(rcut)], {
        style,
        forceTolerance: 1e-9,
        pressure,
        coupling,
        maxDisplacement: 0.05,
      });
      const density = grid.count / grid.domain.volume;
      const expected = relaxedDensity(pressure, rcut);
      expect(found.end).toBe('force');
      expect(Math.abs(density / expected - 1)).toBeLessThan(1e-8);
      expect(Math.abs(found.energy / grid.count - latticeSums(expected, rcut).energy)).toBeLessThan(
        1e-7,
      );
      const edge = Math.cbrt(grid.domain.volume);
      grid.domain.matrix.forEach((x, k) => {
        expect(Math.abs(x - (k % 4 === 0 ? edge : 0))).toBeLessThan(1e-7);
      });
      grid.free();
    },
  );

  it.each([
    ['aniso', Domain.triclinic([9, 0, 0, 1, 9, 0, 0, 0, 9]), /use coupling: triclinic, or iso/],
    ['triclinic', Domain.triclinic([9, 1, 0, 0, 9, 0, 0, 0, 9]), /turn the box/],
    ['iso', Domain.open(), /changes the length along x, where the box is not periodic/],
    ['aniso', Domain.open(), /changes the length along x, where the box is not periodic/],
  ] as const)('%s, not in a box that cannot', async (coupling, domain, message) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = createGrid(
      frameOfPositions([1, 1, 1, 2, 2, 2]),
      [{ name: 'A', mass: 1 }],
      ctx.heap,
    );
    grid.domain = domain;
    const options = { forceTolerance: 1e-3, pressure: 0, coupling };
    await expect(minimize(grid, ctx, [force(2.5)], options)).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_VALUE', message: expect.stringMatching(message) }),
    );
    grid.free();
  });
});

describe('a tolerance below the last digits ends', () => {
  it.each([
    ['fire', 'f32', undefined],
    ['cg', 'f32', undefined],
    ['sd', 'f32', undefined],
    ['fire', 'f64', undefined],
    ['cg', 'f64', undefined],
    ['fire', 'f32', 0],
  ] as const)('%s in %s, at pressure %s', async (style, precision, pressure) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1, precision });
    const crystal = lattice({ structure: 'fcc', density: 1.0, repeat: [3, 3, 3] });
    const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
    const r = grid.block('position').array as Float64Array;
    for (let k = 0; k < grid.count; k++) r[4 * k + (k % 3)]! += 0.05 * Math.sin(k * k);
    grid.block('position').hostWritten();
    const options = { style, forceTolerance: 0, maxSteps: 50_000, pressure };
    const found = await minimize(grid, ctx, [force(2.2)], options);
    expect(found.end).toBe('line');
    expect(found.evaluations).toBeLessThan(6000);
    const density = grid.count / grid.domain.volume;
    const limit = precision === 'f32' ? 1e-5 : 1e-13;
    const expected = latticeSums(density, 2.2).energy;
    expect(Math.abs(found.energy / grid.count / expected - 1)).toBeLessThan(limit);
    grid.free();
  });
});

it('minimizes on a device as far as its digits go', async () => {
  await using ctx = await createExecutionContext({ backend: 'webgpu', precision: 'f32' });
  const { places, energy } = clusters.LJ13!;
  const frame = frameOfPositions(disturbed(places, 0.02, 3), null);
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
  grid.domain = Domain.open();
  const found = await minimize(grid, ctx, [force(8)], {
    style: 'cg',
    forceTolerance: 0.05,
    maxDisplacement: 0.1,
  });
  expect(found.end).toBe('force');
  expect(Math.abs(found.energy - energy)).toBeLessThan(1e-4);
  await newestOnHost(grid, ctx);
  grid.free();
});
