/** One potential of a pair style. */
export interface PairPart {
  /** The potential here: its operator is `<use>_force`. */
  readonly use: string;
  /** Slots that `pair_style` sets for all pairs, by the position of its arguments. */
  readonly global: Readonly<Record<string, number>>;
  /** Slots that `pair_coeff` sets, by the position of its arguments. */
  readonly pair: Readonly<Record<string, number>>;
  /** Slots that are written as they are. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Whether unlike pairs follow from like ones. */
  readonly mixes?: 'by_style' | 'atomic_numbers';
  /** Whether `pair_modify shift yes` acts on it. */
  readonly shifts?: boolean;
}

/** A pair style that maps. */
export interface PairStyle {
  readonly parts: readonly PairPart[];
  /** Arguments that `pair_style` needs at least, and takes at most. */
  readonly globals: readonly [number, number];
  /** The same of `pair_coeff`, without the two types. */
  readonly coefficients: readonly [number, number];
  /** What differs from LAMMPS even so. */
  readonly differs?: string;
  /** Whether it maps only together with `pair_modify shift yes`. */
  readonly needsShift?: boolean;
}

const simple = (
  part: Omit<PairPart, 'global'>,
  coefficients: number,
  more: Partial<PairStyle> & {
    readonly window?: boolean;
    readonly globals?: readonly [number, number];
    readonly global?: Readonly<Record<string, number>>;
  } = {},
): PairStyle => {
  const { window, global, ...rest } = more;
  const cut: Readonly<Record<string, number>> = window
    ? { switch_from: coefficients, rcut: coefficients + 1 }
    : { rcut: coefficients };
  return {
    parts: [
      {
        ...part,
        pair: { ...part.pair, ...cut },
        global: global ?? (window ? { switch_from: 0, rcut: 1 } : { rcut: 0 }),
      },
    ],
    globals: window ? [2, 2] : [1, 1],
    coefficients: [coefficients, coefficients + (window ? 2 : 1)],
    ...rest,
  };
};

const LJ = { use: 'lennard_jones', pair: { epsilon: 0, sigma: 1 }, mixes: 'by_style' } as const;
const BUCK = { use: 'buckingham', pair: { A: 0, rho: 1, C: 2 } } as const;
const BORN = { use: 'born', pair: { A: 0, rho: 1, sigma: 2, C: 3, D: 4 } } as const;
const MORSE = { use: 'morse', pair: { D: 0, alpha: 1, r0: 2 } } as const;

const COULOMB = {
  cut: { use: 'coulomb_cut', global: { rcut: 0 } },
  debye: { use: 'coulomb_debye', global: { kappa: 0, rcut: 1 } },
  dsf: { use: 'coulomb_dsf', global: { alpha: 0, rcut: 1 } },
  wolf: { use: 'coulomb_wolf', global: { alpha: 0, rcut: 1 } },
} as const;
const WOLF = 'energies agree; its forces in LAMMPS are those of coulomb_dsf_force';

/** A short-range potential with charges, each with a cutoff: `lj/cut/coul/dsf alpha rcut rcut_coulomb`. */
function charged(
  part: Omit<PairPart, 'global'>,
  coefficients: number,
  kind: keyof typeof COULOMB,
): PairStyle {
  const before = kind === 'cut' ? 0 : 1;
  const coulomb = COULOMB[kind];
  // Cutoffs of a pair are those of both where the charges have none of their own.
  const own = kind === 'cut' || kind === 'debye';
  return {
    parts: [
      {
        ...part,
        global: { rcut: before },
        pair: { ...part.pair, rcut: coefficients },
        shifts: true,
      },
      {
        use: coulomb.use,
        global: { ...coulomb.global, rcut: before, rcut_coulomb: before + 1 },
        pair: own ? { rcut: coefficients, rcut_coulomb: coefficients + 1 } : {},
      },
    ],
    globals: [before + 1, before + 2],
    coefficients: [coefficients, coefficients + (own ? 2 : 1)],
    ...(kind === 'wolf' && { differs: WOLF }),
  };
}

const coulomb = (kind: keyof typeof COULOMB): PairStyle => {
  const own = kind === 'cut' || kind === 'debye';
  const count = Object.keys(COULOMB[kind].global).length;
  return {
    parts: [{ ...COULOMB[kind], pair: own ? { rcut: 0 } : {} }],
    globals: [count, count],
    coefficients: [0, own ? 1 : 0],
    ...(kind === 'wolf' && { differs: WOLF }),
  };
};

/** Pair styles that are potentials of pairs; those of files and of dissipative particles are told apart in PairForces. */
export const pairStyles: Readonly<Record<string, PairStyle>> = {
  'lj/cut': simple({ ...LJ, shifts: true }, 2),
  'lj/smooth/linear': simple({ ...LJ, fixed: { shift: 'force' } }, 2),
  'lj/smooth': simple({ ...LJ, fixed: { switch: 'smooth' } }, 2, {
    window: true,
    needsShift: true,
  }),
  'lj/gromacs': simple({ ...LJ, fixed: { switch: 'force' } }, 2, { window: true }),
  'lj/mdf': simple({ ...LJ, fixed: { switch: 'potential' } }, 2, { window: true }),
  'mie/cut': simple(
    { use: 'mie', pair: { epsilon: 0, sigma: 1, n: 2, m: 3 }, mixes: 'by_style', shifts: true },
    4,
  ),
  morse: simple({ ...MORSE, shifts: true }, 3),
  'morse/smooth/linear': simple({ ...MORSE, fixed: { shift: 'force' } }, 3),
  buck: simple({ ...BUCK, shifts: true }, 3),
  'buck/mdf': simple({ ...BUCK, fixed: { switch: 'potential' } }, 3, { window: true }),
  born: simple({ ...BORN, shifts: true }, 5),
  yukawa: simple({ use: 'yukawa', pair: { A: 0 }, mixes: 'by_style', shifts: true }, 1, {
    global: { kappa: 0, rcut: 1 },
    globals: [2, 2],
  }),
  gauss: simple({ use: 'gauss', pair: { A: 0, B: 1 }, shifts: true }, 2),
  soft: simple({ use: 'soft', pair: { A: 0 }, mixes: 'by_style' }, 1),
  zbl: {
    parts: [
      {
        ...{ use: 'zbl', global: { switch_from: 0, rcut: 1 }, pair: { z_i: 0, z_j: 1 } },
        mixes: 'atomic_numbers',
      },
    ],
    globals: [2, 2],
    coefficients: [2, 2],
  },
  'coul/cut': coulomb('cut'),
  'coul/debye': coulomb('debye'),
  'coul/dsf': coulomb('dsf'),
  'coul/wolf': coulomb('wolf'),
  'lj/cut/coul/cut': charged(LJ, 2, 'cut'),
  'lj/cut/coul/debye': charged(LJ, 2, 'debye'),
  'lj/cut/coul/dsf': charged(LJ, 2, 'dsf'),
  'lj/cut/coul/wolf': charged(LJ, 2, 'wolf'),
  'buck/coul/cut': charged(BUCK, 3, 'cut'),
  'born/coul/dsf': charged(BORN, 5, 'dsf'),
  'born/coul/wolf': charged(BORN, 5, 'wolf'),
};
