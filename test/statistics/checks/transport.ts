import { type Files, meansOf, stepsOf, whole } from '../../support/statistics.js';
import { above, type Backend, type Check, near } from './Check.js';
import { measureFluid } from './fluid.js';

const [TEMPERATURE, DENSITY] = [1.0, 0.8];

/** A fluid in a box of so many cubes along an edge, for so many steps. */
const moving = (repeat: number, steps: number) => (backend: Backend) =>
  measureFluid(
    {
      ...{ temperature: TEMPERATURE, density: DENSITY, repeat, rcut: 2.5 },
      steps: [whole(10_000, 1_500), steps],
      // So slow that it keeps the mean temperature and leaves the motion alone.
      scheme: `{ bussi: { temperature: ${TEMPERATURE}, tau: 5 } }`,
      analyses: `mean_square_displacement: { every: 25, origins: 16, lags: 100, file: msd.json },
      averages: { every: 25, columns: [temperature], file: means.json },
      stress_autocorrelation: { every: 5, lags: 250, file: sacf.json }`,
    },
    backend,
  );

/** Diffusion, with its standard error from the three axes, viscosity, and the edge of the box. */
const resultsOf = (files: Files, repeat: number) => ({
  diffusion: JSON.parse(files['msd.json']!).diffusion as { value: number; error: number },
  viscosity: JSON.parse(files['sacf.json']!).viscosity.value as number,
  temperature: meansOf(files['means.json']!).temperature!.mean,
  box: Math.cbrt((4 * repeat ** 3) / DENSITY),
});

/**
 * Levesque and Verlet, Phys. Rev. A 2, 2514 (1970), 864 particles: D = 0.006423 T/ρ² + 0.0222 − 0.0280 ρ in units of σ √(ε/48m),
 * turned into σ √(ε/m) here; a fit to their runs, good to some 6 %. Between sizes: Yeh and Hummer, J. Phys. Chem. B 108, 15873 (2004),
 * D(∞) = D(L) + 2.837297 kT / (6π η L).
 */
const diffusion: Check<Files> = {
  name: 'diffusion of the fluid',
  runs: [
    moving(whole(4, 3), stepsOf(300_000, 3_000)),
    moving(whole(6, 4), stepsOf(120_000, 3_000)),
  ],
  async judge(run) {
    const small = resultsOf(await run(0), whole(4, 3));
    const large = resultsOf(await run(1), whole(6, 4));
    const { viscosity } = whole(small, large);
    const [first, second] = [small, large].map(
      ({ diffusion: { value }, temperature, box }) =>
        value + (2.837297 * temperature) / (6 * Math.PI * viscosity * box),
    ) as [number, number];
    const literature = Math.sqrt(48) * (0.006423 / DENSITY ** 2 + 0.0222 - 0.028 * DENSITY);
    const wide = whole(1, 3);
    // Errors are of three axes: they are known to a half only.
    const error = Math.hypot(small.diffusion.error, large.diffusion.error, 0.01 * literature);
    return [
      near(
        'D of the large box, literature',
        { found: large.diffusion.value, error: large.diffusion.error },
        literature,
        { sigmas: 0, plus: 0.08 * wide * literature },
      ),
      near(
        'D of the small box with 1/L correction, the large one',
        { found: first, error },
        second,
        {
          sigmas: 3 * wide,
        },
      ),
    ];
  },
};

/** Evans, Phys. Rev. A 34, 1449 (1986): 3.3 to 3.4 at T = 1.35, density 0.6; the example KAPPA of LAMMPS finds 3.4. */
const conductivity: Check<Files> = {
  name: 'conductivity of the fluid at T = 1.35, density 0.6',
  runs: [
    (backend) =>
      measureFluid(
        {
          ...{ temperature: 1.35, density: 0.6, repeat: whole(5, 3), rcut: 2.5 },
          steps: [whole(10_000, 1_500), stepsOf(250_000, 3_000)],
          scheme: 'velocity_verlet',
          analyses: 'heat_flux_autocorrelation: { every: 5, lags: 150, file: k.json }',
        },
        backend,
      ),
  ],
  async judge(run) {
    const { thermal_conductivity } = JSON.parse((await run(0))['k.json']!);
    const { value: found, error } = thermal_conductivity;
    // Three blocks of a short run do not tell their error.
    const width = whole({ sigmas: 3, plus: 0.15 }, { sigmas: 0, plus: 5 });
    return [above('conductivity', found, 0), near('conductivity', { found, error }, 3.4, width)];
  },
};

export const transportChecks: readonly Check<Files>[] = [diffusion, conductivity];
