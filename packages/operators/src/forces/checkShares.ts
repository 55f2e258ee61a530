import { CorpuscleError, operatorsOf, type Simulation } from '@corpuscle/core';
import { known } from '../run/cutoffs.js';

/** Analyses that want the share of each particle in the virial. */
const SHARED: readonly string[] = ['particle_stress', 'heat_flux_autocorrelation'];

/** Stresses of particles beside a bias of a coordination number, which tells no share of each particle: a run would end at the first. */
export function checkShares({ root }: Simulation): readonly CorpuscleError[] {
  const nodes = [...operatorsOf(root)];
  const isBiased = nodes.some(
    (node) =>
      node.definition.name === 'coordination' && known(node, 'harmonic_bias')?.value !== undefined,
  );
  if (!isBiased) return [];
  return nodes
    .filter(({ definition }) => SHARED.includes(definition.name))
    .map(
      ({ definition: { name }, location }) =>
        new CorpuscleError(
          'INVALID_VALUE',
          `${name} needs the share of each particle in the virial, which the bias of a coordination number does not tell: leave out one of both`,
          { location },
        ),
    );
}
