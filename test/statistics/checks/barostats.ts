import {
  type EnsembleRun,
  type EnsembleSamples,
  sampleEnsemble,
} from '../../support/ensembleRun.js';
import {
  logRatioSlope,
  mean,
  slowInefficiency,
  variance,
} from '../../support/ensembleStatistics.js';
import { stepsOf, whole } from '../../support/statistics.js';
import { above, type Backend, below, type Check, near } from './Check.js';
import { canonical } from './canonical.js';

interface Barostat {
  readonly name: string;
  readonly scheme: (temperature: number, pressure: number) => string;
  readonly matter: NonNullable<EnsembleRun['matter']>;
  /** Whether the momentum stays zero. */
  readonly rests: boolean;
}

const noseHoover = (coupling: string, matter: Barostat['matter'] = 'fluid'): Barostat => ({
  name: `nose_hoover, ${coupling}`,
  scheme: (t, p) =>
    `{ nose_hoover: { temperature: ${t}, tau: 0.2, pressure: ${p}, tau_pressure: 0.5, coupling: ${coupling} } }`,
  matter,
  rests: true,
});

const rescaled = (thermostat: string, slots: string, rests: boolean): Barostat => ({
  name: `cell_rescale with ${thermostat}`,
  scheme: (t, p) =>
    `[{ ${thermostat}: { temperature: ${t}, ${slots} } }, { cell_rescale: { pressure: ${p}, temperature: ${t}, tau: 0.3 } }]`,
  matter: 'fluid',
  rests,
});

/**
 * Barostats with the ensemble of constant pressure; `berendsen` has none. Lengths that change on their own need a crystal: nothing
 * holds the shape of a fluid's box, so that it wanders without end and no run has seen all of it.
 */
const barostats = [
  noseHoover('iso'),
  noseHoover('triclinic', 'crystal'),
  noseHoover('aniso', 'crystal'),
  noseHoover('xy', 'crystal'),
  rescaled('bussi', 'tau: 0.1', true),
  rescaled('langevin', 'friction: 4.0', false),
];

/** Temperature, and pressures so that distributions of the volume overlap: ΔP σ_V / kT is about 1. */
const states = {
  fluid: { temperature: 1.5, pressures: [4.0, 4.6] },
  crystal: { temperature: 0.5, pressures: [5.0, 6.0] },
} as const;

/** Stresses beside what ∫ d(V exp(−P V/kT) Q)/dV = 0 wants: ⟨(p − P) V⟩ = −kT along every axis, and no shear. The worst, in standard errors. */
function worstStress(
  { stress, volume }: EnsembleSamples,
  state: { temperature: number; pressure: number; components: number },
): number {
  const offs = Array.from({ length: state.components }, (_, component) => {
    const all = stress.map((s, n) =>
      component < 3
        ? s[component]! - state.pressure * volume[n]! + state.temperature
        : s[component]!,
    );
    return mean(all) / Math.sqrt((slowInefficiency(all) * variance(all)) / all.length);
  });
  return Math.max(...offs.map(Math.abs));
}

/** Merz and Shirts, PLoS ONE 13, e0202764 (2018); Shirts, J. Chem. Theory Comput. 9, 909 (2013). */
export const barostatChecks: readonly Check<EnsembleSamples>[] = whole(barostats, [
  barostats[1]!,
  barostats[4]!,
]).map(({ name, scheme, matter, rests }) => {
  const { temperature, pressures } = states[matter];
  const sample = (pressure: number, seed: number) => (backend: Backend) =>
    sampleEnsemble({
      ...{ backend, steps: stepsOf(300_000, 3_000), from: 600, every: 20, matter },
      ...{ temperature, seed, scheme: scheme(temperature, pressure) },
    });
  const [low, high] = pressures;
  return {
    name,
    runs: [sample(low, 5), sample(high, 6), sample(low, 15), sample(high, 16)],
    async judge(run) {
      const samples = await Promise.all([run(0), run(1)]);
      const findings = [];
      for (const [k, pressure] of pressures.entries()) {
        const one = samples[k]!;
        const degrees = 3 * (one.counts[0]! + one.counts[1]!) - (rests ? 3 : 0);
        const components = name.endsWith('xy') ? 2 : 6;
        findings.push(
          await canonical(` at P = ${pressure}`, one, { degrees, temperature }, () => run(2 + k)),
          below(
            `stresses at P = ${pressure}, worst of ${components}, in σ`,
            worstStress(one, { temperature, pressure, components }),
            4,
          ),
        );
      }
      const [first, second] = samples.map(({ volume }) => volume) as [number[], number[]];
      const { slope, error } = logRatioSlope(first, second);
      return [
        ...findings,
        above('independent volumes', first.length / slowInefficiency(first), whole(200, 4)),
        near('slope of volumes', { found: slope, error }, (low - high) / temperature),
      ];
    },
  };
});
