import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import {
  born,
  buckingham,
  coulombCut,
  coulombDebye,
  coulombDsf,
  coulombWolf,
  type ForceTerm,
  gauss,
  lennardJonesForce,
  mie,
  morse,
  type ParticleFrame,
  pairForce,
  soft,
  wca,
  zbl,
} from '@corpuscle/operators';
import { type PotentialReference, potentialReference } from './potentialCases.js';

/** A pair style of LAMMPS, and the same in ours. */
export interface PairStyle {
  readonly name: string;
  /** What LAMMPS is told; test/data/potentials/generateStyles.ts writes what it computes. */
  readonly lammps: readonly string[];
  readonly term: () => ForceTerm;
  /** What is compared; default both. */
  readonly compares?: 'energy' | 'forces';
  /** How near LAMMPS's own approximations let us come; default 0. */
  readonly within?: number;
}

const types = ['A', 'B'];
const AA = { types: ['A', 'A'] as [string, string] };
const AB = { types: ['A', 'B'] as [string, string] };
const BB = { types: ['B', 'B'] as [string, string] };
const lj = {
  aa: { ...AA, epsilon: 1, sigma: 1, rcut: 2.5 },
  ab: { ...AB, epsilon: 1.5, sigma: 0.9, rcut: 2.2 },
  bb: { ...BB, epsilon: 0.5, sigma: 0.95, rcut: 2.4 },
};
const ljWindow = [
  { ...lj.aa, switchFrom: 2 },
  { ...lj.ab, switchFrom: 1.7 },
  { ...lj.bb, switchFrom: 2.1 },
];
/** Coefficients of pairs that have no cutoffs of their own. */
const sameWindow = Object.values(lj).map((pair) => ({ ...pair, rcut: 2.5, switchFrom: 2 }));
const coefficients = (lines: readonly [string, string, string]) => [
  `pair_coeff 1 1 ${lines[0]}`,
  `pair_coeff 1 2 ${lines[1]}`,
  `pair_coeff 2 2 ${lines[2]}`,
];
const ljLines = coefficients(['1 1 2 2.5', '1.5 0.9 1.7 2.2', '0.5 0.95 2.1 2.4']);

