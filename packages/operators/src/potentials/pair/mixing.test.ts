import { dimensions } from '@corpuscle/core';
import { createExecutionContext, updateNeighbors } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { ForceLedger } from '../../forces/ForceLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { createGrid } from '../../system/createGrid.js';
import { buckingham } from '../buckingham/buckingham.js';
import { pairTables } from '../lennard_jones/pairTables.js';
import { morse } from '../morse/morse.js';
import { suttonChenForce } from '../sutton_chen/suttonChen.js';
import { yukawa } from '../yukawa/yukawa.js';
import { definePairPotential } from './definePairPotential.js';
import { type MixingRule, mixedPair, mixingRules } from './mixing.js';

const aa = { types: ['A', 'A'] as [string, string] };
const bb = { types: ['B', 'B'] as [string, string] };
const ab = { types: ['A', 'B'] as [string, string] };
const types = ['A', 'B'];
const lennardJones = { epsilon: 'strength', sigma: 'length' } as const;
const argon = { ...aa, epsilon: 0.238, sigma: 3.405, rcut: 8 };
const xenon = { ...bb, epsilon: 0.433, sigma: 4.1, rcut: 12 };
const mixed = (rule: MixingRule) => mixedPair(rule, lennardJones, argon, xenon);

describe('mixing rules', () => {
  it('Lorentz and Berthelot: arithmetic lengths, geometric strengths', () => {
    expect(mixed('lorentz_berthelot')).toEqual({
      epsilon: Math.sqrt(0.238 * 0.433),
      sigma: (3.405 + 4.1) / 2,
      rcut: 10,
    });
  });

  it('geometric: the coefficients 4 ε σ^12 and 4 ε σ^6 of the two powers are geometric means', () => {
    const { epsilon, sigma, rcut } = mixed('geometric') as Record<string, number>;
    for (const power of [12, 6]) {
      const of = (e: number, s: number) => 4 * e * s ** power;
      expect(of(epsilon!, sigma!)).toBeCloseTo(Math.sqrt(of(0.238, 3.405) * of(0.433, 4.1)), 3);
    }
    expect(rcut).toBe(Math.sqrt(96));
  });

  it('sixth power: dispersion is a geometric mean, and σ^6 an arithmetic one (Waldman and Hagler)', () => {
    const { epsilon, sigma } = mixed('sixth_power') as Record<string, number>;
    expect(sigma! ** 6).toBeCloseTo((3.405 ** 6 + 4.1 ** 6) / 2, 8);
    const dispersion = (e: number, s: number) => e * s ** 6;
    const mean = Math.sqrt(dispersion(0.238, 3.405) * dispersion(0.433, 4.1));
    expect(dispersion(epsilon!, sigma!) / mean).toBeCloseTo(1, 14);
  });

  it.each(mixingRules)('%s leaves equal particles as they are, and has no order', (rule) => {
    const same = mixedPair(rule, lennardJones, argon, { ...argon, ...bb });
    for (const name of ['epsilon', 'sigma', 'rcut'] as const)
      expect(same[name]! / argon[name]).toBeCloseTo(1, 14);
    expect(mixedPair(rule, lennardJones, xenon, argon)).toEqual(mixed(rule));
  });

  it.each(mixingRules)('%s fills the tables of Lennard-Jones', (rule) => {
    const tables = pairTables(types, [argon, xenon], rule);
    const { epsilon, sigma, rcut } = mixed(rule);
    expect([...tables.epsilon]).toEqual([0.238, epsilon, epsilon, 0.433]);
    expect([...tables.sigma]).toEqual([3.405, sigma, sigma, 4.1]);
    expect([...tables.rcut]).toEqual([8, rcut, rcut, 12]);
  });
});

/** Two A and two B around the corners of a square of side 1.1, with the totals that a term gives them. */
async function totalsOf(term: ForceTerm) {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const place = [0, 0, 0, 1.1, 0, 0, 1.1, 1.1, 0, 0, 1.1, 0.1];
  const frame = {
    count: 4,
    lattice: null,
    origin: [0, 0, 0] as const,
    periodic: [false, false, false] as const,
    species: types,
    type: Uint32Array.from([0, 1, 0, 1]),
    position: Float64Array.from(place),
    velocity: null,
    id: null,
    mass: null,
    charge: null,
    extra: new Map(),
    properties: new Map(),
  };
  const grid = createGrid(
    frame,
    types.map((name) => ({ name, mass: 1 })),
    ctx.heap,
  );
  await updateNeighbors(grid, ctx, { rcut: term.rcut, skin: 0.2 });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true });
  ledger.add(term);
  return { rcut: term.rcut, ...(await ledger.totals()) };
}

