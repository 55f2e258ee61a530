import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import {
  buckingham,
  type ForceTerm,
  lennardJonesForce,
  morse,
  type ParticleFrame,
  readPairTable,
  tabulatedForce,
  yukawa,
} from '@corpuscle/operators';
import { frameOfPositions } from './frameOfPositions.js';

const data = (name: string) =>
  fileURLToPath(new URL(`../data/potentials/${name}`, import.meta.url));
const types = ['A', 'B'];
const pair = (a: string, b: string) => ({ types: [a, b] as [string, string] });

/** A pair potential of two types, with the coefficients of test/data/potentials/generate.ts. */
export interface PotentialCase {
  readonly name: string;
  /** How far forces and differences of the energy may be apart: a table interpolates both. */
  readonly smooth: number;
  readonly term: (shift?: 'none' | 'energy' | 'force') => ForceTerm;
}

export const potentialCases: readonly PotentialCase[] = [
  {
    name: 'lennard_jones',
    smooth: 1e-8,
    term: (shift) =>
      lennardJonesForce({
        types,
        pairs: [
          { ...pair('A', 'A'), epsilon: 1, sigma: 1, rcut: 2.5 },
          { ...pair('A', 'B'), epsilon: 1.5, sigma: 0.9, rcut: 2.2 },
          { ...pair('B', 'B'), epsilon: 0.5, sigma: 0.95, rcut: 2.4 },
        ],
        shift,
      }),
  },
  {
    name: 'morse',
    smooth: 1e-8,
    term: (shift) =>
      morse.term({
        types,
        pairs: [
          { ...pair('A', 'A'), D: 1, alpha: 5, r0: 1.12, rcut: 2.5 },
          { ...pair('A', 'B'), D: 1.5, alpha: 4.5, r0: 1.05, rcut: 2.2 },
          { ...pair('B', 'B'), D: 0.5, alpha: 6, r0: 1.1, rcut: 2.4 },
        ],
        shift,
      }),
  },
  {
    name: 'buckingham',
    smooth: 1e-8,
    term: (shift) =>
      buckingham.term({
        types,
        pairs: [
          { ...pair('A', 'A'), A: 6000, rho: 0.115, C: 1.3, rcut: 2.5 },
          { ...pair('A', 'B'), A: 5000, rho: 0.12, C: 1, rcut: 2.2 },
          { ...pair('B', 'B'), A: 4000, rho: 0.125, C: 0, rcut: 2.4 },
        ],
        shift,
      }),
  },
  ...(['linear', 'spline'] as const).map((interpolation) => ({
    name: `tabulated_${interpolation}`,
    smooth: interpolation === 'linear' ? 2e-2 : 1e-4,
    term: (shift?: 'none' | 'energy' | 'force') =>
      tabulatedForce({
        types,
        pairs: [
          { ...pair('A', 'A'), table: readPairTable(data('pair.table'), 'AA'), rcut: 2.5 },
          { ...pair('A', 'B'), table: readPairTable(data('pair.table'), 'AB'), rcut: 2.2 },
          { ...pair('B', 'B'), table: readPairTable(data('pair.table'), 'BB'), rcut: 2.4 },
        ],
        interpolation,
        points: interpolation === 'linear' ? 800 : 500,
        shift,
      }),
  })),
  {
    name: 'yukawa',
    smooth: 1e-8,
    term: (shift) =>
      yukawa.term({
        types,
        pairs: [
          { ...pair('A', 'A'), A: 20, kappa: 2, rcut: 2.5 },
          { ...pair('A', 'B'), A: 15, kappa: 2, rcut: 2.2 },
          { ...pair('B', 'B'), A: 30, kappa: 2, rcut: 2.4 },
        ],
        shift,
      }),
  },
];

/** Positions and what LAMMPS computes there. */
export interface PotentialReference {
  readonly frame: ParticleFrame;
  readonly energy: number;
  /** Pressure of the forces alone: xx, yy, zz, xy, xz, yz. */
  readonly pressure: readonly number[];
  /** x0 y0 z0 x1 … */
  readonly forces: Float64Array;
}

interface Stored {
  readonly lattice: readonly number[];
  readonly types: readonly number[];
  readonly positions: readonly number[];
  readonly results: Readonly<
    Record<
      string,
      { readonly energy: number; readonly pressure: number[]; readonly forces: number[] }
    >
  >;
}

export const configurations = ['crystal', 'disturbed', 'liquid', 'triclinic'] as const;
const stored = new Map<string, Stored>();

/** One configuration of test/data/potentials, with the results of one potential. */
export function potentialReference(configuration: string, potential: string): PotentialReference {
  let file = stored.get(configuration);
  if (!file) {
    file = JSON.parse(
      gunzipSync(readFileSync(data(`${configuration}.json.gz`))).toString(),
    ) as Stored;
    stored.set(configuration, file);
  }
  const { energy, pressure, forces } = file.results[potential]!;
  return {
    frame: frameOf(file.positions, file.types, file.lattice),
    energy,
    pressure,
    forces: Float64Array.from(forces),
  };
}

/** A frame of particles A and B; without a lattice nothing is periodic. */
export const frameOf = (
  positions: readonly number[],
  type: readonly number[],
  lattice: readonly number[] | null = null,
): ParticleFrame =>
  frameOfPositions(positions, lattice, { species: types, type: Uint32Array.from(type) });
