import { SharedHeap } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { formatExtendedXyz } from '../io/extended_xyz/formatExtendedXyz.js';
import { frameOf } from '../io/extended_xyz/frameOf.js';
import type { ParticleFrame } from '../io/extended_xyz/ParticleFrame.js';
import { thermoRow } from '../run/thermo/thermoRow.js';
import { createGrid, fillGrid } from './createGrid.js';
import { lattice } from './lattice/lattice.js';

const types = [
  { name: 'A', mass: 2 },
  { name: 'B', mass: 3, charge: -1 },
];

function frame(parts: Partial<ParticleFrame> = {}): ParticleFrame {
  return {
    count: 2,
    lattice: [5, 0, 0, 0, 6, 0, 0, 0, 7],
    origin: [0, 0, 0],
    periodic: [true, true, true],
    species: ['B', 'A'],
    type: Uint32Array.of(0, 1),
    position: Float64Array.of(1, 2, 3, 4, 5, 6),
    velocity: null,
    id: Float64Array.of(9, 4),
    mass: null,
    charge: null,
    extra: new Map(),
    properties: new Map(),
    ...parts,
  };
}

const grid = (parts?: Partial<ParticleFrame>) => createGrid(frame(parts), types, new SharedHeap());

describe('createGrid', () => {
  it('matches types by name and takes masses and charges from them', () => {
    const made = grid();
    expect([...made.values('type')]).toEqual([1, 0]);
    expect([...made.values('mass')]).toEqual([3, 2]);
    expect([...made.values('charge')]).toEqual([-1, 0]);
    expect([...made.values('id')]).toEqual([9, 4]);
    expect([...made.values('ry')]).toEqual([2, 5]);
  });

  it('lets the frame overrule masses and charges, and counts ids from 0', () => {
    const made = grid({ mass: Float64Array.of(7, 8), charge: Float64Array.of(1, 2), id: null });
    expect([...made.values('mass')]).toEqual([7, 8]);
    expect([...made.values('charge')]).toEqual([1, 2]);
    expect([...made.values('id')]).toEqual([0, 1]);
  });

  it('spans the particles with an open box when there is no lattice', () => {
    const { domain } = grid({ lattice: null, periodic: [false, false, false] });
    expect(domain.periodic).toEqual([false, false, false]);
    expect(domain.heights).toEqual([3, 3, 3]);
  });

  it.each([
    [
      'no particles',
      { count: 0, type: new Uint32Array(0), position: new Float64Array(0) },
      'NO_PARTICLES',
    ],
    ['an unknown type', { species: ['B', 'C'] }, 'UNKNOWN_TYPE'],
    ['a mass of 0', { mass: Float64Array.of(1, 0) }, 'INVALID_VALUE'],
  ] as const)('refuses %s', (_, parts, code) => {
    expect(() => grid(parts)).toThrow(expect.objectContaining({ code }));
  });

  it('takes what was changed in the arrays of a lattice, and in copies of it', () => {
    const crystal = lattice({ structure: 'sc', density: 1, repeat: [2, 2, 2] });
    const untouched = createGrid(crystal, types, new SharedHeap());
    crystal.position[3] = 0.25;
    const changed = createGrid(crystal, types, new SharedHeap());
    const copy = { ...crystal, type: crystal.type.map((_, k) => k % 2), species: ['A', 'B'] };
    const typesOfCopy = createGrid(copy, types, new SharedHeap()).values('type');
    expect([untouched.values('rx')[1], changed.values('rx')[1]]).toEqual([1, 0.25]);
    expect([...typesOfCopy].slice(0, 4)).toEqual([0, 1, 0, 1]);
  });

  it('ignores unknown species that no particle has', () => {
    expect(grid({ species: ['B', 'A', 'ghost'] }).count).toBe(2);
  });

  it('replaces everything when a grid is filled again', () => {
    const made = grid({ velocity: Float64Array.of(1, 1, 1, 1, 1, 1) });
    fillGrid(
      made,
      frame({ count: 1, lattice: [9, 0, 0, 0, 9, 0, 0, 0, 9], id: Float64Array.of(3) }),
      types,
    );
    expect(made.count).toBe(1);
    expect(made.domain.volume).toBeCloseTo(729, 12);
    expect([...made.values('vx')]).toEqual([0]);
    expect([...made.values('id')]).toEqual([3]);
  });
});

describe('frameOf', () => {
  it('sorts by id and scales to the units of the file', () => {
    const text = [
      ...formatExtendedXyz(
        frameOf(grid(), ['A', 'B'], ['pos', 'id', 'mass'], {
          properties: { step: 7 },
          factors: { pos: 10 },
        }),
      ),
    ].join('');
    expect(text).toBe(
      '2\nLattice="50 0 0 0 60 0 0 0 70" Properties=species:S:1:pos:R:3:id:I:1:mass:R:1 pbc="T T T" step=7\n' +
        'A 40 50 60 4 2\nB 10 20 30 9 3\n',
    );
  });

  it('refuses a frame without positions', () => {
    expect(() => frameOf(grid(), ['A', 'B'], ['id'])).toThrow(/pos/);
  });
});

describe('thermoRow', () => {
  it('follows from kinetic tensor and virial', () => {
    const row = thermoRow({
      step: 3,
      time: 0.3,
      count: 5,
      volume: 10,
      boltzmann: 2,
      potentialEnergy: -7,
      kinetic: [1, 2, 3, 4, 5, 6],
      virial: [10, 20, 30, 40, 50, 60],
    });
    expect(row.temperature).toBe(6 / (12 * 2));
    expect(row.kinetic_energy).toBe(3);
    expect(row.total_energy).toBe(-4);
    expect(row.pxx).toBeCloseTo(1.1, 14);
    expect(row.pyz).toBeCloseTo(6.6, 14);
    expect(row.pressure).toBeCloseTo(2.2, 14);
  });

  it('gives one particle alone no temperature', () => {
    const zero = [0, 0, 0, 0, 0, 0] as const;
    const input = { step: 0, time: 0, volume: 1, boltzmann: 1, potentialEnergy: 0, virial: zero };
    expect(thermoRow({ ...input, count: 1, kinetic: [1, 0, 0, 0, 0, 0] }).temperature).toBe(0);
  });
});

it('says that the heap is missing, as plain JavaScript does not', () => {
  expect(() => createGrid(frame(), types, undefined as never)).toThrow(
    expect.objectContaining({
      code: 'MISSING_VALUE',
      message: expect.stringContaining('context.heap'),
    }),
  );
});
