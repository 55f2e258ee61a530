import { EDGE, MASSES, start } from '../data/thermostats/start.js';

/** A run of 100 steps that LAMMPS makes too; `commands` follow those of `generate.ts`. */
export interface IntegratorCase {
  readonly commands: readonly string[];
  /** `numerical_scheme`. */
  readonly scheme: string;
  /** Operators after the particles, one a line. */
  readonly setup?: readonly string[];
  /** `compute_force`, of the batches `pairs`, `bonded` and `anchored`. */
  readonly forces?: string;
}

/** What both tell: a row every ten steps, and positions of every tenth particle at the end. */
export interface IntegratorRun {
  /** Step, time, kinetic and potential energy. */
  readonly rows: readonly (readonly number[])[];
  readonly positions: readonly number[];
}

/** Pairs of ids, from 0: neighbors in each cell of the crystal. */
export const bonds = Array.from({ length: 64 }, (_, cell) => [4 * cell, 4 * cell + 1] as const);

const bondFix = ['bond_style harmonic', 'bond_coeff 1 200 1.1', 'special_bonds lj 1 1 1'];

export const integratorCases: Readonly<Record<string, IntegratorCase>> = {
  respa: {
    commands: [...bondFix, 'run_style respa 2 4 bond 1 pair 2', 'fix 1 all nve'],
    scheme: '{ respa: { levels: [{ forces: bonded, steps: 4 }, { forces: pairs }] } }',
    forces: '[bonded, pairs]',
  },
  respa_three: {
    commands: [
      ...bondFix,
      'run_style respa 3 2 3 bond 1 pair 3',
      'fix 1 all nve',
      'fix 2 all spring/self 5',
      'fix_modify 2 respa 2 energy yes',
    ],
    scheme:
      '{ respa: { levels: [{ forces: bonded, steps: 2 }, { forces: anchored, steps: 3 }, { forces: pairs }] } }',
    forces: '[pairs, bonded, anchored]',
  },
  displaced: {
    commands: [
      'displace_atoms heavy move 0.03 -0.02 0.04',
      'displace_atoms all ramp x 0.0 0.1 y 1.0 5.0',
      'displace_atoms light rotate 3 2 1 1 2 0.5 0.7',
      'fix 1 all nve',
    ],
    setup: [
      'displace_particles: { move: [0.03, -0.02, 0.04], group: heavy }',
      'displace_particles: { ramp: { axis: y, range: [1, 5], from: [0, 0, 0], to: [0.1, 0, 0] } }',
      'displace_particles: { rotate: { point: [3, 2, 1], axis: [1, 2, 0.5], angle: 0.7 }, group: light }',
    ],
    scheme: 'velocity_verlet',
  },
  moved: {
    commands: ['fix 1 light nve', 'fix 2 heavy move linear 0.3 NULL -0.2'],
    scheme:
      '[{ velocity_verlet: { group: light } }, { prescribed_motion: { group: heavy, velocity: [0.3, 0, -0.2], axes: xz } }]',
  },
  wiggled: {
    commands: ['fix 1 light nve', 'fix 2 heavy move wiggle 0.1 0.05 NULL 0.17'],
    scheme:
      '[{ velocity_verlet: { group: light } }, { prescribed_motion: { group: heavy, wiggle: { amplitude: [0.1, 0.05, 0], period: 0.17 }, axes: xy } }]',
  },
  rotated: {
    commands: ['fix 1 light nve', 'fix 2 heavy move rotate 3 3 2 1 1 0.5 100'],
    scheme:
      '[{ velocity_verlet: { group: light } }, { prescribed_motion: { group: heavy, rotate: { point: [3, 3, 2], axis: [1, 1, 0.5], period: 100 } } }]',
  },
  adaptive: {
    commands: ['fix 1 all nve', 'fix 2 all dt/reset 5 0.001 0.006 0.015'],
    scheme:
      '{ velocity_verlet_adaptive: { max_displacement: 0.015, min_dt: 0.001, max_dt: 0.006, every: 5 } }',
  },
  adaptive_bounds: {
    commands: [...bondFix, 'fix 1 all nve', 'fix 2 all dt/reset 1 0.0031 0.0032 0.012'],
    scheme:
      '{ velocity_verlet_adaptive: { max_displacement: 0.012, min_dt: 0.0031, max_dt: 0.0032 } }',
    forces: '[pairs, bonded]',
  },
};

/** The start of all cases, as extended xyz. */
export function startText(): string {
  const { positions, velocities, types } = start();
  const lines = types.map((type, k) => {
    const numbers = [...positions.slice(3 * k, 3 * k + 3), ...velocities.slice(3 * k, 3 * k + 3)];
    return `${type === 0 ? 'A' : 'B'} ${numbers.join(' ')}`;
  });
  const header = `Lattice="${EDGE} 0 0 0 ${EDGE} 0 0 0 ${EDGE}" Properties=species:S:1:pos:R:3:velo:R:3`;
  return `${types.length}\n${header}\n${lines.join('\n')}\n`;
}

/** Our run of a case, which reads `start.xyz`. */
export const caseYaml = (
  { scheme, setup = [], forces = '[pairs]' }: IntegratorCase,
  more = '',
  global = 'dt: 0.004, end_iteration: 100, thermo_frequency: 10',
): string => `
configuration: { units: lj, seed: 1, deterministic: true }
global: { ${global}, rcut_inc: 0.3 }
particle_types: { A: { mass: ${MASSES[0]} }, B: { mass: ${MASSES[1]} } }
setup_system:
  - read_extended_xyz: { file: start.xyz }
  - bond_particles: { bonds: ${JSON.stringify(bonds)}, scaling: [1, 1, 1] }
  - group: { name: light, types: [A] }
  - group: { name: heavy, types: [B] }
${setup.map((line) => `  - ${line}\n`).join('')}
pairs:
  - lennard_jones_force:
      mixing: lorentz_berthelot
      shift: energy
      pairs: [{ types: [A, A], epsilon: 1, sigma: 1, rcut: 2.5 }, { types: [B, B], epsilon: 1, sigma: 1, rcut: 2.5 }]
bonded:
  - harmonic_bond_force: { k: 200, r0: 1.1, rcut: 2.5 }
anchored:
  - spring_self: { k: 5 }
compute_force: ${forces}
numerical_scheme: ${scheme}
${more}
simulation: molecular_dynamics
`;
