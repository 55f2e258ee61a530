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

interface Parts {
  readonly setup: string;
  readonly forces: string;
  readonly types?: string;
  readonly dt?: number;
  readonly scheme?: string;
  /** Slots of thermo. */
  readonly thermo?: string;
}

const document = ({
  setup,
  forces,
  types = 'A: { mass: 1 }',
  dt = 0.005,
  scheme,
  thermo = scheme ? 'conserved: true' : '',
}: Parts) => `
configuration: { units: lj, seed: 4711 }
global: { dt: ${dt}, rcut_inc: 0.3, end_iteration: 100, thermo_frequency: 20 }
particle_types: { ${types} }
setup_system:
${setup}
compute_force:
${forces}
${scheme ? `numerical_scheme: ${scheme}\n` : ''}thermo: { ${thermo} }
simulation: molecular_dynamics
`;

const warm = '  - init_temperature: { temperature: 1.44 }';
const lennardJones = '  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }';
const crystal = (repeat: string, types = '[A]') =>
  `  - lattice: { structure: fcc, density: 0.8442, repeat: ${repeat}, types: ${types} }`;

/** An extended xyz file of a warm cubic crystal in a cell of one's own. */
function crystalFile(cell: readonly number[], pbc: string, places: readonly (readonly number[])[]) {
  const lines = places.map((at) => `A ${at.map((x) => x.toPrecision(17)).join(' ')}`);
  const head = `Lattice="${cell.join(' ')}" pbc="${pbc}" Properties=species:S:1:pos:R:3`;
  return `${[places.length, head, ...lines].join('\n')}\n`;
}

/** Points of a skewed lattice, n of them along each vector. */
function points(cell: readonly number[], n: number, offset = 0.5): number[][] {
  const all: number[][] = [];
  for (let c = 0; c < n; c++)
    for (let b = 0; b < n; b++)
      for (let a = 0; a < n; a++) {
        const s = [a, b, c].map((k) => (k + offset) / n);
        all.push(
          [0, 1, 2].map((k) => s[0]! * cell[k]! + s[1]! * cell[k + 3]! + s[2]! * cell[k + 6]!),
        );
      }
  return all;
}

const skewed = [9, 0, 0, 2.5, 8.5, 0, -1.5, 2, 9.5];
const cube = [9, 0, 0, 0, 9, 0, 0, 0, 9];
/** Particles of a box that is open along z. */
const slab = crystalFile(cube, 'T T F', points(cube, 8));
/** Points of a ball, well within a large box, and a small one beside it. */
const drop = points([24, 0, 0, 0, 24, 0, 0, 0, 24], 20).filter(
  ([x, y, z]) =>
    Math.hypot(x! - 9, y! - 9, z! - 9) < 6 || Math.hypot(x! - 18, y! - 17, z! - 16) < 2,
);

/** A warm crystal that melts, with more forces perhaps. */
const meltOf = (repeat: string, more = '') =>
  document({ setup: `${crystal(repeat)}\n${warm}`, forces: `${lennardJones}${more}` });

