import { readFileSync } from 'node:fs';
import { createGrid, lennardJonesForce, minimize } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { disturbedCrystal } from '../data/minimize/start.js';
import { frameOfPositions } from '../support/frameOfPositions.js';

interface Relaxed {
  readonly pressure: number;
  readonly energyPerParticle: number;
  /** lx ly lz xy xz yz. */
  readonly box: readonly number[];
}

const file = new URL('../data/minimize/lammps.json', import.meta.url);
const cases = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Relaxed>>;

const rcut = 2.2;
const alloy = () =>
  lennardJonesForce({
    types: ['A', 'B'],
    shift: 'force',
    pairs: [
      { types: ['A', 'A'], epsilon: 1, sigma: 1, rcut },
      { types: ['A', 'B'], epsilon: 1.1, sigma: 0.95, rcut },
      { types: ['B', 'B'], epsilon: 0.9, sigma: 0.9, rcut },
    ],
  });

async function relax(coupling: 'aniso' | 'triclinic', pressure: number, style: 'cg' | 'fire') {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const { lattice, positions, types } = disturbedCrystal();
  const frame = frameOfPositions(positions, lattice, {
    species: ['A', 'B'],
    type: Uint32Array.from(types),
  });
  const kinds = [
    { name: 'A', mass: 1 },
    { name: 'B', mass: 1 },
  ];
  const grid = createGrid(frame, kinds, ctx.heap);
  const options = { style, forceTolerance: 1e-9, maxDisplacement: 0.03, pressure, coupling };
  const found = await minimize(grid, ctx, [alloy()], options);
  const m = grid.domain.matrix;
  const box = [m[0]!, m[4]!, m[8]!, m[3]!, m[6]!, m[7]!];
  const { count } = grid;
  grid.free();
  return { ...found, energyPerParticle: found.energy / count, box };
}

describe('a disturbed crystal of two types relaxes to the box of LAMMPS (29 Sep 2021, box/relax)', () => {
  it.each([
    ['aniso', 'aniso', 'cg'],
    ['aniso', 'aniso', 'fire'],
    ['aniso_pressed', 'aniso', 'cg'],
    ['triclinic', 'triclinic', 'cg'],
  ] as const)('%s: %s, %s', async (name, coupling, style) => {
    const { pressure, energyPerParticle, box } = cases[name]!;
    const found = await relax(coupling, pressure, style);
    expect(found.end).toBe('force');
    expect(Math.abs(found.energyPerParticle - energyPerParticle)).toBeLessThan(1e-10);
    found.box.forEach((value, k) => {
      expect(Math.abs(value - box[k]!)).toBeLessThan(1e-8);
    });
  });
});
