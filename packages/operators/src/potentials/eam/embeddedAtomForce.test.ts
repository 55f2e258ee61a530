import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluateForces } from '../../../../../test/support/evaluateForces.js';
import { frameOfPositions } from '../../../../../test/support/frameOfPositions.js';
import { embeddedAtomForce } from './embeddedAtomForce.js';
import { readSetfl, type SetflTables } from './readSetfl.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

const spacing = 0.1;
const points = 31;
const table = (f: (x: number) => number, step = spacing) =>
  Float64Array.from({ length: points }, (_, k) => f(k * step));

/*
 * Quadratics: differences over two and over four points are exact for them, and so are cubics with these slopes. Only in the
 * first and the last interval of a table, where slopes are those of chords, does the interpolation differ from them.
 */
const density = (element: number) => (r: number) => (element + 1) * (1 + (3 - r) ** 2);
/** r φ(r) of the pair number k of elements i ≥ j. */
const pair = (k: number) => (r: number) => 0.5 + k + (k + 1) * 0.1 * r ** 2;
const densitySpacing = 0.5;
const embedding = (element: number) => (rho: number) => -(element + 2) * rho + 0.05 * rho ** 2;

const tables: SetflTables = {
  elements: ['X', 'Y', 'Z'],
  rcut: 3,
  spacing,
  densitySpacing,
  density: [0, 1, 2].map((k) => table(density(k))),
  pair: [0, 1, 2, 3, 4, 5].map((k) => table(pair(k))),
  embedding: [0, 1, 2].map((k) => table(embedding(k), densitySpacing)),
};
const largestDensity = (points - 1) * densitySpacing;

/** F(ρ); beyond the last point it goes on straight, with the slope of the last two points (LAMMPS's pair_style eam). */
function embed(element: number, rho: number): number {
  const f = embedding(element);
  if (rho <= largestDensity) return f(rho);
  const slope = (f(largestDensity) - f(largestDensity - densitySpacing)) / densitySpacing;
  return f(largestDensity) + slope * (rho - largestDensity);
}

function bruteForce(positions: readonly (readonly number[])[], type: readonly number[]): number {
  let energy = 0;
  const rho = type.map(() => 0);
  positions.forEach((a, i) => {
    for (let j = 0; j < i; j++) {
      const b = positions[j]!;
      const r = Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
      if (r >= 3) continue;
      rho[i] = rho[i]! + density(type[j]!)(r);
      rho[j] = rho[j]! + density(type[i]!)(r);
      const [high, low] = [Math.max(type[i]!, type[j]!), Math.min(type[i]!, type[j]!)];
      energy += pair((high * (high + 1)) / 2 + low)(r) / r;
    }
  });
  return rho.reduce((sum, value, i) => sum + embed(type[i]!, value), energy);
}

const evaluate = (
  positions: readonly (readonly number[])[],
  type: readonly number[],
  types = tables.elements,
) =>
  evaluateForces(
    ctx,
    frameOfPositions(positions, null, { species: types, type: Uint32Array.from(type) }),
    [embeddedAtomForce({ types, tables })],
  );

it.each([
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 1],
  [1, 2],
  [2, 2],
])('elements %i and %i: the energy is that of their own tables', async (a, b) => {
  // 2.73 is in the last interval but two, 2.87 in the last but one of every table of r.
  for (const r of [1.234, 2.11, 2.73, 2.87]) {
    const dimer = [
      [0, 0, 0],
      [0, r, 0],
    ];
    const { energy, perParticle } = await evaluate(dimer, [a, b]);
    expect(energy, `at ${r}`).toBeCloseTo(bruteForce(dimer, [a, b]), 10);
    expect(perParticle, `at ${r}`).toBeCloseTo(energy, 11);
  }
});

it('beyond the last density of its table the embedding energy goes on straight, in totals too', async () => {
  // Nine neighbors of every particle add up to more than the largest density, 15.
  const cluster = Array.from({ length: 10 }, (_, k) => [
    0.7 * Math.sin(k) + 0.05 * k,
    0.7 * Math.cos(2 * k),
    0.7 * Math.sin(3 * k + 1),
  ]);
  for (const [type, types] of [
    [cluster.map((_, k) => k % 3), tables.elements],
    [cluster.map(() => 0), ['X']],
  ] as const) {
    const { energy, perParticle, forces } = await evaluate(cluster, type, types);
    expect(energy).toBeCloseTo(bruteForce(cluster, type), 8);
    expect(perParticle).toBeCloseTo(energy, 9);
    const h = 1e-5;
    for (let k = 0; k < 6; k++) {
      const moved = (by: number) =>
        cluster.map((r, i) => r.map((x, axis) => (3 * i + axis === k ? x + by : x)));
      const at = (n: number) => bruteForce(moved(n * h), type);
      const derivative = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
      expect(Math.abs(forces[k]! + derivative)).toBeLessThan(
        1e-5 * Math.max(1, Math.abs(derivative)),
      );
    }
  }
});

