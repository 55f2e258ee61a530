import { knownSlots } from './knownSlots.js';
import type { OperatorNode } from './Simulation.js';

const FIELDS = ['velocity', 'vx', 'vy', 'vz', 'mass'];

/** Whether an operator changes velocities or masses otherwise than by forces, as far as its file says: see `defineOperator`. */
export function changesVelocities(node: OperatorNode): boolean {
  const known = knownSlots(node);
  const { changesVelocities: changes, writes } = node.definition;
  if (typeof changes === 'function' ? changes(known) : changes) return true;
  const written = typeof writes === 'function' ? writes(known) : writes;
  return written?.some((field) => FIELDS.includes(field)) ?? false;
}
