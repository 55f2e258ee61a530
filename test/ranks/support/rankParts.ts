/* Parts of the simulations of rankCases.ts. */

interface Parts {
  readonly setup: string;
  readonly forces: string;
  readonly types?: string;
  readonly dt?: number;
  readonly scheme?: string;
  /** Slots of thermo. */
  readonly thermo?: string;
}

export const document = ({
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

export const warm = '  - init_temperature: { temperature: 1.44 }';
export const lennardJones = '  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }';
export const crystal = (repeat: string, types = '[A]') =>
  `  - lattice: { structure: fcc, density: 0.8442, repeat: ${repeat}, types: ${types} }`;

/** An extended xyz file of a warm cubic crystal in a cell of one's own. */
export function crystalFile(
  cell: readonly number[],
  pbc: string,
  places: readonly (readonly number[])[],
) {
  const lines = places.map((at) => `A ${at.map((x) => x.toPrecision(17)).join(' ')}`);
  const head = `Lattice="${cell.join(' ')}" pbc="${pbc}" Properties=species:S:1:pos:R:3`;
  return `${[places.length, head, ...lines].join('\n')}\n`;
}

/** Points of a skewed lattice, n of them along each vector. */
export function points(cell: readonly number[], n: number, offset = 0.5): number[][] {
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

export const skewed = [9, 0, 0, 2.5, 8.5, 0, -1.5, 2, 9.5];
const cube = [9, 0, 0, 0, 9, 0, 0, 0, 9];
/** Particles of a box that is open along z. */
export const slab = crystalFile(cube, 'T T F', points(cube, 8));
/** Points of a ball, well within a large box, and a small one beside it. */
export const drop = points([24, 0, 0, 0, 24, 0, 0, 0, 24], 20).filter(
  ([x, y, z]) =>
    Math.hypot(x! - 9, y! - 9, z! - 9) < 6 || Math.hypot(x! - 18, y! - 17, z! - 16) < 2,
);

/** A warm crystal that melts, with more forces perhaps. */
export const meltOf = (repeat: string, more = '') =>
  document({ setup: `${crystal(repeat)}\n${warm}`, forces: `${lennardJones}${more}` });

/** One of each. */
export const analyses = [
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
export const silicon = (repeat: string, temperature: number, more = '') => `
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

export const groups = `
  - group: { name: low, region: { box: { z: [0, 3] } } }
  - group: { name: rest, subtract: [all, low] }
  - group: { name: some, ids: { first: 10, last: 200, stride: 3 } }`;

/** Forces that do not come of pairs. */
export const outside = [
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
export const boxSchemes: readonly (readonly [
  scheme: string,
  skewed?: boolean,
  isShort?: boolean,
])[] = [
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
export const decisions = `dump_data:
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
export const comeAndGo = `dump_data:
  - write_extended_xyz: { file: frames.xyz, fields: [pos, velo, id, mass], frequency: 20 }
after_drift:
  - create_particles: { type: B, count: 9, min_distance: 0.75, temperature: 1, group: low, every: 20, from: 10 }
  - create_particles: { type: B, positions: [[1, 1, 8.9], [4, 0.1, 4]], velocity: [0, 0, 1], every: 40, from: 15 }
  - delete_particles: { overlap: 0.8, every: 5 }
  - delete_particles: { region: { box: { x: [0, 1], z: [0, 2] } }, every: 30, from: 25 }
  - delete_particles: { fraction: 0.02, group: some, every: 15 }
`;

/** What brings, copies or bonds particles in the loop, and opens the box. */
export const others = `dump_data:
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
export const analyzed = `
configuration: { units: lj }
particle_types: { A: { mass: 1 } }
simulation:
  - read_extended_xyz: { file: turns.xyz, loop: true }
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
  - thermo
  - coordination: { group_a: all, switch: { type: rational, r_0: 1.3, d_max: 3.2 }, file: number.json }
`;