export const pairStyles: readonly PairStyle[] = [
  {
    name: 'born',
    lammps: [
      'pair_style born 2.5',
      ...coefficients(['2 0.115 1 1.3 0.2 2.5', '1.5 0.12 0.9 1 -0.1 2.2', '1 0.125 0.95 0 0 2.4']),
    ],
    term: () =>
      born.term({
        types,
        pairs: [
          { ...AA, A: 2, rho: 0.115, sigma: 1, C: 1.3, D: 0.2, rcut: 2.5 },
          { ...AB, A: 1.5, rho: 0.12, sigma: 0.9, C: 1, D: -0.1, rcut: 2.2 },
          { ...BB, A: 1, rho: 0.125, sigma: 0.95, C: 0, D: 0, rcut: 2.4 },
        ],
      }),
  },
  {
    name: 'mie',
    lammps: [
      'pair_style mie/cut 2.5',
      ...coefficients(['1 1 14 7 2.5', '1.5 0.9 11.5 6 2.2', '0.5 0.95 9 5.5 2.4']),
    ],
    term: () =>
      mie.term({
        types,
        pairs: [
          { ...lj.aa, n: 14, m: 7 },
          { ...lj.ab, n: 11.5, m: 6 },
          { ...lj.bb, n: 9, m: 5.5 },
        ],
      }),
  },
  {
    name: 'wca',
    lammps: [
      'pair_style lj/cut 2.5',
      'pair_modify shift yes',
      ...coefficients([
        `1 1 ${2 ** (1 / 6)}`,
        `1.5 0.9 ${2 ** (1 / 6) * 0.9}`,
        `0.5 0.95 ${2 ** (1 / 6) * 0.95}`,
      ]),
    ],
    term: () =>
      wca.term({
        types,
        pairs: [
          { ...AA, epsilon: 1, sigma: 1 },
          { ...AB, epsilon: 1.5, sigma: 0.9 },
          { ...BB, epsilon: 0.5, sigma: 0.95 },
        ],
      }),
  },
  {
    name: 'soft',
    lammps: ['pair_style soft 2.5', ...coefficients(['10 2.5', '-7 2.2', '5 2.4'])],
    term: () =>
      soft.term({
        types,
        pairs: [
          { ...AA, A: 10, rcut: 2.5 },
          { ...AB, A: -7, rcut: 2.2 },
          { ...BB, A: 5, rcut: 2.4 },
        ],
      }),
  },
  {
    name: 'gauss',
    lammps: ['pair_style gauss 2.5', ...coefficients(['10 0.8 2.5', '-7 1.1 2.2', '5 0.5 2.4'])],
    term: () =>
      gauss.term({
        types,
        pairs: [
          { ...AA, A: 10, B: 0.8, rcut: 2.5 },
          { ...AB, A: -7, B: 1.1, rcut: 2.2 },
          { ...BB, A: 5, B: 0.5, rcut: 2.4 },
        ],
      }),
  },
  {
    name: 'zbl',
    lammps: ['pair_style zbl 1.3 2.4', 'pair_coeff 1 1 14 14', 'pair_coeff 2 2 29.5 29.5'],
    term: () =>
      zbl.term({
        types,
        mixing: 'atomic_numbers',
        pairs: [
          { ...AA, z_i: 14, z_j: 14, rcut: 2.4, switchFrom: 1.3 },
          { ...BB, z_i: 29.5, z_j: 29.5, rcut: 2.4, switchFrom: 1.3 },
        ],
      }),
  },
  {
    name: 'lj/smooth',
    lammps: ['pair_style lj/smooth 2 2.5', 'pair_modify shift yes', ...ljLines],
    term: () => lennardJonesForce({ types, pairs: ljWindow, switch: 'smooth' }),
  },
  {
    name: 'lj/smooth/linear',
    lammps: [
      'pair_style lj/smooth/linear 2.5',
      ...coefficients(['1 1 2.5', '1.5 0.9 2.2', '0.5 0.95 2.4']),
    ],
    term: () => lennardJonesForce({ types, pairs: Object.values(lj), shift: 'force' }),
  },
  {
    name: 'morse/smooth/linear',
    lammps: [
      'pair_style morse/smooth/linear 2.5',
      ...coefficients(['1 5 1.12 2.5', '1.5 4.5 1.05 2.2', '0.5 6 1.1 2.4']),
    ],
    term: () =>
      morse.term({
        types,
        shift: 'force',
        pairs: [
          { ...AA, D: 1, alpha: 5, r0: 1.12, rcut: 2.5 },
          { ...AB, D: 1.5, alpha: 4.5, r0: 1.05, rcut: 2.2 },
          { ...BB, D: 0.5, alpha: 6, r0: 1.1, rcut: 2.4 },
        ],
      }),
  },
  {
    name: 'lj/gromacs',
    lammps: ['pair_style lj/gromacs 2 2.5', ...ljLines],
    term: () => lennardJonesForce({ types, pairs: ljWindow, switch: 'force' }),
  },
  {
    name: 'lj/mdf',
    lammps: ['pair_style lj/mdf 2 2.5', ...ljLines],
    term: () => lennardJonesForce({ types, pairs: ljWindow, switch: 'potential' }),
  },
  {
    name: 'buck/mdf',
    lammps: [
      'pair_style buck/mdf 2 2.5',
      ...coefficients(['6000 0.115 1.3 2 2.5', '5000 0.12 1 1.7 2.2', '4000 0.125 0 2.1 2.4']),
    ],
    term: () =>
      buckingham.term({
        types,
        switch: 'potential',
        pairs: [
          { ...AA, A: 6000, rho: 0.115, C: 1.3, switchFrom: 2, rcut: 2.5 },
          { ...AB, A: 5000, rho: 0.12, C: 1, switchFrom: 1.7, rcut: 2.2 },
          { ...BB, A: 4000, rho: 0.125, C: 0, switchFrom: 2.1, rcut: 2.4 },
        ],
      }),
  },
  {
    name: 'lj/charmm',
    lammps: [
      'pair_style lj/charmm/coul/charmm 2 2.5',
      'set type * charge 0',
      ...coefficients(['1 1', '1.5 0.9', '0.5 0.95']),
    ],
    term: () => lennardJonesForce({ types, pairs: sameWindow, switch: 'xplor' }),
  },
  {
    name: 'coul/cut',
    lammps: ['pair_style coul/cut 2.5', 'dielectric 1.5', ...coefficients(['2.5', '2.2', '2.4'])],
    term: () =>
      coulombCut.term({
        types,
        dielectric: 1.5,
        pairs: [
          { ...AA, rcut: 2.5 },
          { ...AB, rcut: 2.2 },
          { ...BB, rcut: 2.4 },
        ],
      }),
  },
  {
    name: 'coul/debye',
    lammps: ['pair_style coul/debye 1.3 2.5', ...coefficients(['2.5', '2.2', '2.4'])],
    term: () =>
      coulombDebye.term({
        types,
        pairs: [
          { ...AA, kappa: 1.3, rcut: 2.5 },
          { ...AB, kappa: 1.3, rcut: 2.2 },
          { ...BB, kappa: 1.3, rcut: 2.4 },
        ],
      }),
  },
  {
    name: 'coul/dsf',
    lammps: ['pair_style coul/dsf 0.6 2.5', 'pair_coeff * *'],
    term: () => coulombDsf.term({ types, alpha: 0.6, rcut: 2.5 }),
    // LAMMPS's erfc has seven digits here; energies are small differences of large sums.
    within: 1e-6,
  },
  {
    name: 'coul/wolf, its energy',
    lammps: ['pair_style coul/wolf 0.6 2.5', 'pair_coeff * *'],
    term: () => coulombWolf.term({ types, alpha: 0.6, rcut: 2.5 }),
    compares: 'energy',
  },
  {
    // They are not the derivative of that energy, but those of coul/dsf, with an erfc of all digits.
    name: 'coul/wolf, its forces',
    lammps: ['pair_style coul/wolf 0.6 2.5', 'pair_coeff * *'],
    term: () => coulombDsf.term({ types, alpha: 0.6, rcut: 2.5 }),
    compares: 'forces',
  },
  {
    name: 'mie/cut, arithmetic',
    lammps: [
      'pair_style mie/cut 2.5',
      'pair_modify mix arithmetic',
      'pair_coeff 1 1 1 1 14 7 2.5',
      'pair_coeff 2 2 0.5 0.95 9 5.5 2.4',
    ],
    term: () =>
      mie.term({
        types,
        mixing: 'lorentz_berthelot',
        pairs: [
          { ...lj.aa, n: 14, m: 7 },
          { ...lj.bb, n: 9, m: 5.5 },
        ],
      }),
  },
  ...(['geometric', 'sixthpower'] as const).map(
    (mix): PairStyle => ({
      name: `mie/cut, ${mix}`,
      lammps: [
        'pair_style mie/cut 2.5',
        `pair_modify mix ${mix}`,
        'pair_coeff 1 1 1 1 14 7 2.5',
        'pair_coeff 2 2 0.5 0.95 9 5.5 2.4',
      ],
      term: () =>
        mie.term({
          types,
          mixing: mix === 'geometric' ? mix : 'sixth_power',
          pairs: [
            { ...lj.aa, n: 14, m: 7 },
            { ...lj.bb, n: 9, m: 5.5 },
          ],
        }),
    }),
  ),
  {
    name: 'lj/gromacs, sixthpower',
    lammps: [
      'pair_style lj/gromacs 2 2.5',
      'pair_modify mix sixthpower',
      'pair_coeff 1 1 1 1 2 2.5',
      'pair_coeff 2 2 0.5 0.95 2.1 2.4',
    ],
    term: () =>
      pairForce({
        types,
        mixing: 'sixth_power',
        pairs: [
          { ...lj.aa, use: 'lennard_jones', switch: 'force', switchFrom: 2 },
          { ...lj.bb, use: 'lennard_jones', switch: 'force', switchFrom: 2.1 },
        ],
      }),
  },
  {
    name: 'hybrid',
    lammps: [
      'pair_style hybrid lj/cut 2.5 morse/smooth/linear 2.5 buck/mdf 2 2.5',
      'pair_coeff 1 1 lj/cut 1 1 2.5',
      'pair_coeff 1 2 morse/smooth/linear 1.5 4.5 1.05 2.2',
      'pair_coeff 2 2 buck/mdf 4000 0.125 1 2.1 2.4',
    ],
    term: () =>
      pairForce({
        types,
        pairs: [
          { ...lj.aa, use: 'lennard_jones' },
          { ...AB, use: 'morse', D: 1.5, alpha: 4.5, r0: 1.05, rcut: 2.2, shift: 'force' },
          {
            ...BB,
            use: 'buckingham',
            A: 4000,
            rho: 0.125,
            C: 1,
            rcut: 2.4,
            switch: 'potential',
            switchFrom: 2.1,
          },
        ],
      }),
  },
  {
    name: 'hybrid/overlay',
    lammps: [
      'pair_style hybrid/overlay lj/cut 2.5 coul/debye 1.3 2.5 gauss 2.5 gauss 2.5 zbl 1.3 2.4',
      'pair_coeff 1 1 lj/cut 1 1 2.5',
      'pair_coeff 1 2 lj/cut 1.5 0.9 2.2',
      'pair_coeff 2 2 lj/cut 0.5 0.95 2.4',
      'pair_coeff * * coul/debye 2.5',
      'pair_coeff 1 2 gauss 1 10 0.8 2.5',
      'pair_coeff 1 2 gauss 2 -7 1.1 2.2',
      'pair_coeff 1 1 zbl 14 14',
    ],
    term: () =>
      pairForce({
        types,
        pairs: [
          ...Object.values(lj).map((pair) => ({ ...pair, use: 'lennard_jones' })),
          { use: 'coulomb_debye', kappa: 1.3, rcut: 2.5 },
          { ...AB, use: 'gauss', A: 10, B: 0.8, rcut: 2.5 },
          { ...AB, use: 'gauss', A: -7, B: 1.1, rcut: 2.2 },
          { ...AA, use: 'zbl', z_i: 14, z_j: 14, rcut: 2.4, switchFrom: 1.3 },
        ],
      }),
  },
];

