import { type Canonical, canonicalP } from '../../support/canonicalP.js';
import type { EnsembleSamples } from '../../support/ensembleRun.js';
import { above, type Finding } from './Check.js';

/**
 * Kinetic energies have the canonical distribution: p > 0.01. One right sample of a hundred is below, and there are some sixty. Such a
 * case is sampled once more with other random numbers, and has to be above then.
 */
export async function canonical(
  what: string,
  samples: EnsembleSamples,
  state: Canonical,
  again: () => Promise<EnsembleSamples>,
): Promise<Finding> {
  const p = canonicalP(samples.kinetic, state);
  if (p > 0.01) return above(`p of kinetic energies${what}`, p, 0.01);
  const second = canonicalP((await again()).kinetic, state);
  return above(`p of kinetic energies${what}, sampled again after ${p.toFixed(4)}`, second, 0.01);
}
