import { dimensions, loadSimulation } from '@corpuscle/core';
import { createExecutionContext, derivativeOf, updateNeighbors } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { evaluateForces } from '../../../../../test/support/evaluateForces.js';
import { createRegistry } from '../../createRegistry.js';
import { ForceLedger } from '../../forces/ForceLedger.js';
import { createGrid } from '../../system/createGrid.js';
import { lattice } from '../../system/lattice/lattice.js';
import { buckingham } from '../buckingham/buckingham.js';
import { morse } from '../morse/morse.js';
import { pairPotentials } from '../pairPotentials.js';
import { yukawa } from '../yukawa/yukawa.js';
import { definePairPotential } from './definePairPotential.js';
import { pairForceOperator } from './pairForceOperator.js';

const aa = { types: ['A', 'A'] as [string, string], D: 1, alpha: 2, r0: 1, rcut: 2.5 };
const energy = { dimension: dimensions.energy, doc: 'a number' };

describe('potentials at a distance', () => {
  it('Morse has depth D and no force at r0', () => {
    expect(morse.energy(1.1, 3, 5, 1.1)).toBe(-3);
    expect(morse.force(1.1, 3, 5, 1.1)).toBe(0);
    // D (x² − 2x) and 2 D alpha (x² − x) at x = e
    const x = Math.E;
    expect(morse.energy(1, 3, 5, 1.2)).toBeCloseTo(3 * (x * x - 2 * x), 12);
    expect(morse.force(1, 3, 5, 1.2)).toBeCloseTo(30 * (x * x - x), 11);
  });

  it('Buckingham is exponential repulsion less dispersion', () => {
    expect(buckingham.energy(2, Math.E, 2, 64)).toBeCloseTo(1 - 1, 14);
    expect(buckingham.force(2, Math.E, 2, 64)).toBeCloseTo(0.5 - 3, 14);
  });

  it('Yukawa without screening is Coulomb', () => {
    expect(yukawa.energy(2, 3, 0)).toBe(1.5);
    expect(yukawa.force(2, 3, 0)).toBe(0.75);
    expect(yukawa.force(2, 3, 0.5)).toBeCloseTo(3 * Math.exp(-1) * (0.5 / 2 + 1 / 4), 14);
  });
});

