import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluateForces } from '../../../../../test/support/evaluateForces.js';
import { frameOfPositions } from '../../../../../test/support/frameOfPositions.js';
import { type SuttonChenPair, suttonChenForce } from './suttonChen.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

const types = ['A', 'B'];
const pairs: readonly SuttonChenPair[] = [
  { types: ['A', 'A'], epsilon: 1.3, a: 1.1, n: 9, m: 6, c: 20, rcut: 4 },
  { types: ['A', 'B'], epsilon: 0.9, a: 1.2, n: 10, m: 7, c: 33, rcut: 4 },
  { types: ['B', 'B'], epsilon: 0.6, a: 1.3, n: 8, m: 5, c: 15, rcut: 4 },
];

const dimer = (type: readonly number[], r: number, options: readonly SuttonChenPair[] = pairs) =>
  evaluateForces(
    ctx,
    frameOfPositions(
      [
        [0, 0, 0],
        [r, 0, 0],
      ],
      null,
      { species: types, type: Uint32Array.from(type) },
    ),
    [suttonChenForce({ types, pairs: options })],
  );

it.each([
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
])(
  'a dimer of types %i and %i has ε (a/r)ⁿ − Σ c ε √(a/r)ᵐ, c and ε of like pairs',
  async (i, j) => {
    const { epsilon, a, n, m } = pairs[i + j]!;
    const depth = [pairs[0]!, pairs[2]!].map((like) => like.c * like.epsilon);
    const strength = depth[i]! + depth[j]!;
    for (const r of [0.9, 1.4, 3.5]) {
      const s = a / r;
      const { energy, perParticle, forces } = await dimer([i, j], r);
      const exact = epsilon * s ** n - strength * s ** (m / 2);
      expect(energy / exact).toBeCloseTo(1, 12);
      expect(perParticle / exact).toBeCloseTo(1, 12);
      const slope = (-n * epsilon * s ** n + (m / 2) * strength * s ** (m / 2)) / r;
      expect(forces[3]! / -slope).toBeCloseTo(1, 11);
    }
  },
);

it('forces vanish, and are numbers, where densities are too small for a number', async () => {
  // (1/4)⁶⁰⁰ is below the smallest double.
  const steep = { epsilon: 1, a: 1, n: 600, m: 600, c: 10, rcut: 5 };
  const { energy, forces } = await dimer([0, 0], 4, [steep]);
  expect(energy).toBeCloseTo(0, 15);
  for (const f of forces) expect(Math.abs(f)).toBe(0);
});