it('in the form of Finnis and Sinclair an element gives each other element a density of its own', async () => {
  const gives = (from: number, to: number) => (r: number) => (1 + from + 0.3 * to) * (3.2 - r) ** 2;
  const numbers = (f: (x: number) => number, step: number) => [...table(f, step)].join(' ');
  const elements = ['X', 'Y'];
  const text = [
    ...['comment', '', '', '2 X Y', `${points} ${densitySpacing} ${points} ${spacing} 3`],
    ...elements.flatMap((_, from) => [
      `${29 + from} 63.5 3.6 fcc`,
      numbers(embedding(from), densitySpacing),
      ...elements.map((__, to) => numbers(gives(from, to), spacing)),
    ]),
    ...[0, 1, 2].map((k) => numbers(pair(k), spacing)),
  ].join('\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-eam-'));
  writeFileSync(path.join(folder, 'XY.eam.fs'), text);
  const read = readSetfl(path.join(folder, 'XY.eam.fs'));
  rmSync(folder, { recursive: true });
  expect(read.density).toHaveLength(4);
  // Types in another order than elements, and two of the same element.
  const types = ['Y', 'X', 'Z'];
  const element = [1, 0, 1];
  const positions = [
    [0, 0, 0],
    [0, 2.11, 0],
    [1.9, 0.4, 0.3],
    [0.2, 0.8, 2.2],
  ];
  const type = [0, 1, 2, 1];
  const kind = type.map((k) => element[k]!);
  const energy = positions.reduce((sum, a, i) => {
    const pairs = positions.flatMap((b, j) => {
      const r = Math.hypot(...a.map((x, axis) => x - b[axis]!));
      return i === j || r >= 3 ? [] : [{ r, from: kind[j]! }];
    });
    const rho = pairs.reduce((all, { r, from }) => all + gives(from, kind[i]!)(r), 0);
    return pairs.reduce(
      (all, { r, from }) => all + pair(from + kind[i]!)(r) / r / 2,
      sum + embed(kind[i]!, rho),
    );
  }, 0);
  const term = embeddedAtomForce({ types, tables: read, elements: { Z: 'Y' } });
  const species = frameOfPositions(positions, null, {
    species: types,
    type: Uint32Array.from(type),
  });
  const found = await evaluateForces(ctx, species, [term]);
  expect(found.energy).toBeCloseTo(energy, 9);
  const alone = embeddedAtomForce({ types: ['Y'], tables: read });
  const dimer = frameOfPositions(positions.slice(0, 2), null, {
    species: ['Y'],
    type: new Uint32Array(2),
  });
  const expected = 2 * embed(1, gives(1, 1)(2.11)) + pair(2)(2.11) / 2.11;
  expect((await evaluateForces(ctx, dimer, [alone])).energy).toBeCloseTo(expected, 10);
});

it('reads a file of one element, whose pairs are by charges and whose last points LAMMPS leaves out', () => {
  const charge = (r: number) => Math.sqrt(0.2 + 0.1 * r ** 2);
  const numbers = (f: (x: number) => number, step: number) =>
    Array.from({ length: points }, (_, k) => f(k * step)).join(' ');
  const text = [
    'a comment',
    '  29  63.550  3.6150  FCC',
    `${points} ${densitySpacing} ${points} ${spacing} 3.0`,
    numbers(embedding(0), densitySpacing),
    numbers(charge, spacing),
    numbers(density(0), spacing),
  ].join('\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-eam-'));
  try {
    const file = path.join(folder, 'X.eam');
    writeFileSync(file, text);
    const read = readSetfl(file, { length: 2, energy: 3 });
    expect(read.rcut).toBe(6);
    expect(read.pair[0]).toHaveLength(points - 1);
    for (const [k, z] of read.pair[0]!.entries())
      expect(z).toBeCloseTo(6 * 27.2 * 0.529 * (0.2 + 0.1 * (k * spacing) ** 2), 10);
    expect(read.embedding[0]![4]).toBeCloseTo(3 * embedding(0)(4 * densitySpacing), 12);
    // Types of any name are of the only element.
    expect(embeddedAtomForce({ types: ['A', 'B'], tables: read }).rcut).toBe(6);
    writeFileSync(file, text.replace(`${points} ${densitySpacing}`, `2 ${densitySpacing}`));
    expect(() => readSetfl(file)).toThrow('line 3 must say Nrho drho Nr dr cutoff');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
