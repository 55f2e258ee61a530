import { type BatchNode, type OperatorNode, operatorsOf, type Simulation } from '@corpuscle/core';
import { slotsOf } from '../../run/cutoffs.js';
import { loopsOf } from '../checkBarostats.js';

const FIELDS = ['velocity', 'vx', 'vy', 'vz', 'mass'];

/**
 * Whether operators change velocities after the second half of a barostat's step, and before the first half of the next one. The
 * barostat measures them at the end of its step, and must do so again.
 */
export function velocitiesChange({ root }: Simulation): boolean {
  return stepsIn(root).some((steps) => {
    let isWithin = false;
    for (const node of operatorsOf(steps)) {
      const { name } = node.definition;
      if (name === 'nose_hoover_move') isWithin = true;
      else if (name === 'nose_hoover_kick') isWithin = false;
      else if (!isWithin && changesVelocities(node)) return true;
    }
    return false;
  });
}

/** Loops with a barostat that stand in no other; where there is none, steps that are written one by one. */
function stepsIn(root: BatchNode): readonly BatchNode[] {
  const loops = loopsOf(root).filter((loop) =>
    [...operatorsOf(loop)].some(({ definition }) => definition.name === 'nose_hoover_move'),
  );
  return loops.length > 0 ? loops : [root];
}

function changesVelocities(node: OperatorNode): boolean {
  const { changesVelocities: changes, writes } = node.definition;
  if (typeof changes === 'function' ? changes(slotsOf(node)) : changes) return true;
  const written = typeof writes === 'function' ? writes(slotsOf(node)) : writes;
  return written?.some((field) => FIELDS.includes(field)) ?? false;
}