/** One of each. */
const analyses = [
  'radial_distribution: { r_max: 3.1, file: rdf.csv, errors: true, frequency: 50 }',
  'mean_square_displacement: { file: msd.csv, every: 20, origins: 2 }',
  'velocity_autocorrelation: { file: vacf.csv, every: 20 }',
  'structure_factor: { q_max: 9, bins: 20, vectors: 10, file: sq.csv, every: 50 }',
  'averages: { file: averages.csv, every: 10 }',
  'stress_autocorrelation: { file: sacf.csv, every: 10, lags: 5 }',
  'heat_flux_autocorrelation: { file: hfacf.csv, every: 10, lags: 5 }',
  'particle_stress: { file: stress.json, every: 50 }',
  'profile: { axis: z, bins: 8, file: profile.csv, every: 20 }',
  'steinhardt: { cutoff: 1.5, file: q.json, frequency: 50 }',
  'centro_symmetry: { cutoff: 2.9, file: centro.json, every: 50 }',
  'common_neighbors: { cutoff: 1.4, file: cna.json, every: 50 }',
  'clusters: { cutoff: 1.01, file: clusters.json, sizes: sizes.csv, every: 50 }',
  'coordination_histogram: { group_a: all, switch: { type: rational, r_0: 1.3, d_max: 2 }, max: 20, file: histogram.csv, frequency: 50 }',
  'grid_projection: { fields: [density, temperature, ep, q4, cluster, structure, centro_symmetry, sxx], file: map.vti, encoding: ascii, frequency: 50 }',
  'grid_histogram: { file: voxels.csv, every: 50 }',
  'cc_label: { field: density, threshold: 0.8, file: components.csv, every: 50 }',
  'neighbor_stats: { frequency: 50 }',
  'write_extended_xyz: { file: found.xyz, fields: [pos, id, stress], frequency: 50 }',
  'write_extended_xyz: { file: frames.xyz, fields: [pos, velo, id, forces, energy], frequency: 40 }',
  'coordination: { group_a: all, switch: { type: rational, r_0: 1.3, d_max: 3.2 }, file: number.json, frequency: 50 }',
]
  .map((one) => `  - ${one}\n`)
  .join('');

/** Whole neighborhoods: neighbors receive forces too, and shares of the virial for the stress. */
const silicon = (repeat: string, temperature: number, more = '') => `
configuration: { units: { length: angstrom, mass: Dalton, time: picosecond, energy: electronvolt, temperature: kelvin }, seed: 4711 }
global: { dt: 1 fs, rcut_inc: 0.3, end_iteration: 100, thermo_frequency: 20 }
particle_types: { Si: { mass: 28.0855 } }
setup_system:
  - lattice: { structure: diamond, lattice_constant: 5.431, repeat: [${repeat}], types: [Si] }
  - init_temperature: { temperature: ${temperature} K }
compute_force:
  - stillinger_weber_force: { epsilon: 2.1683, sigma: 2.0951, a: 1.8, lambda: 21, gamma: 1.2, cos_theta0: -1/3, A: 7.049556277, B: 0.6022245584, p: 4, q: 0 }
dump_data:
  - particle_stress: { every: 50, file: stress.json }
${more}simulation: molecular_dynamics
`;

const groups = `
  - group: { name: low, region: { box: { z: [0, 3] } } }
  - group: { name: rest, subtract: [all, low] }
  - group: { name: some, ids: { first: 10, last: 200, stride: 3 } }`;

/** Forces that do not come of pairs. */
const outside = [
  'add_force: { force: [0.1, 0.2, 0.3], group: some }',
  'gravity: { acceleration: [0.2, 0, -0.3] }',
  'efield: { field: [0, 0.3, 1] }',
  'harmonic_force: { k: 0.1, point: [2, 2, 2] }',
  'spring: { k: 10, point: [9, 1, 1], group: low }',
  'spring_self: { k: 5, group: some }',
  'wall: { form: harmonic, sphere: { center: [4, 4, 4], radius: 4 }, stiffness: 1, rcut: 2 }',
]
  .map((one) => `\n  - ${one}`)
  .join('');

/** Boxes that change, by what changes them in a scheme; whether the box is skewed, whether the short form has it. */
const boxSchemes: readonly (readonly [scheme: string, skewed?: boolean, isShort?: boolean])[] = [
  ['{ nose_hoover: { temperature: 1.2, tau: 0.3, pressure: 5, tau_pressure: 0.3 } }'],
  ['{ nose_hoover: { pressure: [3, 9], tau_pressure: 0.3, coupling: aniso, every: 2 } }'],
  ['{ nose_hoover: { pressure: 9, tau_pressure: 0.1, coupling: triclinic } }', true],
  [
    '{ berendsen: { temperature: 1.2, tau: 0.2, pressure: 9, tau_pressure: 0.2, coupling: aniso } }',
  ],
  [
    '{ bussi: { temperature: 1.2, tau: 0.2 } }, { cell_rescale: { pressure: 9, temperature: 1.2, tau: 0.2, every: 5 } }',
  ],
  ['velocity_verlet, { deform: { rate: { xy: 3 }, true_rate: { zz: -0.2 } } }', true, true],
  ['velocity_verlet, { deform: { rate: { xy: 0.5, xx: 0.1 }, remap: velocities } }'],
  ['velocity_verlet, { deform: { rate: { xy: 2 }, sllod: true } }'],
];

