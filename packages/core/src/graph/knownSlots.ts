import type { OperatorNode } from './Simulation.js';

/** Values of the slots of an operator that are known before the run. @param node the operator, as the file has it */
export function knownSlots({ slots }: OperatorNode): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const [name, source] of slots) if (source.kind === 'value') known[name] = source.value;
  return known;
}
