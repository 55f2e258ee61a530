import { Domain } from '@corpuscle/core';
import {
  ForceLedger,
  lennardJonesForce,
  type ParticleFrame,
  pairTables,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContextOptions,
  updateNeighbors,
} from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { bruteForceLennardJones } from '../support/bruteForce.js';
import { gridOf, largest, largestDifference, vectorsById } from '../support/particlesOf.js';

const shifts = ['none', 'energy', 'force'] as const;
const machines: readonly ExecutionContextOptions[] = [
  { backend: 'cpu', threads: 1, lowering: 'simd' },
  { backend: 'cpu', threads: 2, lowering: 'simd' },
  { backend: 'cpu', threads: 1, lowering: 'javascript' },
];

/** Two types on a jittered lattice, so that no pair is very close; every fourth particle is the second type. */
function disturbed(
  matrix: readonly number[],
  periodic: readonly [boolean, boolean, boolean],
  cells: readonly [number, number, number],
): ParticleFrame {
  const domain = Domain.triclinic(matrix);
  const [na, nb, nc] = cells;
  const count = na * nb * nc;
  const position = new Float64Array(3 * count);
  let state = 12345;
  const random = () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647 - 0.5;
  };
  for (let k = 0; k < count; k++) {
    const s = [k % na, Math.floor(k / na) % nb, Math.floor(k / (na * nb))];
    domain
      .toCartesian(
        (s[0]! + 0.5 + 0.2 * random()) / na,
        (s[1]! + 0.5 + 0.2 * random()) / nb,
        (s[2]! + 0.5 + 0.2 * random()) / nc,
      )
      .forEach((x, a) => {
        position[3 * k + a] = x;
      });
  }
  return {
    count,
    lattice: periodic.some(Boolean) ? matrix : null,
    origin: [0, 0, 0],
    periodic,
    species: ['A', 'B'],
    type: Uint32Array.from({ length: count }, (_, k) => (k % 4 === 0 ? 1 : 0)),
    position,
    velocity: null,
    id: null,
    mass: null,
    charge: null,
    extra: new Map(),
    properties: new Map(),
  };
}

const boxes = [
  {
    name: 'an open cluster',
    matrix: [8, 0, 0, 0, 9, 0, 0, 0, 10],
    periodic: [false, false, false],
    cells: [7, 8, 9],
  },
  {
    name: 'a slab',
    matrix: [8, 0, 0, 0, 9, 0, 0, 0, 6],
    periodic: [true, true, false],
    cells: [7, 8, 5],
  },
  {
    name: 'a wire',
    matrix: [6, 0, 0, 0, 6, 0, 0, 0, 9],
    periodic: [false, false, true],
    cells: [5, 5, 8],
  },
  {
    name: 'a box of exactly twice the cutoff',
    matrix: [5, 0, 0, 0, 5, 0, 0, 0, 5],
    periodic: [true, true, true],
    cells: [5, 5, 5],
  },
  {
    name: 'a box of one thin axis',
    matrix: [5.2, 0, 0, 0, 12, 0, 0, 0, 9],
    periodic: [true, true, true],
    cells: [5, 11, 8],
  },
  {
    name: 'a skewed box',
    matrix: [8, 0, 0, 3, 7, 0, -2, 2.5, 8],
    periodic: [true, true, true],
    cells: [7, 6, 7],
  },
  {
    name: 'a skewed box, turned',
    matrix: [5, 5, 1, -5, 6, 2, 0, -3, 8],
    periodic: [true, true, true],
    cells: [6, 7, 7],
  },
  {
    name: 'a skewed slab',
    matrix: [8, 0, 0, 3, 7, 0, 0, 0, 6],
    periodic: [true, true, false],
    cells: [7, 6, 5],
  },
] as const;

const pairs = [
  { types: ['A', 'A'], epsilon: 1, sigma: 1, rcut: 2.5 },
  { types: ['A', 'B'], epsilon: 1.3, sigma: 0.9, rcut: 2.2 },
  { types: ['B', 'B'], epsilon: 0.7, sigma: 1.1, rcut: 2.4 },
] as const;

describe.each(boxes)(
  'Lennard-Jones agrees with a sum over all pairs in $name',
  ({ matrix, periodic, cells }) => {
    const frame = disturbed(matrix, periodic, cells);
    const tables = pairTables(['A', 'B'], pairs);
    const parameters = (i: number, j: number) => {
      const k = 2 * frame.type[i]! + frame.type[j]!;
      return { epsilon: tables.epsilon[k]!, sigma: tables.sigma[k]!, rcut: tables.rcut[k]! };
    };

    it.each(shifts.flatMap((shift) => machines.map((machine) => ({ ...machine, shift }))))(
      'shift $shift, $lowering, $threads thread(s)',
      async ({ shift, ...options }) => {
        await using ctx = await createExecutionContext(options);
        const grid = gridOf(frame, ctx);
        const expected = bruteForceLennardJones(grid.domain, frame.position, parameters, shift);
        const term = lennardJonesForce({ types: ['A', 'B'], pairs, shift });
        await updateNeighbors(grid, ctx, { rcut: term.rcut, skin: 0.4 });
        const ledger = new ForceLedger(grid, ctx);
        ledger.begin({ totals: true, energies: true });
        ledger.add(term);
        const { energy, virial } = await ledger.totals();
        // Sums of some thousand terms of order one: 1e-12 leaves room for their order and nothing else.
        expect(Math.abs(energy / expected.energy - 1)).toBeLessThan(1e-12);
        expect(largestDifference(virial, expected.virial) / largest(expected.virial)).toBeLessThan(
          1e-12,
        );
        const forces = await vectorsById(grid, ctx, 'force');
        expect(largestDifference(forces, expected.forces) / largest(expected.forces)).toBeLessThan(
          1e-12,
        );
        const energies = grid.values('ep').reduce((sum, value) => sum + value, 0);
        expect(Math.abs(energies / expected.energy - 1)).toBeLessThan(1e-12);
      },
    );
  },
);
