import { expect, it } from 'vitest';
import { sampleEnsemble } from '../support/ensembleRun.js';
import { decorrelated, logRatioSlope, mean } from '../support/ensembleStatistics.js';
import { patience, report, whole } from '../support/statistics.js';

const T = 1.5;
/** So that distributions of the volume overlap: ΔP σ_V / kT is about 1. */
const PRESSURES = [4.0, 4.6] as const;

/** Barostats with the ensemble of constant pressure; `berendsen` has none. */
const barostats = [
  [
    'nose_hoover, iso',
    (p: number) =>
      `{ nose_hoover: { temperature: ${T}, tau: 0.2, pressure: ${p}, tau_pressure: 0.5 } }`,
  ],
  [
    'nose_hoover, aniso',
    (p: number) =>
      `{ nose_hoover: { temperature: ${T}, tau: 0.2, pressure: ${p}, tau_pressure: 0.5, coupling: aniso } }`,
  ],
  [
    'cell_rescale with bussi',
    (p: number) =>
      `[{ bussi: { temperature: ${T}, tau: 0.1 } }, { cell_rescale: { pressure: ${p}, temperature: ${T}, tau: 0.3 } }]`,
  ],
  [
    'cell_rescale with langevin',
    (p: number) =>
      `[{ langevin: { temperature: ${T}, friction: 4.0 } }, { cell_rescale: { pressure: ${p}, temperature: ${T}, tau: 0.3 } }]`,
  ],
] as const;

/** Merz and Shirts, PLoS ONE 13, e0202764 (2018); Shirts, J. Chem. Theory Comput. 9, 909 (2013). */
it.each(whole([...barostats], [barostats[0], barostats[2]]))(
  '%s visits volumes at two pressures with the ratio exp(−ΔP V / kT)',
  async (name, schemeAt) => {
    const run = { backend: 'cpu' as const, steps: whole(300_000, 3_000), from: 600, every: 20 };
    const volumes: number[][] = [];
    for (const pressure of PRESSURES) {
      const samples = await sampleEnsemble({ ...run, scheme: schemeAt(pressure), temperature: T });
      volumes.push(samples.volume);
    }
    const [low, high] = volumes.map((values) => decorrelated(values)) as [number[], number[]];
    const { slope, error } = logRatioSlope(low, high);
    const wanted = (PRESSURES[0] - PRESSURES[1]) / T;
    report(name, {
      slope,
      error,
      wanted,
      'mean volumes': volumes.map((values) => mean(values).toFixed(3)).join(' and '),
      samples: Math.min(low.length, high.length),
    });
    expect(Math.min(low.length, high.length)).toBeGreaterThan(whole(200, 4));
    expect(Math.abs(slope - wanted) / error).toBeLessThan(3);
  },
  patience,
);
