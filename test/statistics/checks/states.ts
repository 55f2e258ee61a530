import { johnson } from '../../support/johnson.js';
import { type Files, meansOf, stepsOf, whole } from '../../support/statistics.js';
import { type Check, near } from './Check.js';
import { equilibration, measureFluid } from './fluid.js';

/** What lies beyond the cutoff, where g = 1: energy of a particle, and pressure. */
const tail = (density: number, rcut: number) => ({
  energy: (8 / 3) * Math.PI * density * (rcut ** -9 / 3 - rcut ** -3),
  pressure: (16 / 3) * Math.PI * density ** 2 * ((2 / 3) * rcut ** -9 - rcut ** -3),
});

/**
 * Energy of a particle and pressure with standard errors: NIST Standard Reference Simulation Website, Monte Carlo of 500 particles at
 * constant volume, cutoff 3 with tail corrections. Null: the equation of Johnson et al. alone. Farther from these states the equation
 * itself is off: at T = 3 and density 0.8 it has an energy of −4.039, while 250,000 steps here give −4.087 and 80,000 of LAMMPS −4.088.
 */
const points: readonly (readonly [
  number,
  number,
  null | readonly [number, number, number, number],
])[] = [
  [0.85, 0.776, [-5.5121, 4.6e-4, 6.7714e-3, 1.7e-3]],
  [0.85, 0.82, [-5.7947, 6.0e-4, 0.55355, 3.1e-3]],
  [0.9, 0.776, [-5.4689, 4.2e-4, 0.24056, 2.7e-3]],
  [0.9, 0.82, [-5.7456, 7.4e-4, 0.82386, 2.8e-3]],
  [0.9, 0.86, [-5.9753, 5.7e-4, 1.5781, 3.3e-3]],
  [2.0, 0.5, null],
];

/** How far the equation of state may be from simulations, beside three standard errors. */
const EQUATION = { energy: 0.015, pressure: 0.02 };
const REPEAT = whole(5, 4);

/** The Lennard-Jones fluid has the energy and pressure of NIST and of Johnson, Zollweg and Gubbins. */
export const stateChecks: readonly Check<Files>[] = whole(points, [points[1]!]).map(
  ([temperature, density, nist]) => ({
    name: `the fluid at T = ${temperature}, density ${density}`,
    runs: [
      (backend) =>
        measureFluid(
          {
            ...{ temperature, density, repeat: REPEAT, rcut: 3 },
            steps: [equilibration, stepsOf(250_000, 2_500)],
            // Fast: the error of the mean temperature would be one of the pressure.
            scheme: `{ bussi: { temperature: ${temperature}, tau: 0.1 } }`,
            // The end of the ramp has to be forgotten.
            analyses: `averages: { every: 5, from: ${whole(equilibration + 5_000, 2_000)}, file: means.json }`,
          },
          backend,
        ),
    ],
    async judge(run) {
      const means = meansOf((await run(0))['means.json']!);
      const count = 4 * REPEAT ** 3;
      const beyond = tail(density, 3);
      const energy = {
        found: means.potential_energy!.mean / count + beyond.energy,
        error: means.potential_energy!.error / count,
      };
      const pressure = {
        // Monte Carlo has no momentum that stays zero: N kT/V, where particles here have (N − 1) kT/V.
        found: means.pressure!.mean + (density * temperature) / count + beyond.pressure,
        error: means.pressure!.error,
      };
      // The short form has too few blocks to know its error well.
      const sigmas = whole(3, 5);
      const equation = johnson(temperature, density);
      const both = (one: { found: number; error: number }, other: number) => ({
        found: one.found,
        error: Math.hypot(one.error, other),
      });
      return [
        ...(nist
          ? [
              near('energy, NIST', both(energy, nist[1]), nist[0], { sigmas }),
              near('pressure, NIST', both(pressure, nist[3]), nist[2], { sigmas }),
            ]
          : []),
        near('energy, Johnson', energy, equation.energy, { sigmas, plus: EQUATION.energy }),
        near('pressure, Johnson', pressure, equation.pressure, { sigmas, plus: EQUATION.pressure }),
      ];
    },
  }),
);
