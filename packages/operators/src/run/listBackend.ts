import { CorpuscleError, type OperatorNode, operatorsOf, type Simulation } from '@corpuscle/core';
import { usedCutoffs } from './cutoffs.js';

const known = new WeakMap<Simulation, string | undefined>();

/**
 * The backend that `configuration` gives the lists of a run: that of the operators which look at neighbors in every step.
 * Undefined where it gives no operator a backend.
 * @throws CorpuscleError INVALID_VALUE where it gives such operators different ones: there is one set of lists
 */
export function listBackendOf(simulation: Simulation, otherwise: string): string | undefined {
  if (!isDivided(simulation)) return undefined;
  if (!known.has(simulation)) known.set(simulation, commonBackend(simulation));
  return known.get(simulation) ?? otherwise;
}

/** Whether the configuration gives operators backends of their own. */
export function isDivided({ root }: Simulation): boolean {
  for (const { backend } of operatorsOf(root)) if (backend !== undefined) return true;
  return false;
}

function commonBackend(simulation: Simulation): string | undefined {
  const users = usedCutoffs(simulation).map(({ node }) => node);
  const divided = divisionOf(users);
  if (divided) throw divided;
  return users[0]?.backend;
}

/** The mistake of operators that share lists and have different backends; null where they have one. */
export function divisionOf(users: readonly OperatorNode[]): CorpuscleError | null {
  const [first, ...others] = users;
  const other = others.find(({ backend }) => backend !== first!.backend);
  if (!other) return null;
  const describe = ({ definition, backend = 'auto' }: OperatorNode) =>
    `${definition.name} (${backend})`;
  return new CorpuscleError(
    'INVALID_VALUE',
    `${describe(first!)} and ${describe(other)} have different backends and go through the same neighbor lists: give both the same in configuration.backend`,
    { location: other.location },
  );
}