describe('a potential that declares its rules mixes as if the pair were given', () => {
  it('Morse: D geometric, alpha and r0 arithmetic', async () => {
    const like = [
      { ...aa, D: 1, alpha: 5, r0: 1.1, rcut: 2 },
      { ...bb, D: 4, alpha: 6, r0: 1.3, rcut: 3 },
    ];
    const unlike = { ...ab, D: 2, alpha: 5.5, r0: (1.1 + 1.3) / 2, rcut: 2.5 };
    expect(await totalsOf(morse.term({ types, pairs: like, mixing: 'lorentz_berthelot' }))).toEqual(
      await totalsOf(morse.term({ types, pairs: [...like, unlike] })),
    );
  });

  it('Buckingham: A and C geometric, rho arithmetic, as in GROMACS', async () => {
    const like = [
      { ...aa, A: 100, rho: 0.25, C: 1, rcut: 2 },
      { ...bb, A: 400, rho: 0.75, C: 16, rcut: 3 },
    ];
    const unlike = { ...ab, A: 200, rho: 0.5, C: 4, rcut: 2.5 };
    expect(
      await totalsOf(buckingham.term({ types, pairs: like, mixing: 'lorentz_berthelot' })),
    ).toEqual(await totalsOf(buckingham.term({ types, pairs: [...like, unlike] })));
  });

  it('Yukawa: A geometric, kappa the same', async () => {
    const like = [
      { ...aa, A: 1, kappa: 2, rcut: 4 },
      { ...bb, A: 9, kappa: 2, rcut: 1 },
    ];
    const unlike = { ...ab, A: 3, kappa: 2, rcut: 2 };
    expect(await totalsOf(yukawa.term({ types, pairs: like, mixing: 'geometric' }))).toEqual(
      await totalsOf(yukawa.term({ types, pairs: [...like, unlike] })),
    );
  });

  it('Sutton and Chen: epsilon and a geometric, exponents arithmetic (Rafii-Tabar and Sutton)', async () => {
    const like = [
      { ...aa, epsilon: 1, a: 1, n: 9, m: 6, c: 30, rcut: 2 },
      { ...bb, epsilon: 4, a: 4, n: 11, m: 8, c: 20, rcut: 2 },
    ];
    const unlike = { ...ab, epsilon: 2, a: 2, n: 10, m: 7, c: 0, rcut: 2 };
    expect(await totalsOf(suttonChenForce({ types, pairs: like, mixing: 'geometric' }))).toEqual(
      await totalsOf(suttonChenForce({ types, pairs: [...like, unlike] })),
    );
  });
});

describe('mixing is refused', () => {
  const yukawas = [
    { ...aa, A: 1, kappa: 2, rcut: 4 },
    { ...bb, A: 9, kappa: 3, rcut: 1 },
  ];
  it.each([
    [
      'for a coefficient that differs and does not mix',
      () => yukawa.term({ types, pairs: yukawas, mixing: 'geometric' }),
      /kappa is 2 for A-A and 3 for B-B, and does not mix: give the pair A-B/,
    ],
    [
      'for negative strengths',
      () =>
        yukawa.term({
          types,
          pairs: yukawas.map((pair) => ({ ...pair, A: -1 })),
          mixing: 'geometric',
        }),
      /A is -1 for A-A and -1 for B-B, and negative numbers do not mix/,
    ],
    [
      'by a rule that the potential does not have',
      () => yukawa.term({ types, pairs: yukawas, mixing: 'sixth_power' }),
      /no mixing rule 'sixth_power' for this potential: none, lorentz_berthelot, geometric/,
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(
      expect.objectContaining({ code: 'INVALID_VALUE', message: expect.stringMatching(message) }),
    );
  });

  it('where it is not chosen, and the message names the rules', () => {
    expect(() => yukawa.term({ types, pairs: yukawas })).toThrow(
      /A-B: add it to pairs, or set mixing: lorentz_berthelot, geometric$/,
    );
  });

  it('by sixth power for a potential without a length', () => {
    const make = () =>
      definePairPotential({
        name: 'spring',
        doc: '',
        coefficients: { k: { dimension: dimensions.stiffness, doc: '', mixes: 'strength' } },
        mixing: ['sixth_power'],
        energy: (r, k) => k * r,
        force: (_r, k) => -k,
      });
    expect(make).toThrow(/needs one coefficient that mixes as a length, and has 0/);
  });
});