/** Charges of both signs that differ from particle to particle; they sum up to something. */
export const chargesOf = (types: readonly number[]): number[] =>
  types.map((type, k) => (type === 0 ? 0.5 : -0.9) + 0.1 * Math.sin(k));

/** Configurations of `potentialReference` that styles are compared on. */
export const styleConfigurations = ['liquid', 'triclinic'] as const;
/** LAMMPS's forces are kept of so many particles. */
export const KEPT = 64;

export const stylesFile = fileURLToPath(
  new URL('../data/potentials/styles.json.gz', import.meta.url),
);
let stored: Record<string, Record<string, Omit<PotentialReference, 'frame'>>> | null = null;

/** One configuration, and what LAMMPS computes there; `forces` of the first particles. */
export function styleReference(configuration: string, name: string): PotentialReference {
  stored ??= JSON.parse(gunzipSync(readFileSync(stylesFile)).toString()) as NonNullable<
    typeof stored
  >;
  const { energy, pressure, forces } = stored[configuration]![name]!;
  return {
    frame: chargedFrame(configuration),
    energy,
    pressure,
    forces: Float64Array.from(forces),
  };
}

/** One configuration with charges. */
export function chargedFrame(configuration: string): ParticleFrame {
  const { frame } = potentialReference(configuration, 'lennard_jones');
  return { ...frame, charge: Float64Array.from(chargesOf([...frame.type])) };
}
