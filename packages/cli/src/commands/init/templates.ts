/** A simulation to begin with. */
export interface Template {
  /** One line for the list that `init` shows. */
  readonly about: string;
  readonly yaml: string;
  /** Further files by name; their operators are imported by `npm start`. */
  readonly own?: Readonly<Record<string, string>>;
}

const HEAD = `# yaml-language-server: $schema=node_modules/@corpuscle/cli/dist/simulation.schema.json
# All operators: npx corpuscle operators. One in full: npx corpuscle operators lattice
`;

const REAL_UNITS =
  'units: { length: angstrom, mass: Dalton, time: picosecond, energy: electronvolt, temperature: kelvin }';

const melt = `${HEAD}# A Lennard-Jones crystal of 4,000 atoms melts.
configuration:
  units: lj # lengths in sigma, energies in epsilon, masses in m
  seed: 87287 # the same seed gives the same velocities

global:
  dt: 0.005 # time step
  end_iteration: 500 # steps
  thermo_frequency: 100 # steps between rows of thermo.csv

particle_types:
  A: { mass: 1.0 }

setup_system: # runs first
  - lattice: { structure: fcc, density: 0.8442, repeat: [10, 10, 10], types: [A] }
  - init_temperature: { temperature: 1.44 }

compute_force: # runs in every step
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }

dump_data: # runs after every step: what is measured and written
  - radial_distribution: { r_max: 4.0, bins: 200, frequency: 50, file: rdf.csv, plot: rdf.svg }
# - write_extended_xyz: { file: trajectory.xyz, frequency: 100 }

simulation: molecular_dynamics # set-up, first forces, loop of velocity Verlet, output
`;

const argon = `${HEAD}# Liquid argon at 94.4 K and 1 bar: a crystal melts, finds its density, and its structure and motion are measured.
# Lennard-Jones argon of Rahman, Phys. Rev. 136, A405 (1964).
configuration:
  ${REAL_UNITS}
  seed: 1964

global: { dt: 4 fs, rcut_inc: 1.0, thermo_frequency: 200 }

particle_types:
  Ar: { mass: 39.948 }

setup_system:
  - lattice: { structure: fcc, lattice_constant: 5.72, repeat: [5, 5, 5], types: [Ar] }
  - init_temperature: { temperature: 188.8 K }

compute_force:
  - lennard_jones_force: { epsilon: 0.0103235, sigma: 3.405, rcut: 8.5, shift: energy }

simulation: # several runs, one after the other
  - setup_system
  - run: # the crystal melts, and the liquid cools
      steps: 1500
      numerical_scheme: { langevin: { temperature: [180 K, 94.4 K], friction: 1 / ps } }
  - remove_momentum
  - run: # the density at 1 bar
      steps: 1500
      numerical_scheme: { nose_hoover: { temperature: 94.4 K, tau: 0.2, pressure: 1 bar, tau_pressure: 2.0 } }
  - run: # constant energy: nothing disturbs the motion that is measured
      steps: 2000
      numerical_scheme: velocity_verlet
      dump_data:
        - radial_distribution: { r_max: 8.5, bins: 170, frequency: 50, file: rdf.csv, plot: rdf.svg }
        - mean_square_displacement: { every: 25, file: msd.csv, plot: msd.svg }
        - averages: { every: 10, columns: [temperature, pressure, potential_energy], file: means.csv }
  - write_extended_xyz: { file: last.xyz }
`;

const metal = `${HEAD}# Copper at 300 K and no pressure, by the many-body potential of Sutton and Chen, Phil. Mag. Lett. 61, 139 (1990).
configuration:
  ${REAL_UNITS}
  seed: 29

global: { dt: 2 fs, end_iteration: 1000, thermo_frequency: 100 }

particle_types:
  Cu: { mass: 63.546 }

setup_system:
  - lattice: { structure: fcc, lattice_constant: 3.61, repeat: [6, 6, 6], types: [Cu] }
  - init_temperature: { temperature: 600 K } # half of it goes into the lattice

compute_force: # tables in the formats of LAMMPS: see eam_force
  - sutton_chen_force: { epsilon: 0.012382, a: 3.61, n: 9, m: 6, c: 39.432, rcut: 7.2 }

numerical_scheme: # the integrator; without this key velocity Verlet
  nose_hoover: { temperature: 300 K, tau: 0.1, pressure: 0, tau_pressure: 1.0 }

dump_data:
  - averages: { every: 10, from: 500, columns: [temperature, pressure, potential_energy], file: means.csv }

simulation: molecular_dynamics
`;

