import { runFiles, whole } from '../../support/statistics.js';
import type { Backend } from './Check.js';

/** A Lennard-Jones fluid, and what is measured in it. */
export interface Fluid {
  readonly temperature: number;
  readonly density: number;
  /** Cubes of four particles along an edge. */
  readonly repeat: number;
  readonly rcut: number;
  /** Steps of equilibration, and of the run that is measured. */
  readonly steps: readonly [number, number];
  /** Integrator of the second run. */
  readonly scheme: string;
  readonly analyses: string;
}

/** Steps in which the fluid is brought to its temperature. */
export const equilibration = whole(20_000, 1_500);

/** Brings a fluid with random numbers of its own to a temperature, and measures it. @returns the files. */
export const measureFluid = (fluid: Fluid, backend: Backend) => {
  const { temperature, density, repeat, rcut, steps, scheme, analyses } = fluid;
  return runFiles(
    `
configuration: { units: lj, seed: ${Math.round(1e4 * (temperature + 7 * density))} }
global: { dt: 0.004, rcut_inc: 0.3, thermo_frequency: 1000 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: ${density}, repeat: [${repeat}, ${repeat}, ${repeat}], types: [A] }
  - init_temperature: { temperature: ${6 * temperature} }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: ${rcut} }]
simulation:
  - setup_system
  - run: { steps: ${steps[0]}, numerical_scheme: { bussi: { temperature: [${3 * temperature}, ${temperature}], tau: 0.1 } } }
  - run: { steps: ${steps[1]}, numerical_scheme: ${scheme}, dump_data: [${analyses}] }
`,
    backend,
  );
};
