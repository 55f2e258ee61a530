import { CorpuscleError, knownSlots, operatorsOf, type Simulation } from '@corpuscle/core';
import { lastingBox } from '../../run/checkBoxes.js';
import { loopsIn, ofPasses } from '../../run/loops.js';
import { SKEWED } from './projectParticles.js';

const PROJECTING: readonly string[] = ['grid_projection', 'grid_histogram', 'cc_label'];
const TILTS: readonly string[] = ['xy', 'xz', 'yz'];

/** Voxels in a box that leans, or that `deform` shears: a run would end at the first frame, or at the first after it. */
export function checkVoxels({ root }: Simulation): readonly CorpuscleError[] {
  const nodes = [...operatorsOf(root)];
  const leans = lastingBox(root)?.isOrthorhombic === false;
  const isSheared = nodes.some(
    (node) =>
      node.definition.name === 'deform' &&
      node.definition.movesBox?.(knownSlots(node)).some((part) => TILTS.includes(part)),
  );
  if (!leans && !isSheared) return [];
  // Before a run the box is as it was made.
  const looking = leans ? nodes : loopsIn(root).flatMap(ofPasses);
  return looking
    .filter(({ definition }) => PROJECTING.includes(definition.name))
    .map(({ location }) => new CorpuscleError('INVALID_VALUE', SKEWED, { location }));
}
