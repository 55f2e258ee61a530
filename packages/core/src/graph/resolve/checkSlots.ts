import type { OperatorDefinition } from '../defineOperator.js';
import type { MapNode } from '../yaml/SourceNode.js';
import type { Definitions } from './Definitions.js';
import { slotsIn } from './givenSlots.js';
import { resolveMeant, resolveValue } from './resolveValue.js';

/** Notes what is wrong in a block by itself, wherever it is used. */
export function checkSlots(
  { name, slots, namedOutputs }: Pick<OperatorDefinition, 'name' | 'slots' | 'namedOutputs'>,
  block: MapNode,
  { mistakes, resolving }: Definitions,
): void {
  const { entries, meant } = slotsIn({ name, slots, namedOutputs }, block, mistakes);
  for (const { key, value } of entries)
    mistakes.attempt(
      () => resolveValue(value, slots[key]!, `${key} of ${name}`, resolving),
      undefined,
    );
  for (const [slot, entry] of meant) resolveMeant(entry, [slot, slots[slot]!], name, resolving);
}
