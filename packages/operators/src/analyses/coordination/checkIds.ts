import { CorpuscleError, type OperatorNode, operatorsOf, type Simulation } from '@corpuscle/core';
import { known } from '../../run/cutoffs.js';
import { gridKey } from '../../run/stateKeys.js';
import { latticeOperator } from '../../system/lattice/latticeOperator.js';
import { structures } from '../../system/lattice/structures.js';
import type { Group } from './Group.js';

/** Operators that may make particles with other ids than those of a lattice. */
const CREATING: readonly string[] = ['create_particles', 'replicate'];

/** Ids of coordination numbers that no particle has, where a lattice alone makes the particles. */
export function checkIds({ root }: Simulation): readonly CorpuscleError[] {
  const nodes = [...operatorsOf(root)];
  const count = countOf(nodes);
  if (count === null) return [];
  return nodes.flatMap((node) =>
    ['group_a', 'group_b'].flatMap((slot) => {
      const isAsked = node.definition.name.startsWith('coordination');
      const given = isAsked ? known(node, slot) : undefined;
      const id = given ? largestId(given.value as Group | undefined) : -1;
      if (id < count) return [];
      const location = given?.location ?? node.location;
      const message = `there is no particle with id ${id}: the lattice makes ${count} particles, with ids 0 to ${count - 1}`;
      return [new CorpuscleError('INVALID_VALUE', message, { location })];
    }),
  );
}

/** How many particles there are at most; null where only a run knows. */
function countOf(nodes: readonly OperatorNode[]): number | null {
  const makers = nodes.filter(({ definition }) => definition.provides?.includes(gridKey));
  const isOther = ({ definition, isBuiltIn }: OperatorNode) =>
    !isBuiltIn || CREATING.includes(definition.name);
  if (makers.length !== 1 || nodes.some(isOther)) return null;
  const [maker] = makers;
  if (maker?.definition !== latticeOperator) return null;
  const [structure, repeat] = ['structure', 'repeat'].map((slot) => known(maker, slot)?.value);
  const sites = structures[structure as keyof typeof structures]?.basis.length;
  if (sites === undefined || !Array.isArray(repeat)) return null;
  const count = repeat.reduce((product: number, cells: number) => product * cells, sites);
  return Number.isSafeInteger(count) ? count : null; // repeat may be wrong, and told;
}

/** The largest id that a group names; −1 where it names none. */
function largestId(group: Group | undefined): number {
  if (group === undefined || typeof group === 'string') return -1;
  return 'last' in group ? group.last : group.reduce((most, id) => Math.max(most, id), -1);
}
