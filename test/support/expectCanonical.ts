import { expect } from 'vitest';
import { decorrelated, gammaCdf, kolmogorovSmirnov } from './ensembleStatistics.js';

/** p of kinetic energies against the canonical distribution. */
function canonicalP(kinetic: readonly number[], state: { degrees: number; temperature: number }) {
  const samples = decorrelated(kinetic);
  expect(samples.length).toBeGreaterThan(40);
  return kolmogorovSmirnov(samples, (energy) =>
    gammaCdf(state.degrees / 2, energy / state.temperature),
  );
}

/**
 * Expects that kinetic energies are those of the canonical distribution: p > 0.01. One right sample of a hundred is below, and the
 * suite takes some forty. Such a case is sampled once more with other random numbers, and has to be above then.
 */
export async function expectCanonical(
  kinetic: readonly number[],
  state: { degrees: number; temperature: number },
  again: () => Promise<{ kinetic: readonly number[] }>,
): Promise<void> {
  if (canonicalP(kinetic, state) > 0.01) return;
  expect(canonicalP((await again()).kinetic, state)).toBeGreaterThan(0.01);
}