describe('definePairPotential', () => {
  it('takes the largest cutoff of all pairs', () => {
    const pairs = [
      aa,
      { ...aa, types: ['A', 'B'] as const, rcut: 4 },
      { ...aa, types: ['B', 'B'] as const },
    ];
    expect(morse.term({ types: ['A', 'B'], pairs }).rcut).toBe(4);
    expect(morse.term({ types: ['A', 'B'], D: 1, alpha: 2, r0: 1, rcut: 3 }).rcut).toBe(3);
  });

  it.each([
    [
      'a missing pair',
      { pairs: [aa] },
      'MISSING_PAIR',
      /A-B: add it to pairs, or set mixing: lorentz_berthelot$/,
    ],
    [
      'an unknown type',
      { pairs: [{ ...aa, types: ['A', 'C'] as [string, string] }] },
      'UNKNOWN_TYPE',
      /'C'/,
    ],
    ['a pair given twice', { pairs: [aa, aa] }, 'INVALID_VALUE', /A-A is given twice/],
    [
      'a depth below 0',
      { pairs: [{ ...aa, D: -1 }] },
      'INVALID_VALUE',
      /D is -1: give a number at least 0/,
    ],
    ['a width of 0', { D: 1, alpha: 0, r0: 1, rcut: 2 }, 'INVALID_VALUE', /alpha is 0.*above 0/],
    [
      'a cutoff that is no number',
      { D: 1, alpha: 1, r0: 1, rcut: Number.NaN },
      'INVALID_VALUE',
      /rcut is NaN/,
    ],
  ] as const)('refuses %s', (_, options, code, message) => {
    expect(() => morse.term({ types: ['A', 'B'], ...options })).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('refuses functions that use what is outside of them', () => {
    const outside = 2;
    const make = () =>
      definePairPotential({
        name: 'captured',
        doc: '',
        coefficients: { k: energy },
        energy: (r, k) => outside * k * r,
        force: (_r, k) => k,
      });
    expect(make).toThrow(
      expect.objectContaining({
        code: 'FUNCTOR_NAME',
        message: expect.stringMatching(
          /definePairPotential\.test\.ts.*'outside'.*make it a coefficient/,
        ),
        location: expect.objectContaining({
          file: expect.stringMatching(/definePairPotential\.test\.ts$/),
          frame: expect.stringContaining('outside * k'),
        }),
      }),
    );
  });

  it('refuses a function that takes more numbers than there are', () => {
    const make = () =>
      definePairPotential({
        name: 'greedy',
        doc: '',
        coefficients: { k: energy },
        energy: (r, k, other) => r * k! * other!,
        force: () => 0,
      });
    expect(make).toThrow(
      /the energy of the potential 'greedy' takes 3 numbers, but there are r and 1 co/,
    );
  });

  it('refuses a coefficient that nothing uses, unless its argument says that this is meant', () => {
    const spec = { name: 'lazy', doc: '', coefficients: { k: energy, extra: energy } };
    const at = expect.stringMatching(/^.*\n\s*at \S* ?\(?\S*definePairPotential\.test\.ts:/);
    for (const given of [
      { energy: (r: number, k: number) => k * r },
      {
        energy: (r: number, k: number) => k * r,
        force: (_r: number, k: number) => -k,
      },
    ])
      expect(() => definePairPotential({ ...spec, ...given })).toThrow(
        expect.objectContaining({
          code: 'INVALID_VALUE',
          message: expect.stringMatching(/'extra' of the potential 'lazy' does nothing/),
          stack: at,
        }),
      );
    for (const given of [
      { energy: (r: number, k: number, _extra: number) => k * r },
      {
        energy: (_r: number, k: number) => k,
        force: (_r: number, _k: number, extra: number) => extra,
      },
      { energy: (r: number, k: number) => k * r, cutoff: ({ extra }: { extra: number }) => extra },
    ])
      expect(() => definePairPotential({ ...spec, ...given })).not.toThrow();
  });

  const undamped = pairPotentials.filter(({ damping }) => !damping);
  it.each(undamped.map((given) => [given.name, given] as const))(
    'derives the force of an energy: %s',
    (_name, { force, energy: u }) => {
      const derived = derivativeOf(u, { factor: -1 });
      const numbers = [1.7, 0.8, 1.1, 0.6, 1.3, 0.9, 1.2, 0.7, 1.4].slice(0, 9);
      for (const r of [0.7, 1.05, 3.1]) {
        const exact = force(r, ...numbers);
        const off = Math.abs(derived(r, ...numbers) - exact);
        expect(off).toBeLessThan(1e-13 * (Math.abs(exact) + Math.abs(u(r, ...numbers))));
      }
    },
  );

  it('refuses an energy of whole numbers, at its place', () => {
    const steps = () =>
      definePairPotential({
        name: 'steps',
        doc: '',
        coefficients: { k: energy },
        energy: (r, k) => k! * Math.floor(r),
      });
    expect(steps).toThrow(
      expect.objectContaining({
        code: 'FUNCTOR_UNSUPPORTED',
        message: expect.stringMatching(
          /^helper 'energy' of functor 'steps' \(defined at .*definePairPotential\.test\.ts:\d+.*through whole numbers only[\s\S]*\^{13}/,
        ),
      }),
    );
  });

  it('ends an energy that has no end when its value at the cutoff is asked for', () => {
    const loop = definePairPotential({
      name: 'loop',
      doc: '',
      coefficients: { k: energy },
      energy: (r, k) => {
        let u = k!;
        while (u > 0) u = 0.5 * u + r;
        return u;
      },
      force: (_r, k) => k!,
    });
    const given = { types: ['A'], k: 1, rcut: 2 };
    expect(loop.term(given).rcut).toBe(2);
    expect(() => loop.term({ ...given, shift: 'energy' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_VALUE',
        message:
          "'loop' at its cutoff has worked for 2 s, and has been ended: a loop of it has no end",
      }),
    );
  });

  it('tells numbers that throw once, though forces are at two places of a run', () => {
    const bad = definePairPotential({
      name: 'bad',
      doc: '',
      coefficients: { k: energy },
      energy: (r, k) => k! * r,
      numbers: () => {
        throw new Error('no numbers');
      },
    });
    const text = `
configuration: { units: lj }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 1 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] }
compute_force:
  - bad_force: { k: 1, rcut: 2 }
simulation: molecular_dynamics
`;
    const operators = createRegistry().add(pairForceOperator(bad));
    expect(() => loadSimulation([{ name: 'in.yaml', text }], { operators })).toThrow(
      expect.objectContaining({
        more: [],
        message: expect.stringMatching(/bad_force failed: Error: no numbers/),
        location: expect.objectContaining({ line: 8 }),
      }),
    );
  });

  it.each(['numbers', 'cutoff', 'selfEnergy'])(
    'ends %s that have no end at the line of their operator',
    (name) => {
      const endless = (): never => {
        for (;;);
      };
      const loop = definePairPotential({
        name: 'loop',
        doc: '',
        coefficients: { k: energy },
        energy: (r, k) => k! * r,
        [name]: endless,
      });
      const coefficients = name === 'cutoff' ? 'k: 1' : 'k: 1, rcut: 2';
      const text = `
configuration: { units: lj }
particle_types: { A: { mass: 1 } }
simulation:
  - domain: { lower: [0, 0, 0], upper: [9, 9, 9] }
  - loop_force: { ${coefficients} }
`;
      const operators = createRegistry().add(pairForceOperator(loop));
      expect(() => loadSimulation([{ name: 'in.yaml', text }], { operators })).toThrow(
        expect.objectContaining({
          code: 'INVALID_VALUE',
          message: `the function ${name} of 'loop' has worked for 2 s, and has been ended: a loop of it has no end`,
          location: expect.objectContaining({ line: 6, column: 5 }),
        }),
      );
    },
  );

  it.each([
    ['cpu', 'f64', 1e-13],
    ['cpu', 'f32', 2e-6],
    ['webgpu', 'f64', 1e-11],
    ['webgpu', 'f32', 2e-5],
  ] as const)('gives the same from an energy alone: %s, %s', async (backend, precision, limit) => {
    const { force: _, functor: __, ...spec } = morse;
    const lone = definePairPotential({ ...spec, name: 'morse_energy' });
    const frame = lattice({ structure: 'fcc', latticeConstant: 1.6, repeat: [3, 3, 3] });
    for (let k = 0; k < frame.position.length; k++) frame.position[k]! += 0.1 * Math.sin(7 * k + 1);
    const given = { types: ['A'], D: 1.3, alpha: 2.1, r0: 1.1, rcut: 2.1, shift: 'force' } as const;
    await using oracle = await createExecutionContext({ backend: 'cpu', threads: 1 });
    await using ctx = await createExecutionContext({ backend, precision, threads: 1 });
    const exact = await evaluateForces(oracle, frame, [morse.term(given)]);
    const found = await evaluateForces(ctx, frame, [lone.term(given)]);
    const scale = Math.max(...exact.forces.map(Math.abs));
    found.forces.forEach((f, k) => {
      expect(Math.abs(f - exact.forces[k]!) / scale).toBeLessThan(limit);
    });
    expect(Math.abs(found.energy / exact.energy - 1)).toBeLessThan(limit);
    found.pressure.forEach((v, k) => {
      expect(Math.abs(v - exact.pressure[k]!) / Math.abs(exact.pressure[0]!)).toBeLessThan(limit);
    });
  });

  it.each(['cpu', 'webgpu'] as const)('takes any number of coefficients on %s', async (backend) => {
    await using ctx = await createExecutionContext({ backend, threads: 1 });
    const count = 9;
    const names = Array.from({ length: count }, (_, k) => `c${k}`);
    const series = definePairPotential({
      name: 'series',
      doc: 'u(r) = a + b r + … + i r^8',
      coefficients: Object.fromEntries(names.map((name) => [name, energy])),
      energy: (r, a, b, c, d, e, f, g, h, i) =>
        a! + r * (b! + r * (c! + r * (d! + r * (e! + r * (f! + r * (g! + r * (h! + r * i!))))))),
      force: (r, _a, b, c, d, e, f, g, h, i) =>
        -(
          b! +
          r *
            (2 * c! +
              r * (3 * d! + r * (4 * e! + r * (5 * f! + r * (6 * g! + r * (7 * h! + r * 8 * i!))))))
        ),
    });
    const constant = definePairPotential({
      name: 'constant',
      doc: 'u(r) = 1 − r',
      coefficients: {},
      energy: (r) => 1 - r,
      force: () => 1,
    });
    const values = Object.fromEntries(names.map((name, k) => [name, 1 / (k + 1)]));
    const frame = lattice({ structure: 'sc', latticeConstant: 1, repeat: [6, 6, 6] });
    const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
    await updateNeighbors(grid, ctx, { rcut: 1.2, skin: 0.1 });
    const ledger = new ForceLedger(grid, ctx);
    for (const [term, u, f] of [
      [
        series.term({ types: ['A'], rcut: 1.2, ...values } as never),
        2.828968253968254,
        -6.171031746031746,
      ],
      [constant.term({ types: ['A'], rcut: 1.2 }), 0, 1],
    ] as const) {
      ledger.begin({ totals: true });
      ledger.add(term);
      const totals = await ledger.totals();
      // 3 pairs a particle at distance 1: Σ 1/(k+1), and −Σ k/(k+1) = Σ 1/(k+1) − 9
      expect(totals.energy / grid.count).toBeCloseTo(3 * u, 4);
      expect(totals.virial[0] / grid.count).toBeCloseTo(f, 4);
    }
  });
});