const silicon = `${HEAD}# Silicon by the potential of pairs and triplets of Stillinger and Weber, Phys. Rev. B 31, 5262 (1985): a crystal at 1000 K.
configuration:
  ${REAL_UNITS}
  seed: 14

global: { dt: 1 fs, end_iteration: 1000, thermo_frequency: 100 }

particle_types:
  Si: { mass: 28.0855 }

setup_system:
  - lattice: { structure: diamond, lattice_constant: 5.431, repeat: [5, 5, 5], types: [Si] }
  - init_temperature: { temperature: 1000 K }

compute_force: # files in the format of LAMMPS: stillinger_weber_force: { file: Si.sw }
  - stillinger_weber_force:
      { epsilon: 2.1683, sigma: 2.0951, a: 1.8, lambda: 21, gamma: 1.2, cos_theta0: -1/3, A: 7.049556277, B: 0.6022245584, p: 4, q: 0 }

numerical_scheme:
  bussi: { temperature: 1000 K, tau: 0.1 }

dump_data:
  - radial_distribution: { r_max: 8.0, bins: 160, frequency: 50, from: 200, file: rdf.csv, plot: rdf.svg }
  - steinhardt: { nearest: 4, frequency: 200, file: order.csv }

simulation: molecular_dynamics
`;

const coordination = `${HEAD}# How many neighbors particles have while a crystal melts: the coordination number of PLUMED, with all derivatives.
configuration:
  units: lj
  seed: 87287

global: { dt: 0.005, end_iteration: 500, thermo_frequency: 100 }

particle_types:
  A: { mass: 1.0 }

setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [6, 6, 6], types: [A] }
  - init_temperature: { temperature: 3.0 }

compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }

dump_data: # a file .json has the derivatives too
  - coordination: { group_a: all, switch: { type: rational, r_0: 1.3, d_max: 2.0 }, file: coordination.csv, frequency: 10 }

simulation: molecular_dynamics
`;

const own = `${HEAD}# A pair potential of your own, in potential.ts: npm start
configuration:
  units: lj
  seed: 87287

plugins: [./potential.ts] # the command asks before it runs their code

global: { dt: 0.005, end_iteration: 500, thermo_frequency: 100 }

particle_types:
  A: { mass: 1.0 }

setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [8, 8, 8], types: [A] }
  - init_temperature: { temperature: 1.44 }

compute_force: # threads, GPUs, cutoffs, shifts and types are not your concern
  - own_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5, shift: energy }

simulation: molecular_dynamics
`;

const potential = `// A pair potential: you write its energy, the force follows from it.
import { dimensions } from '@corpuscle/core';
import { definePairPotential, pairForceOperator } from '@corpuscle/operators';

const potential = definePairPotential({
  name: 'own',
  doc: 'Adds forces of a potential with a repulsion r^-9 and an attraction r^-6.',
  coefficients: {
    epsilon: { dimension: dimensions.energy, min: 0, doc: 'depth' },
    sigma: { dimension: dimensions.length, above: 0, doc: 'diameter' },
  },
  energy: (r, epsilon, sigma) => 6.75 * epsilon * ((sigma / r) ** 9 - (sigma / r) ** 6),
});

export const ownForce = pairForceOperator(potential);
`;

/** The templates of \`corpuscle init\` by name, the first one the default. */
export const templates: Readonly<Record<string, Template>> = {
  melt: { about: 'a Lennard-Jones crystal melts', yaml: melt },
  argon: { about: 'liquid argon: melting, density at 1 bar, structure and diffusion', yaml: argon },
  metal: { about: 'copper at 300 K and no pressure, a many-body potential', yaml: metal },
  silicon: { about: 'silicon at 1000 K, a potential of triplets', yaml: silicon },
  coordination: { about: 'coordination numbers during melting', yaml: coordination },
  own: {
    about: 'a pair potential of your own in TypeScript',
    yaml: own,
    own: { 'potential.ts': potential },
  },
};

/** An operator that comes with a new project, and the file that uses it. */
export const ownOperator: Readonly<Record<string, string>> = {
  'operator.ts': `// An operator of your own: counts the particles that are faster than a limit. It runs on all threads, and on a GPU.
import { dimensions } from '@corpuscle/core';
import { defineAnalysis } from '@corpuscle/operators';
import { reduceCellParticles, reduceFunctor } from '@corpuscle/patterns';

const counting = reduceFunctor(
  {
    name: 'count_fast',
    read: { vx: 'real', vy: 'real', vz: 'real' },
    params: { limit: 'real' },
    result: { count: 'sum' },
  },
  (total, i, p) => {
    const isFast = i.vx * i.vx + i.vy * i.vy + i.vz * i.vz > p.limit * p.limit;
    total.count += isFast ? 1 : 0;
  },
);

export const fastParticles = defineAnalysis({
  name: 'fast_particles',
  doc: 'Tells how many particles are faster than a limit.',
  slots: {
    limit: { type: 'quantity', dimension: dimensions.velocity, required: true, doc: 'the limit' },
  },
  async frame({ slots, grid, ctx, state }) {
    const { count } = await reduceCellParticles(grid, counting, {}, ctx, { params: { limit: slots.limit } });
    state.say(\`step \${state.step}: \${count} particles are faster than the limit\`);
  },
});
`,
  'own.yaml': `# Adds the operator of operator.ts to simulation.yaml: npm run own
+dump_data:
  - fast_particles: { limit: 3.0, frequency: 100 }
`,
};
