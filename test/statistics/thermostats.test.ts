import { describe, expect, it } from 'vitest';
import { sampleEnsemble } from '../support/ensembleRun.js';
import { inefficiency, logRatioSlope, mean } from '../support/ensembleStatistics.js';
import { expectCanonical } from '../support/expectCanonical.js';
import { whole } from '../support/statistics.js';

/** Canonical thermostats, and the degrees of freedom of 54 particles with them. */
const canonical = [
  ['langevin', (t: number) => `{ langevin: { temperature: ${t}, friction: 4.0 } }`, 162],
  [
    'langevin, not in every step',
    (t: number) => `{ langevin: { temperature: ${t}, friction: 4.0, every: 5 } }`,
    162,
  ],
  ['bussi', (t: number) => `{ bussi: { temperature: ${t}, tau: 0.1 } }`, 159],
  ['nose_hoover', (t: number) => `{ nose_hoover: { temperature: ${t}, tau: 0.2 } }`, 159],
  ['andersen', (t: number) => `{ andersen: { temperature: ${t}, rate: 4.0 } }`, 162],
] as const;

/** `pnpm run test:statistics` takes hours; `test` has a short form, and `test:long` leaves it out. */
const steps = whole(400_000, 6_000);
const backends = whole(['cpu', 'webgpu'] as const, ['cpu'] as const);
const COLD = 1.5;
/** So that distributions of energies overlap: Δβ σ_E is about 1. */
const HOT = 1.7;

describe.each(backends)('on %s', (backend) => {
  describe.each(canonical)('%s', (_, schemeAt, degrees) => {
    // Other random numbers at each temperature: the same ones would make both runs alike.
    const sample = (temperature: number, seed = temperature === COLD ? 5 : 6) => {
      const run = { backend, steps, from: 500, every: 20, temperature, seed };
      return sampleEnsemble({ ...run, scheme: schemeAt(temperature) });
    };
    let first: ReturnType<typeof sample> | undefined;
    const cold = () => {
      first ??= sample(COLD);
      return first;
    };

    it('gives the canonical distribution of kinetic energies and equal shares to types and axes', async () => {
      const { kinetic, parts, counts } = await cold();
      const state = { degrees, temperature: COLD };
      await expectCanonical(kinetic, state, () => sample(COLD, 15));
      for (let part = 0; part < 6; part++) {
        const twice = parts.map((all) => all[part]!);
        // The momentum that stays zero takes one part in N from each axis, by the shares of mass.
        const mass = part < 3 ? 1 : 3;
        const lost = degrees === 162 ? 0 : mass / 4;
        const expected = (counts[0]! - lost) * COLD;
        const error = COLD * Math.sqrt((2 * counts[0]! * inefficiency(twice)) / twice.length);
        expect(Math.abs(mean(twice) - expected) / error).toBeLessThan(4);
      }
    });

    it('visits energies at two temperatures with the ratio of Boltzmann factors', async () => {
      const [lower, upper] = [await cold(), await sample(HOT)].map(({ potential, kinetic }) => ({
        potential,
        total: potential.map((u, k) => u + kinetic[k]!),
      }));
      const wanted = 1 / COLD - 1 / HOT;
      for (const which of ['potential', 'total'] as const) {
        const { slope, error } = logRatioSlope(lower![which], upper![which]);
        expect(Math.abs(slope - wanted) / error, which).toBeLessThan(3);
      }
    });
  });
});
