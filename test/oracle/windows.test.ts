// Windows of tables and of dissipative particles: LAMMPS's styles of Lennard-Jones with windows, and the windows of other potentials.

import { dimensions } from '@corpuscle/core';
import {
  type CutoffSwitch,
  definePairPotential,
  dpdForce,
  lattice,
  type PairTableSection,
  type ParticleFrame,
  tabulatedForce,
} from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContextOptions } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { evaluateForces } from '../support/evaluateForces.js';
import { KEPT, styleReference } from '../support/pairStyles.js';
import { largest, largestDifference } from '../support/particlesOf.js';

const types = ['A', 'B'];
const AA = ['A', 'A'] as const;
const AB = ['A', 'B'] as const;
const BB = ['B', 'B'] as const;

/** Lennard-Jones at `points` distances. */
function table(epsilon: number, sigma: number, rcut: number, points = 3000): PairTableSection {
  const first = 0.7;
  const r = Array.from({ length: points }, (_, k) => first + ((rcut - first) * k) / (points - 1));
  const s6 = (x: number) => (sigma / x) ** 6;
  const slope = (x: number) => (24 * epsilon * s6(x) * (7 - 26 * s6(x))) / x ** 2;
  return {
    r,
    energy: r.map((x) => 4 * epsilon * s6(x) * (s6(x) - 1)),
    force: r.map((x) => (24 * epsilon * s6(x) * (2 * s6(x) - 1)) / x),
    slopes: [slope(first), slope(rcut)],
    inSquares: false,
  };
}

const each = (rcuts: readonly number[], from: readonly number[]) =>
  ([AA, AB, BB] as const).map((pair, k) => ({
    types: pair,
    table: table([1, 1.5, 0.5][k]!, [1, 0.9, 0.95][k]!, rcuts[k]!),
    rcut: rcuts[k]!,
    switchFrom: from[k]!,
  }));
const own = each([2.5, 2.2, 2.4], [2, 1.7, 2.1]);
const same = each([2.5, 2.5, 2.5], [2, 2, 2]);

const cpu = { backend: 'cpu', threads: 1 } as const;

describe('tables of Lennard-Jones with a window', () => {
  it.each([
    ['lj/gromacs', 'force', own],
    ['lj/smooth', 'smooth', own],
    ['lj/mdf', 'potential', own],
    ['lj/charmm', 'xplor', same],
  ] as const)('are LAMMPS %s, with switch %s', async (style, window, pairs) => {
    await using ctx = await createExecutionContext(cpu);
    const reference = styleReference('triclinic', style);
    const term = tabulatedForce({ types, pairs, switch: window, points: 4000 });
    const { energy, pressure, forces } = await evaluateForces(ctx, reference.frame, [term]);
    // Of 4,000 points between 0.7 and 2.5 cubics have seven digits.
    const off = largestDifference(forces.slice(0, 3 * KEPT), reference.forces);
    expect(off / largest(reference.forces)).toBeLessThan(1e-7);
    expect(Math.abs(energy / reference.energy - 1)).toBeLessThan(1e-7);
    const tensor = largestDifference(pressure, reference.pressure);
    expect(tensor / largest(reference.pressure)).toBeLessThan(1e-7);
  });

  it('begin it within the table, and have no shift beside it', () => {
    const [pair] = own;
    const one = (switchFrom: number, shift?: 'energy') =>
      tabulatedForce({
        types: ['A'],
        pairs: [{ ...pair!, types: ['A', 'A'], switchFrom }],
        switch: 'force',
        ...(shift ? { shift } : {}),
      });
    expect(() => one(0.6)).toThrow(/between the first one of the table, 0.7, and rcut/);
    expect(() => one(2.5)).toThrow(/switch_from is 2.5/);
    expect(() => one(2, 'energy')).toThrow(/give either shift or switch/);
  });
});

const repulsion = definePairPotential({
  name: 'repulsion',
  doc: 'u(r) = A rcut/2 (1 − r/rcut)²',
  coefficients: {
    A: { dimension: dimensions.force, doc: 'largest force' },
    range: { dimension: dimensions.length, doc: 'rcut' },
  },
  energy: (r, A, range) => 0.5 * A * range * (1 - r / range) * (1 - r / range),
});

const dpd = [
  { types: AA, A: 25, gamma: 4.5, rcut: 1, switchFrom: 0.7 },
  { types: AB, A: 40, gamma: 3, rcut: 0.9, switchFrom: 0.6 },
  { types: BB, A: 15, gamma: 6, rcut: 1.1, switchFrom: 0.9 },
];

/** A fluid of density 3 with velocities. */
function fluid(): ParticleFrame {
  const frame = lattice({ structure: 'sc', latticeConstant: 0.7, repeat: [6, 6, 6] });
  const wave = (k: number, by: number) => by * Math.sin(12.9898 * (k + 1) ** 2);
  return {
    ...frame,
    species: types,
    type: frame.type.map((_, k) => k % 2),
    position: frame.position.map((x, k) => x + wave(k, 0.12)),
    velocity: frame.position.map((_, k) => wave(k + 5, 1.5)),
  };
}

const machines: readonly (readonly [ExecutionContextOptions, number])[] = [
  [cpu, 1e-12],
  [{ ...cpu, threads: 2 }, 1e-12],
  [{ ...cpu, lowering: 'javascript' }, 1e-12],
  [{ ...cpu, precision: 'f32' }, 2e-5],
  [{ backend: 'webgpu' }, 2e-5],
];

describe('dissipative particles with a window', () => {
  const frame = fluid();
  const options = { types, kT: 0.7, dt: 0.02, seed: 7 };
  it.each(machines)(
    'have the window in their repulsion, and friction and noise as without it: %j',
    async (machine, limit) => {
      await using oracle = await createExecutionContext(cpu);
      await using ctx = await createExecutionContext(machine);
      const windows: CutoffSwitch[] =
        machine.backend === 'webgpu' ? ['force'] : ['force', 'smooth', 'potential', 'xplor'];
      for (const window of windows) {
        const noise = dpdForce({
          ...options,
          pairs: dpd.map(({ switchFrom: _, ...p }) => ({ ...p, A: 0 })),
        });
        const pairs = dpd.map((pair) => ({ ...pair, range: pair.rcut }));
        const force = repulsion.term({ types, switch: window, pairs });
        const expected = await evaluateForces(oracle, frame, [noise, force]);
        noise.close();
        const term = dpdForce({ ...options, pairs: dpd, switch: window });
        const found = await evaluateForces(ctx, frame, [term]);
        term.close();
        const forces = largestDifference(found.forces, expected.forces) / largest(expected.forces);
        expect(forces, window).toBeLessThan(limit);
        expect(Math.abs(found.energy / expected.energy - 1), window).toBeLessThan(limit);
        const tensor = largestDifference(found.pressure, expected.pressure);
        expect(tensor / largest(expected.pressure), window).toBeLessThan(limit);
      }
    },
  );
});
