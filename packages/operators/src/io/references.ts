import type { OperatorReference } from '@corpuscle/core';
import { literature } from '../reference/literature.js';

/** A run of molecular dynamics that begins with the particles of a file. */
const started = (reader: string): string =>
  `setup_system:\n  - ${reader}\n  - init_temperature: { temperature: 1.0 }\n`;

/** Two frames of a run. */
const dumped = (writer: string): string => `dump_data:\n  - ${writer}\n`;

/** The frames of a file one after the other, without a run. */
const looped = (reader: string): string => `simulation:
${reader}
  - radial_distribution: { r_max: 3.0, bins: 30, file: rdf.csv }
`;

const argon = `configuration:
  units: { length: angstrom, mass: Dalton, time: picosecond, energy: electronvolt, temperature: kelvin }
  seed: 1
global: { dt: 2 fs, end_iteration: 20, thermo_frequency: 10 }
particle_types:
  Ar: { mass: 39.948 }
`;
const argonForce = `compute_force:
  - lennard_jones_force: { epsilon: 0.0103, sigma: 3.4, rcut: 8.5 }
`;

/** Files of particles. */
export const fileReferences: Readonly<Record<string, OperatorReference>> = {
  write_extended_xyz: {
    theory:
      'Each frame is the number of particles, a line with box, columns, step and time, and a line for each particle. ASE and OVITO read it.',
    example: dumped('write_extended_xyz: { file: frames.xyz, frequency: 10 }'),
  },
  read_extended_xyz: {
    theory:
      'The box is that of Lattice in the comment. Columns that are no fields of particles are left out.',
    after: 'write_extended_xyz',
    example: looped('  - read_extended_xyz: { file: frames.xyz, loop: true }'),
  },
  write_lammps_dump: {
    literature: [literature.thompsonLammps],
    example: dumped('write_lammps_dump: { file: melt.dump.gz, frequency: 10 }'),
  },
  read_lammps_dump: {
    literature: [literature.thompsonLammps],
    after: 'write_lammps_dump',
    example: looped('  - read_lammps_dump: { file: melt.dump.gz, loop: true }'),
  },
  write_lammps_data: {
    literature: [literature.thompsonLammps],
    example: dumped('write_lammps_data: { file: melt.data, frequency: 20 }'),
  },
  read_lammps_data: {
    literature: [literature.thompsonLammps],
    after: 'write_lammps_data',
    example: started('read_lammps_data: { file: melt.data }'),
  },
  write_dcd: {
    theory:
      'Positions are single precision, in ångström; there are no types, ids or velocities. The box is kept in each frame.',
    example: `${argon}setup_system:
  - lattice: { structure: fcc, lattice_constant: 5.4, repeat: [4, 4, 4], types: [Ar] }
  - init_temperature: { temperature: 90 K }
${argonForce}${dumped('write_dcd: { file: argon.dcd, frequency: 10 }')}`,
  },
  read_dcd: {
    after: 'write_dcd',
    example: `${argon}simulation:
  - lattice: { structure: fcc, lattice_constant: 5.4, repeat: [4, 4, 4], types: [Ar] }
  - read_dcd: { file: argon.dcd, loop: true }
  - radial_distribution: { r_max: 8.0, bins: 40, file: rdf.csv }
`,
  },
  write_xtc: {
    theory:
      'Positions are whole multiples of 1/precision nm, packed by their differences: a frame is about a third of one of single precision.',
    literature: [literature.abraham],
    example: `${argon}setup_system:
  - lattice: { structure: fcc, lattice_constant: 5.4, repeat: [4, 4, 4], types: [Ar] }
  - init_temperature: { temperature: 90 K }
${argonForce}${dumped('write_xtc: { file: argon.xtc, frequency: 10 }')}`,
  },
  read_xtc: {
    literature: [literature.abraham],
    after: 'write_xtc',
    example: `${argon}simulation:
  - lattice: { structure: fcc, lattice_constant: 5.4, repeat: [4, 4, 4], types: [Ar] }
  - read_xtc: { file: argon.xtc, loop: true }
  - radial_distribution: { r_max: 8.0, bins: 40, file: rdf.csv }
`,
  },
  write_gsd: {
    literature: [literature.anderson],
    example: dumped('write_gsd: { file: melt.gsd, frequency: 10 }'),
  },
  read_gsd: {
    literature: [literature.anderson],
    after: 'write_gsd',
    example: looped('  - read_gsd: { file: melt.gsd, loop: true }'),
  },
  write_h5md: {
    theory:
      'H5MD is a structure of groups in an HDF5 file: positions, boxes, steps and times are data sets that grow by frames.',
    literature: [literature.deBuyl],
    example: dumped('write_h5md: { file: melt.h5, frequency: 10 }'),
  },
  read_h5md: {
    literature: [literature.deBuyl],
    after: 'write_h5md',
    example: looped('  - read_h5md: { file: melt.h5, loop: true }'),
  },
  write_vtp: {
    example: dumped('write_vtp: { file: melt.pvd, frequency: 10 }'),
  },
  read_gro: {
    theory: 'Lengths are in nm, velocities in nm/ps. A type is the name of an atom.',
    literature: [literature.abraham],
    files: {
      'argon.gro': `Four atoms of argon
    4
    1AR      AR    1   0.000   0.000   0.000  0.1000  0.0000 -0.0500
    2AR      AR    2   0.270   0.270   0.000 -0.1000  0.0500  0.0000
    3AR      AR    3   0.270   0.000   0.270  0.0000 -0.0500  0.1000
    4AR      AR    4   0.000   0.270   0.270  0.0000  0.0000 -0.0500
   0.54000   0.54000   0.54000
`,
    },
    example: `${argon.replace('  Ar:', '  AR:')}setup_system:
  - read_gro: { file: argon.gro }
  - replicate: { repeat: [4, 4, 4] }
${argonForce}`,
  },
  read_pdb: {
    theory:
      'Lengths are in ångström. A type is an element; MODEL begins a frame, CRYST1 is the box.',
    literature: [literature.berman],
    files: {
      'argon.pdb': `CRYST1    5.400    5.400    5.400  90.00  90.00  90.00 P 1           1
ATOM      1 AR    AR A   1       0.000   0.000   0.000  1.00  0.00          AR
ATOM      2 AR    AR A   2       2.700   2.700   0.000  1.00  0.00          AR
ATOM      3 AR    AR A   3       2.700   0.000   2.700  1.00  0.00          AR
ATOM      4 AR    AR A   4       0.000   2.700   2.700  1.00  0.00          AR
END
`,
    },
    example: `${argon}setup_system:
  - read_pdb: { file: argon.pdb }
  - replicate: { repeat: [4, 4, 4] }
  - init_temperature: { temperature: 90 K }
${argonForce}`,
  },
  read_poscar: {
    theory:
      'Lengths are in ångström. The second line is a factor of the three lattice vectors, which follow.',
    literature: [literature.kresseFurthmuller],
    files: {
      POSCAR: `argon
5.4
1.0 0.0 0.0
0.0 1.0 0.0
0.0 0.0 1.0
Ar
4
Direct
0.0 0.0 0.0
0.5 0.5 0.0
0.5 0.0 0.5
0.0 0.5 0.5
`,
    },
    example: `${argon}setup_system:
  - read_poscar: { file: POSCAR }
  - replicate: { repeat: [4, 4, 4] }
  - init_temperature: { temperature: 90 K }
${argonForce}`,
  },
};
