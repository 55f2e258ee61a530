import type { OperatorReference } from '@corpuscle/core';
import { literature } from '../reference/literature.js';

const crystal = '  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }\n';
const warm = '  - init_temperature: { temperature: 1.44 }\n';

const setup = (...operators: readonly string[]): string =>
  `setup_system:\n${crystal}${warm}${operators.map((operator) => `  - ${operator}\n`).join('')}`;

const film = `setup_system:
  - domain: { upper: [6.72, 6.72, 12.0], periodic: [true, true, false] }
  - create_particles:
      type: A
      region: { box: { z: [2.0, 10.0] } }
      lattice: { structure: fcc, lattice_constant: 1.68 }
      temperature: 1.0
`;

/** Particles, boxes, regions, groups. */
export const systemReferences: Readonly<Record<string, OperatorReference>> = {
  lattice: {
    theory:
      'Sites of a cell are repeated along x, y and z. The constant follows from the number density where that is given: a³ is the number of sites of a cubic cell over the density.',
    example: setup(),
  },
  domain: {
    theory:
      'A box without particles: lengths along x, y and z, or three lattice vectors. Lattice vectors along which space does not repeat are open.',
    example: film,
  },
  init_temperature: {
    theory: `\`\`\`math
${String.raw`\frac{1}{2} \sum_i m_i v_i^2 = \frac{3N - 3}{2}\, k T`}
\`\`\`

Velocities are normal numbers over the root of the mass. The total momentum is taken away, then all are multiplied by one factor. Numbers do not depend
on the order of particles, nor on the backend.`,
    literature: [literature.salmon, literature.boxMuller],
    example: setup(),
  },
  create_particles: {
    theory: 'Random places that are closer than min_distance to a particle are drawn again.',
    example: `setup_system:
  - domain: { upper: [8, 8, 8] }
  - create_particles: { type: A, count: 100, min_distance: 0.9, temperature: 1.0 }
`,
  },
  delete_particles: {
    example: setup(
      'delete_particles: { region: { sphere: { center: [3.36, 3.36, 3.36], radius: 1.5 } } }',
    ),
  },
  displace_particles: {
    example: setup('displace_particles: { random: [0.02, 0.02, 0.02] }'),
  },
  gaussian_noise: {
    theory:
      'A number depends on seed, id, step and axis alone: it is a word of the generator Philox, made normal by Box and Muller.',
    literature: [literature.salmon, literature.boxMuller],
    example: setup('gaussian_noise: { sigma: 0.02 }'),
  },
  set: {
    example: setup(
      'set: { region: { sphere: { center: [3.36, 3.36, 3.36], radius: 1.5 } }, velocity: [1, 0, 0] }',
    ),
  },
  particle_properties: {
    theory:
      'A property is a real number of each particle. It is sorted with the particles, and lies where they are, on a device too.',
    example: `setup_system:
${crystal}${warm}  - particle_properties: { fields: { dose: { default: 0.5 } } }
dump_data:
  - write_extended_xyz: { file: doses.xyz, frequency: 20, properties: [dose] }
`,
  },
  region: {
    theory:
      'Shapes are balls, boxes, cylinders, cones, half spaces and quadrics; union, intersection, difference and complement put them together.',
    example: setup(
      'region: { name: core, shape: { difference: [{ sphere: { center: [3.36, 3.36, 3.36], radius: 2 } }, { box: { x: [0, 3] } }] } }',
      'delete_particles: { region: core }',
    ),
  },
  group: {
    example: `setup_system:
${crystal}${warm}  - group: { name: hot, region: { box: { x: [0, 3.36] } } }
  - group: { name: cold, subtract: [all, hot] }
numerical_scheme:
  - langevin: { group: hot, temperature: 2.0, friction: 1.0 }
  - velocity_verlet: { group: cold }
`,
  },
  bond_particles: {
    theory:
      'Pairs one, two and three bonds apart are those of scaling: by default pairs that are bonded have no pair forces, others have all of them.',
    example: `setup_system:
${crystal}  - bond_particles: { bonds: [[0, 1], [1, 2]], scaling: [0, 0, 1] }
${warm}compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
  - harmonic_bond_force: { k: 50.0, r0: 1.12, rcut: 2.5 }
`,
  },
  replicate: {
    example: `setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [2, 2, 2], types: [A] }
  - replicate: { repeat: [2, 2, 2] }
${warm}`,
  },
  change_box: {
    example: setup('change_box: { scale: [1.02, 1.0, 1.0], strain: { xy: 0.05 } }'),
  },
  mirror: {
    theory:
      'A particle at a distance d beyond a face is put to d before it. The component of its velocity along the normal changes its sign.',
    example: `${film}after_drift:\n  - mirror: { faces: [zlo, zhi] }\n`,
  },
  shrink_wrap: {
    example: `${film}after_drift:\n  - shrink_wrap: { faces: [zlo, zhi], every: 10 }\n`,
  },
};
