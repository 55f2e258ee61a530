import {
  analyses,
  analyzed,
  boxSchemes,
  comeAndGo,
  crystal,
  crystalFile,
  decisions,
  document,
  drop,
  groups,
  lennardJones,
  meltOf,
  others,
  outside,
  points,
  silicon,
  skewed,
  slab,
  warm,
} from './rankParts.js';

/** A simulation that runs on ranks as on one process. */
export interface RankCase {
  readonly text: string;
  /** Whether the short form of the tests has it too. */
  readonly isShort?: boolean;
  /** The numbers of ranks that run it; default: all that are tested. */
  readonly ranks?: readonly number[];
  /** How near the first row is; default 1e-13, for sums in another order. */
  readonly first?: number;
  /** A file that it reads. */
  readonly particles?: { readonly file: string; readonly text: string };
}

/** Numbers of ranks for what depends on them less: on 5 ranks deterministic runs give the bits of one. */
const few: readonly number[] = [3];

export const rankCases: Readonly<Record<string, RankCase>> = {
  'a melt': { text: meltOf('[5, 5, 5]') },
  'a melt with analyses': {
    text: `${meltOf('[4, 4, 4]')}dump_data:\n${analyses}`,
    isShort: true,
    ranks: few,
  },
  'a melt with a biased coordination number': {
    text: meltOf(
      '[4, 4, 4]',
      '\n  - coordination: { group_a: all, switch: { type: rational, r_0: 1.2, d_max: 1.8 }, harmonic_bias: { at: 600, kappa: 0.01 }, file: biased.csv, frequency: 10 }',
    ),
  },
  'a few biased particles': {
    text: meltOf(
      '[4, 4, 4]',
      '\n  - coordination: { group_a: [3, 77], group_b: { first: 100, last: 200, stride: 5 }, switch: { type: rational, r_0: 1.5, d_max: 3.3 }, harmonic_bias: { at: 8, kappa: 1 }, file: biased.csv, frequency: 10 }',
    ),
    ranks: few,
  },
  'groups, forces from outside, and a wall': {
    text: `${document({
      setup: `${crystal('[5, 4, 4]', '[A, B, A, A]')}\n${warm}${groups}`,
      types: 'A: { mass: 1, charge: 0.3 }, B: { mass: 2, charge: -0.3 }',
      forces: `${lennardJones}${outside}`,
      scheme:
        '[{ nose_hoover: { temperature: 1.2, tau: 0.3, group: low } }, { langevin: { temperature: 1.2, friction: 2, group: rest } }]',
      thermo: 'conserved: true, groups: [low, some, all]',
    })}dump_data: [{ mean_square_displacement: { file: msd.csv, every: 20, group: some } }]\n`,
    isShort: true,
    ranks: few,
  },
  'particles that are moved, and others that are held': {
    text: document({
      setup: `${crystal('[5, 4, 4]', '[A, A, A, A]')}\n${warm}${groups}`,
      forces: `${lennardJones}\n  - freeze: { group: some }`,
      scheme:
        '[{ velocity_verlet: { group: rest } }, { prescribed_motion: { group: low, wiggle: { amplitude: [0.3, 0.2, 0], period: 0.4 } } }]',
      thermo: '',
    }),
    ranks: few,
  },
  'dissipative particles': {
    text: document({
      setup: `  - lattice: { structure: fcc, density: 3, repeat: [5, 5, 5], types: [A] }\n${warm}`,
      forces: '  - dpd_force: { A: 25, gamma: 4.5, rcut: 1, temperature: 1 }',
    }),
    ranks: few,
  },
  "charges by Wolf's sums, with two time steps": {
    text: document({
      setup: `${crystal('[4, 4, 4]', '[A, B, A, B]')}\n${warm}`,
      types: 'A: { mass: 1, charge: 0.5 }, B: { mass: 1.7, charge: -0.5 }',
      forces: '  - near\n  - far',
      scheme: '{ respa: { levels: [{ forces: near, steps: 2 }, { forces: far }] } }',
      thermo: '',
    }).concat(`near:\n${lennardJones}\nfar:\n  - coulomb_wolf_force: { alpha: 0.3, rcut: 3 }\n`),
    ranks: few,
  },
  silicon: { text: silicon('3, 3, 3', 600) },
  'hot silicon, thinner than the cutoff along one side': { text: silicon('6, 2, 1', 3000) },
  'bonded pairs': {
    text: document({
      setup: `${crystal('[5, 5, 5]')}\n${warm}\n  - bond_particles: { bonds: [${Array.from({ length: 200 }, (_, k) => `[${2 * k}, ${2 * k + 1}]`)}], scaling: [0, 1, 1] }`,
      forces: `${lennardJones}\n  - harmonic_bond_force: { k: 50, r0: 1.1, rcut: 2.2 }`,
    }),
    isShort: true,
  },
  'a mixture': {
    text: document({
      setup: `${crystal('[5, 4, 5]', '[A, B, B, A]')}\n${warm}`,
      types: 'A: { mass: 1 }, B: { mass: 1.7 }',
      forces:
        '  - lennard_jones_force: { mixing: lorentz_berthelot, pairs: [{ types: [A, A], epsilon: 1, sigma: 1, rcut: 2.5 }, { types: [B, B], epsilon: 0.7, sigma: 0.9, rcut: 2.2 }] }',
    }),
  },
  'a skewed box': {
    text: document({
      setup: `  - read_extended_xyz: { file: skewed.xyz }\n${warm}`,
      forces: lennardJones,
    }),
    isShort: true,
    particles: { file: 'skewed.xyz', text: crystalFile(skewed, 'T T T', points(skewed, 8)) },
  },
  // Particles lie on faces of the box: by a rounding they, or their images, are on the other side.
  'a crystal in a box that leans': {
    text: document({
      setup: `${crystal('[4, 4, 4]')}\n  - change_box: { strain: { xy: -0.3, yz: 0.1 } }\n  - init_temperature: { temperature: 0.3 }`,
      forces: `${lennardJones}\n  - wall: { form: harmonic, plane: { point: [0, 0, 5.5], normal: [0, 0, -1] }, stiffness: 1, rcut: 1 }`,
      dt: 0.001,
    }),
    isShort: true,
  },
  'an open box': {
    text: document({
      setup: `  - read_extended_xyz: { file: open.xyz }\n${warm}`,
      forces: lennardJones,
    }),
    particles: {
      file: 'open.xyz',
      text: crystalFile([24, 0, 0, 0, 24, 0, 0, 0, 24], 'F F F', drop),
    },
  },
  'a box with one open side': {
    text: document({
      setup: `  - read_extended_xyz: { file: slab.xyz }\n${warm}`,
      forces: lennardJones,
    }),
    particles: {
      file: 'slab.xyz',
      text: slab,
    },
  },
  'clocks, files, and particles that are changed on the way': {
    text: `${document({
      setup: `  - read_extended_xyz: { file: start.xyz }\n${warm}${groups}`,
      forces: lennardJones,
      thermo: 'box: true, groups: [low, some]',
    })}${decisions}`,
    isShort: true,
    ranks: few,
    particles: { file: 'start.xyz', text: crystalFile(skewed, 'T T T', points(skewed, 8)) },
  },
  'particles that come and go': {
    text: `${document({
      setup: `${crystal('[5, 5, 5]')}\n${warm}${groups}`,
      types: 'A: { mass: 1 }, B: { mass: 1.5 }',
      forces: lennardJones,
      scheme: '{ langevin: { temperature: 1, friction: 2 } }',
      thermo: 'groups: [low, some, all]',
    })}${comeAndGo}`,
    isShort: true,
  },
  'particles that are copied, and bonded, on the way': {
    text: `${document({
      setup: `${crystal('[4, 2, 4]')}\n${warm}\n  - replicate: { repeat: [1, 2, 1] }\n  - particle_properties: { fields: { extra: { default: 2 } } }`,
      forces: `${lennardJones}\n  - harmonic_bond_force: { k: 50, r0: 1.1, rcut: 2.2 }`,
    })}${others}`,
    ranks: few,
  },
  'frames of a file': {
    text: analyzed,
    ranks: few,
    particles: {
      file: 'turns.xyz',
      text: Array.from({ length: 6 }, (_, k) =>
        crystalFile(skewed, 'T T T', points(skewed, k % 2 === 0 ? 8 : 7, k / 6)),
      ).join(''),
    },
  },
  'time steps of a file': {
    text: document({
      setup: `${crystal('[4, 4, 4]')}\n${warm}`,
      forces: lennardJones,
      scheme: '[{ timestep_file: { file: steps.txt } }, velocity_verlet]',
      thermo: '',
    }),
    ranks: few,
    particles: { file: 'steps.txt', text: '0 0.005\n40 0.002\n' },
  },
  'a slab whose faces follow it': {
    text: `${document({
      setup: `  - read_extended_xyz: { file: wrapped.xyz }\n${warm}\n  - shrink_wrap: { faces: [zhi] }`,
      forces: lennardJones,
      thermo: 'box: true',
    })}after_drift: [{ mirror: { faces: [zlo] } }, { shrink_wrap: { faces: [zhi], every: 10 } }]\n`,
    ranks: few,
    particles: {
      file: 'wrapped.xyz',
      text: slab,
    },
  },
  'a crystal that is brought to a pressure': {
    text: document({
      setup: `${crystal('[4, 4, 4]')}\n${warm}\n  - displace_particles: { random: [0.05, 0.05, 0.05] }\n  - minimize: { style: cg, force_tolerance: 1e-6, pressure: 2, coupling: aniso, file: minimum.csv }`,
      forces: lennardJones,
      thermo: 'box: true',
    }),
    ranks: few,
    first: 1e-11, // it comes after many steps of the minimizer
  },
  ...Object.fromEntries(
    boxSchemes.map(([scheme, isSkewed = false, isShort = false]) => [
      scheme,
      {
        text: document({
          setup: `${isSkewed ? '  - read_extended_xyz: { file: skewed.xyz }' : crystal('[5, 4, 4]')}\n${warm}`,
          forces: lennardJones,
          scheme: `[${scheme}]`,
          thermo: 'box: true',
        }),
        ...(isShort && { isShort }),
        ...(isSkewed && {
          particles: { file: 'skewed.xyz', text: crystalFile(skewed, 'T T T', points(skewed, 8)) },
        }),
        ranks: few,
      },
    ]),
  ),
  'a melt with analyses at a pressure': {
    text: `${document({
      setup: `${crystal('[4, 4, 4]')}\n${warm}`,
      forces: lennardJones,
      scheme: '{ nose_hoover: { pressure: 9, tau_pressure: 0.1, coupling: aniso } }',
      thermo: 'box: true, conserved: true',
    })}dump_data:\n${analyses}`,
    ranks: few,
  },
  'silicon at a pressure, thinner than the cutoff along one side': {
    text: silicon(
      '6, 2, 1',
      3000,
      'numerical_scheme: { nose_hoover: { pressure: 10 GPa, tau_pressure: 0.1 ps, coupling: aniso } }\nthermo: { box: true }\n',
    ),
    isShort: true,
  },
  'a biased metal at a pressure': {
    text: document({
      setup: `${crystal('[5, 5, 4]')}\n  - init_temperature: { temperature: 0.1 }`,
      forces:
        '  - sutton_chen_force: { epsilon: 1, a: 1.7, c: 30, n: 9, m: 6, rcut: 3.2 }\n  - coordination: { group_a: all, switch: { type: rational, r_0: 1.2, d_max: 1.8 }, harmonic_bias: { at: 600, kappa: 0.01 }, file: biased.csv, frequency: 10 }',
      dt: 0.002,
      scheme: '{ berendsen: { pressure: 5, compressibility: 1e-3, tau_pressure: 0.2 } }',
      thermo: 'box: true',
    }),
    ranks: few,
  },
  'a box thinner than the cutoff': {
    text: document({
      setup: `${crystal('[8, 1, 1]')}\n${warm}`,
      forces: lennardJones,
    }),
  },
  'a mixture of charges': {
    text: document({
      setup: `${crystal('[4, 4, 4]', '[A, B, A, B]')}\n${warm}`,
      types: 'A: { mass: 1, charge: 0.5 }, B: { mass: 1.7, charge: -0.5 }',
      forces: `${lennardJones}\n  - coulomb_dsf_force: { alpha: 0.3, rcut: 3 }`,
    }),
    ranks: few,
  },
  'a metal': {
    text: document({
      setup: `${crystal('[5, 5, 4]')}\n  - init_temperature: { temperature: 0.1 }`,
      forces: '  - sutton_chen_force: { epsilon: 1, a: 1.7, c: 30, n: 9, m: 6, rcut: 3.2 }',
      dt: 0.002,
    }),
    isShort: true,
  },
  ...Object.fromEntries(
    [
      '{ langevin: { temperature: 1.2, friction: 2 } }',
      '{ nose_hoover: { temperature: 1.2, tau: 0.3 } }',
      '{ bussi: { temperature: [1.2, 0.9], tau: 0.3 } }',
      '{ andersen: { temperature: 1.2, rate: 5 } }',
      '{ brownian: { temperature: 1.2, friction: 10 } }',
    ].map((scheme) => [
      scheme,
      {
        text: document({
          setup: `${crystal('[5, 4, 4]')}\n${warm}`,
          forces: lennardJones,
          scheme,
          ...(scheme.includes('brownian') && { thermo: '' }),
        }),
        ranks: few,
      },
    ]),
  ),
};
