import { decorrelated, gammaCdf, kolmogorovSmirnov } from './ensembleStatistics.js';

/** Degrees of freedom and temperature of a canonical ensemble. */
export interface Canonical {
  readonly degrees: number;
  readonly temperature: number;
}

/** p of decorrelated kinetic energies against the canonical distribution; NaN where they are too few to tell. */
export function canonicalP(kinetic: readonly number[], state: Canonical): number {
  const samples = decorrelated(kinetic);
  if (samples.length <= 40) return Number.NaN;
  return kolmogorovSmirnov(samples, (energy) =>
    gammaCdf(state.degrees / 2, energy / state.temperature),
  );
}
