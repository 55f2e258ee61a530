import { type EnsembleSamples, sampleEnsemble } from '../../support/ensembleRun.js';
import { logRatioSlope, mean, slowInefficiency } from '../../support/ensembleStatistics.js';
import { stepsOf, whole } from '../../support/statistics.js';
import { type Backend, below, type Check, near } from './Check.js';
import { canonical } from './canonical.js';

/** Thermostats, and the degrees of freedom of 54 particles with them. */
type Thermostat = readonly [string, (temperature: number) => string, number];

const thermostats: readonly Thermostat[] = [
  ['langevin', (t: number) => `{ langevin: { temperature: ${t}, friction: 4.0 } }`, 162],
  [
    'langevin by type',
    (t: number) => `{ langevin: { temperature: ${t}, friction: { A: 8.0, B: 1.0 } } }`,
    162,
  ],
  [
    'langevin, not in every step',
    (t: number) => `{ langevin: { temperature: ${t}, friction: 4.0, every: 5 } }`,
    162,
  ],
  ['bussi', (t: number) => `{ bussi: { temperature: ${t}, tau: 0.1 } }`, 159],
  [
    'bussi, not in every step',
    (t: number) => `{ bussi: { temperature: ${t}, tau: 0.2, every: 5 } }`,
    159,
  ],
  ['nose_hoover', (t: number) => `{ nose_hoover: { temperature: ${t}, tau: 0.2 } }`, 159],
  ['andersen', (t: number) => `{ andersen: { temperature: ${t}, rate: 4.0 } }`, 162],
];
/** Of `test`: one of each kind. */
const few = thermostats.filter(([name]) => !/by type|bussi, not/.test(name));

/** In the short form `andersen`, whose energies are correlated longest, has 72 independent samples; p needs more than 40. */
const steps = stepsOf(400_000, 9_000);
const COLD = 1.5;
/** So that distributions of energies overlap: Δβ σ_E is about 1. */
const HOT = 1.7;

/** Σ m v² of each type and axis beside N kT: the one that is farthest off, in standard errors. */
function worstPart({ parts, counts }: EnsembleSamples, rests: boolean): number {
  const offs = [0, 1, 2, 3, 4, 5].map((part) => {
    const twice = parts.map((all) => all[part]!);
    // The momentum that stays zero takes one part in N from each axis, by the shares of mass.
    const lost = rests ? (part < 3 ? 1 : 3) / 4 : 0;
    const expected = (counts[0]! - lost) * COLD;
    const error = COLD * Math.sqrt((2 * counts[0]! * slowInefficiency(twice)) / twice.length);
    return (mean(twice) - expected) / error;
  });
  return Math.max(...offs.map(Math.abs));
}

/** Shirts, J. Chem. Theory Comput. 9, 909 (2013); Merz and Shirts, PLoS ONE 13, e0202764 (2018). */
export const thermostatChecks: readonly Check<EnsembleSamples>[] = whole(thermostats, few).map(
  ([name, schemeAt, degrees]) => {
    // Other random numbers at each temperature: the same ones would make both runs alike.
    const sample = (temperature: number, seed: number) => (backend: Backend) =>
      sampleEnsemble({
        ...{ backend, steps, from: 500, every: 20, temperature, seed },
        scheme: schemeAt(temperature),
      });
    return {
      name,
      runs: [sample(COLD, 5), sample(HOT, 6), sample(COLD, 15)],
      async judge(run) {
        const [cold, hot] = await Promise.all([run(0), run(1)]);
        const state = { degrees, temperature: COLD };
        const wanted = 1 / COLD - 1 / HOT;
        const total = ({ kinetic, potential }: EnsembleSamples) =>
          potential.map((u, k) => u + kinetic[k]!);
        const slopes = [
          ['potential', logRatioSlope(cold.potential, hot.potential)],
          ['total', logRatioSlope(total(cold), total(hot))],
        ] as const;
        return [
          await canonical('', cold, state, () => run(2)),
          below('shares of types and axes, worst of 6, in σ', worstPart(cold, degrees < 162), 4),
          ...slopes.map(([which, { slope, error }]) =>
            near(`slope of ${which} energies`, { found: slope, error }, wanted),
          ),
        ];
      },
    };
  },
);