/** What looks at clocks and files, and what changes particles in the loop. Each rank has a clock and a folder of its own. */
const decisions = `dump_data:
  - write_extended_xyz: { file: frames.xyz, fields: [pos, velo, id], frequency: 50 }
  - file_exists: { name: thermo.csv }
  - { condition: file_exists, body: [measure, timer: { quiet: true }] }
  - { condition: 'floor(elapsed_seconds * 1e6) % 2 == 0', body: [measure, memory_stats] }
  - check_values: { that: 'file_exists and process_bytes > heap_bytes and measured_particles == 512', frequency: 100 }
  - check_values: { file: start.xyz, tolerance: 2, frequency: 50 }
  - nth_timestep: { frequency: 30, from: 30 }
  - { condition: nth_timestep, body: [init_temperature: { temperature: 1.1, group: low }, change_box: { scale: 0.999 }] }
  - { condition: nth_timestep, body: [set: { fields: { vz: 0.1 }, group: some }, gaussian_noise: { sigma: 0.01, of: velocities }] }
after_drift:
  - group: { name: low, region: { box: { z: [0, 3] } }, every: 7 }
  - displace_particles: { random: [0.01, 0.01, 0.01], group: low, every: 20 }
`;

/** Particles that come and go: at random, where there is room; those that are too near, those of a region or of a group, and some of all. */
const comeAndGo = `dump_data:
  - write_extended_xyz: { file: frames.xyz, fields: [pos, velo, id, mass], frequency: 20 }
after_drift:
  - create_particles: { type: B, count: 9, min_distance: 0.75, temperature: 1, group: low, every: 20, from: 10 }
  - create_particles: { type: B, positions: [[1, 1, 8.9], [4, 0.1, 4]], velocity: [0, 0, 1], every: 40, from: 15 }
  - delete_particles: { overlap: 0.8, every: 5 }
  - delete_particles: { region: { box: { x: [0, 1], z: [0, 2] } }, every: 30, from: 25 }
  - delete_particles: { fraction: 0.02, group: some, every: 15 }
`;

/** What brings, copies or bonds particles in the loop, and opens the box. */
const others = `dump_data:
  - write_extended_xyz: { file: frames.xyz, fields: [pos, velo, id, image], properties: [extra], frequency: 20 }
after_drift:
  - nth_timestep: { frequency: 1000, from: 30 }
  - { condition: nth_timestep, body: [replicate: { repeat: [1, 2, 1] }] }
  - nth_timestep: { frequency: 1000, from: 45 }
  - { condition: nth_timestep, body: [bond_particles: { bonds: [[80, 81], [81, 82]] }, particle_properties: { fields: { extra: { default: 3 } } }] }
  - nth_timestep: { frequency: 1000, from: 70 }
  - { condition: nth_timestep, body: [change_box: { periodic: [true, true, false] }] }
`;

/** Frames of a file in turn, each with forces and a row of thermo. */
const analyzed = `
configuration: { units: lj }
particle_types: { A: { mass: 1 } }
simulation:
  - read_extended_xyz: { file: turns.xyz, loop: true }
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
  - thermo
  - coordination: { group_a: all, switch: { type: rational, r_0: 1.3, d_max: 3.2 }, file: number.json }
`;

/** Numbers of ranks for what depends on them less. */
const few: readonly number[] = [3, 7];

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
