import { type CorpuscleError, knownSlots, operatorsOf, type Simulation } from '@corpuscle/core';
import { noStresses } from './gridFrame.js';

/** Writers of stresses that no operator before them leaves in particles: a run would end when it comes to them, such as after its last step. */
export function checkStresses({ root }: Simulation): readonly CorpuscleError[] {
  const nodes = [...operatorsOf(root)];
  const first = nodes.findIndex(
    ({ definition, isBuiltIn }) => definition.name === 'particle_stress' || !isBuiltIn,
  );
  return nodes.slice(0, first < 0 ? nodes.length : first).flatMap((node) => {
    const { fields } = knownSlots(node);
    const writes = node.definition.name.startsWith('write_') && Array.isArray(fields);
    if (!writes || !fields.includes('stress')) return [];
    return [noStresses(node.location)];
  });
}
