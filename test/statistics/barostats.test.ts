import { describe, expect, it } from 'vitest';
import { type EnsembleRun, sampleEnsemble } from '../support/ensembleRun.js';
import { inefficiency, logRatioSlope, mean, variance } from '../support/ensembleStatistics.js';
import { expectCanonical } from '../support/expectCanonical.js';
import { patience, report, whole } from '../support/statistics.js';

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

const backends = whole(['cpu', 'webgpu'] as const, ['cpu'] as const);

describe.each(backends)('on %s', (backend) => {
  /** Merz and Shirts, PLoS ONE 13, e0202764 (2018); Shirts, J. Chem. Theory Comput. 9, 909 (2013). */
  it.each(whole(barostats, [barostats[1]!, barostats[4]!]))(
    '$name visits volumes at two pressures with the ratio exp(−ΔP V / kT), and has its temperature and pressure',
    async ({ name, scheme, matter, rests }) => {
      const { temperature, pressures } = states[matter];
      const run = { backend, steps: whole(300_000, 3_000), from: 600, every: 20, matter };
      const volumes: number[][] = [];
      for (const [k, pressure] of pressures.entries()) {
        const numbers = { ...run, temperature, scheme: scheme(temperature, pressure) };
        const sample = (seed: number) => sampleEnsemble({ ...numbers, seed });
        const samples = await sample(5 + k);
        volumes.push(samples.volume);
        const count = samples.counts[0]! + samples.counts[1]!;
        const degrees = 3 * count - (rests ? 3 : 0);
        await expectCanonical(samples.kinetic, { degrees, temperature }, () => sample(15 + k));
        // From ∫ d(V exp(−P V/kT) Q)/dV = 0: ⟨(p − P) V⟩ = −kT, along every axis; and no shear stress.
        const offs = [0, 1, 2, 3, 4, 5].map((component) => {
          const stress = samples.stress.map((all, n) =>
            component < 3
              ? all[component]! - pressure * samples.volume[n]! + temperature
              : all[component]!,
          );
          return (
            mean(stress) / Math.sqrt((inefficiency(stress) * variance(stress)) / stress.length)
          );
        });
        report(name, { pressure, offs: offs.map((x) => x.toFixed(2)).join(' ') });
        const followed = name.endsWith('xy') ? offs.slice(0, 2) : offs;
        for (const off of followed) expect(Math.abs(off)).toBeLessThan(4);
      }
      const [low, high] = volumes as [number[], number[]];
      const { slope, error } = logRatioSlope(low, high);
      const wanted = (pressures[0] - pressures[1]) / temperature;
      report(name, {
        slope,
        error,
        wanted,
        'mean volumes': volumes.map((values) => mean(values).toFixed(3)).join(' and '),
        'inefficiency of volumes': inefficiency(low),
      });
      expect(low.length / inefficiency(low)).toBeGreaterThan(whole(200, 4));
      expect(Math.abs(slope - wanted) / error).toBeLessThan(3);
    },
    patience,
  );
});
