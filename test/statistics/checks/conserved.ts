import { mean, variance } from '../../support/ensembleStatistics.js';
import { columnsOf, type Files, runFiles, stepsOf, whole } from '../../support/statistics.js';
import { below, type Check, type Finding } from './Check.js';

const REPEAT = whole(4, 3);
const pressed = 'temperature: 1.0, tau: 0.5, pressure: 1.5, tau_pressure: 1.0';
const crystal = 'temperature: 0.4, tau: 0.5, pressure: 1.5, tau_pressure: 1.0';

/** Schemes that keep account of a conserved quantity. */
const schemes: readonly (readonly [string, string])[] = [
  ['velocity_verlet', 'velocity_verlet'],
  ['nose_hoover at constant pressure', `{ nose_hoover: { ${pressed} } }`],
  ['langevin', '{ langevin: { temperature: 1.0, friction: 1.0 } }'],
  ['bussi', '{ bussi: { temperature: 1.0, tau: 0.5 } }'],
  ['nose_hoover', '{ nose_hoover: { temperature: 1.0, tau: 0.5 } }'],
  ['andersen', '{ andersen: { temperature: 1.0, rate: 1.0 } }'],
  ['berendsen', '{ berendsen: { temperature: 1.0, tau: 0.5 } }'],
  ['nose_hoover, every length', `{ nose_hoover: { ${pressed}, coupling: aniso } }`],
  ['nose_hoover without a thermostat', '{ nose_hoover: { pressure: 1.5, tau_pressure: 1.0 } }'],
  ['nose_hoover, triclinic, crystal', `{ nose_hoover: { ${crystal}, coupling: triclinic } }`],
  ['nose_hoover, xy, crystal', `{ nose_hoover: { ${crystal}, coupling: xy } }`],
];

/** A fluid at T = 1, or a crystal at T = 0.4, brought there and then let run; rows of thermo with the conserved quantity. */
const energies = (
  scheme: string,
  run: { dt: number; steps: number; before: number; every: number },
) => {
  const [density, temperature] = scheme.includes('0.4') ? [1.0, 0.4] : [0.8, 1.0];
  return `
configuration: { units: lj, seed: 87287 }
global: { dt: ${run.dt}, rcut_inc: 0.3, thermo_frequency: ${run.every} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: ${density}, repeat: [${REPEAT}, ${REPEAT}, ${REPEAT}], types: [A] }
  - init_temperature: { temperature: ${2 * temperature} }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: ${whole(2.5, 2.2)}, shift: force }]
thermo: { conserved: true }
simulation:
  - setup_system
  - run: { steps: ${run.before}, numerical_scheme: { bussi: { temperature: ${temperature}, tau: 0.1 } } }
  - run: { steps: ${run.steps}, numerical_scheme: ${scheme} }
`;
};

/** Times and conserved quantities of the second run. */
function conserved(files: Files, before: number): { time: number[]; energy: number[] } {
  const table = columnsOf(files['thermo.csv']!);
  const first = table.step!.findIndex((step) => step > before);
  return { time: table.time!.slice(first), energy: table.conserved_quantity!.slice(first) };
}

/** The conserved quantity drifts by at most 1e-5 kT per time and degree of freedom. */
const drift = ([name, scheme]: (typeof schemes)[number]): Check<Files> => {
  const before = whole(10_000, 1_000);
  const run = { dt: 0.002, steps: stepsOf(150_000, 2_000), before, every: 20 };
  return {
    name: `what ${name} conserves`,
    runs: [(backend) => runFiles(energies(scheme, run), backend)],
    async judge(made) {
      const { time, energy } = conserved(await made(0), before);
      const middle = mean(time);
      const slope =
        time.reduce((sum, t, k) => sum + (t - middle) * energy[k]!, 0) /
        time.reduce((sum, t) => sum + (t - middle) ** 2, 0);
      const kT = scheme.includes('0.4') ? 0.4 : 1;
      const found = slope / (3 * 4 * REPEAT ** 3 - 3) / kT;
      // A short run does not tell a drift from the noise of the time step.
      return [below('drift in kT per time and degree of freedom', found, whole(1e-5, 2e-4))];
    },
  };
};

/**
 * Half the time step leaves a quarter of the fluctuations of the conserved quantity (Merz and Shirts 2018): both runs begin alike, and
 * last as long. The order is the logarithm of the ratio to base 2.
 */
const order = ([name, scheme]: (typeof schemes)[number]): Check<Files> => {
  const [dt, time] = [0.006, whole(240, 6)];
  const before = whole(10_000, 1_000);
  const run = (parts: number) => (backend: 'cpu' | 'webgpu') =>
    runFiles(
      energies(scheme, {
        ...{ dt: dt / parts, before: before * parts },
        ...{ steps: Math.round((time / dt) * parts), every: 5 * parts },
      }),
      backend,
    );
  return {
    name: `order of ${name} in the time step`,
    runs: [run(1), run(2)],
    async judge(made) {
      const [long, half] = await Promise.all([made(0), made(1)]);
      const spread = (files: Files, parts: number) =>
        Math.sqrt(spreadBeside(conserved(files, before * parts)));
      const found = Math.log2(spread(long, 1) / spread(half, 2));
      const finding: Finding = {
        what: 'order',
        found,
        wanted: '1.7 to 2.3',
        isGood: Math.abs(found - 2) < 0.3,
      };
      return [finding];
    },
  };
};

/** Mean variance within spans of 4 time units: energies that noise has added up over the run are none of the step. */
function spreadBeside({ time, energy }: { time: number[]; energy: number[] }): number {
  const count = Math.max(8, Math.round(4 / (time[1]! - time[0]!)));
  const spans = Array.from({ length: Math.floor(energy.length / count) }, (_, k) =>
    variance(energy.slice(k * count, (k + 1) * count)),
  );
  return mean(spans);
}

export const driftChecks: readonly Check<Files>[] = whole(schemes, schemes.slice(0, 3)).map(drift);

/** Collisions of another time step are others: `andersen` is compared by its distributions alone. In the short form test/thermostats has them. */
export const orderChecks: readonly Check<Files>[] = whole(schemes, [])
  .filter(([name]) => name !== 'andersen')
  .map(order);
