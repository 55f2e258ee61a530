import { describe, expect, it } from 'vitest';
import {
  type StillingerWeberEntry,
  silicon,
  stillingerWeberForce,
} from './stillingerWeberForce.js';

const one = (entry: Partial<StillingerWeberEntry>) =>
  stillingerWeberForce({ types: ['Si'], triplets: [{ ...silicon, ...entry }] });

describe('where exponentials fall below tol, nothing is computed', () => {
  const cut = silicon.a * silicon.sigma;

  it('without tol up to the cutoff a σ', () => {
    expect(one({}).rcut).toBe(cut);
    expect(one({ tol: 0 }).rcut).toBe(cut);
  });

  // At the reach the larger one of exp(σ/(r − aσ)) and exp(γσ/(r − aσ)) is tol; LAMMPS takes 0.01 for any larger tol.
  it.each([
    [0.5, 1e-4],
    [1, 1e-4],
    [1.2, 1e-4],
    [1.2, 1e-8],
    [0.7, 0.5],
  ])('with gamma %d and tol %d', (gamma, tol) => {
    const { rcut } = one({ gamma, tol });
    const largest = Math.max(
      Math.exp(silicon.sigma / (rcut - cut)),
      Math.exp((gamma * silicon.sigma) / (rcut - cut)),
    );
    expect(largest / Math.min(tol, 0.01)).toBeCloseTo(1, 10);
  });
});

describe('parameters that do not fit each other', () => {
  const types = ['A', 'B'];
  const triplets = types.flatMap((a) =>
    types.flatMap((b) => types.map((c) => ({ ...silicon, types: [a, b, c] as const, tol: 1e-4 }))),
  );
  const changed = (name: string, change: Partial<StillingerWeberEntry>) =>
    stillingerWeberForce({
      types,
      triplets: triplets.map((entry) =>
        entry.types.join('') === name ? { ...entry, ...change } : entry,
      ),
    });

  it.each(['sigma', 'a', 'B', 'p', 'q', 'tol'] as const)(
    'are refused where both sides of a pair see another %s',
    (key) => {
      expect(() => changed('ABB', { [key]: (silicon[key] ?? 1e-4) + 0.001 })).toThrow(
        expect.objectContaining({
          code: 'INVALID_VALUE',
          message: expect.stringMatching(new RegExp(`^${key} is .* for A-B-B`)),
        }),
      );
    },
  );

  it.each(['epsilon', 'A'] as const)(
    'are refused where both sides of a pair see another A epsilon by its %s',
    (key) => {
      expect(() => changed('ABB', { [key]: silicon[key] + 0.001 })).toThrow(
        expect.objectContaining({
          code: 'INVALID_VALUE',
          message: expect.stringMatching(/^A epsilon is .* for A-B-B/),
        }),
      );
    },
  );

  it.each([
    ['epsilon', 'lambda epsilon'],
    ['lambda', 'lambda epsilon'],
    ['cosTheta0', 'cosTheta0'],
  ] as const)('are refused where %s depends on the order of the neighbors', (key, name) => {
    expect(() => changed('ABA', { [key]: silicon[key] + 0.001 })).toThrow(
      expect.objectContaining({
        code: 'INVALID_VALUE',
        message: expect.stringMatching(new RegExp(`^${name} is .* A-B-A|^${name} is .* A-A-B`)),
      }),
    );
  });

  it('may differ where nothing depends on them', () => {
    expect(() => changed('ABB', { lambda: 3, gamma: 0.9 })).not.toThrow();
    expect(() => changed('ABA', { sigma: 9, a: 9, A: 9, B: 9, p: 9, q: 9, tol: 0 })).not.toThrow();
  });

  it('may be 0 in triplets of three kinds of pairs, as in files for CdTe and GaN', () => {
    const unused = { sigma: 0, a: 0, gamma: 0, A: 0, B: 0, p: 0, q: 0, tol: 0 };
    expect(() => changed('ABA', unused)).not.toThrow();
    expect(() => changed('ABB', unused)).toThrow(/sigma is 0 and a 0/);
  });

  it('may split lambda epsilon differently, rounded to seven digits, as in files for ZnS', () => {
    const { epsilon, lambda } = silicon;
    const split = { epsilon: 2 * epsilon, lambda: Number((lambda / 2).toPrecision(7)) };
    expect(() => changed('ABA', split)).not.toThrow();
  });
});
