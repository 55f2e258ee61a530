import type { OperatorNode } from './Simulation.js';

const FIELDS = ['velocity', 'vx', 'vy', 'vz', 'mass'];

/** Whether an operator changes velocities or masses otherwise than by forces, as far as its file says: see `defineOperator`. */
export function changesVelocities({ definition, slots }: OperatorNode): boolean {
  const known: Record<string, unknown> = {};
  for (const [name, source] of slots) if (source.kind === 'value') known[name] = source.value;
  const { changesVelocities: changes, writes } = definition;
  if (typeof changes === 'function' ? changes(known) : changes) return true;
  const written = typeof writes === 'function' ? writes(known) : writes;
  return written?.some((field) => FIELDS.includes(field)) ?? false;
}
