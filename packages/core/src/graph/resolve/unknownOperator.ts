import type { CorpuscleError } from '@corpuscle/functor/error';
import { didYouMean, nearestName } from '../../error/nearestName.js';
import { errorAt, type MapEntry, type MapNode, type SourceNode } from '../yaml/SourceNode.js';
import { checkSlots } from './checkSlots.js';
import type { Definitions } from './Definitions.js';
import { givenSlots } from './givenSlots.js';

/**
 * The mistake of an unknown name. What is wrong in its block is noted too, where the block is one of the operator that is
 * meant.
 */
export function unknownOperator(
  name: string,
  block: SourceNode | undefined,
  place: SourceNode | MapEntry,
  definitions: Definitions,
): CorpuscleError {
  definitions.unknownNames.push(name);
  const meant = meantOperator(name, definitions);
  if (meant && block?.kind === 'map' && isBlockOf(block, givenSlots(meant)))
    checkSlots(meant, block, definitions);
  return errorAt(
    place,
    'UNKNOWN_OPERATOR',
    isTorn(name)
      ? `'${name}' is a part of a macro: between brackets a comma ends an item, so put the whole of it in quotes`
      : `unknown operator '${name}'${didYouMean(name, definitions.names, "'corpuscle operators' lists them")}`,
  );
}

/** Whether a name is one end of `name(a, b)` between the brackets of a list. */
const isTorn = (name: string): boolean => /^\w+\([^)]*$|^[^(]*\)$/.test(name);

/** Whether a block under an unknown name is one of slots, and no batch of one operator that has the name of a slot. */
export function isMeantBlock(name: string, block: SourceNode, definitions: Definitions): boolean {
  const meant = meantOperator(name, definitions);
  return meant !== undefined && block.kind === 'map' && isBlockOf(block, givenSlots(meant));
}

/** The default batch or composite that a name is almost: what is wrong inside can be told too. */
export function meantBatch(name: string, definitions: Definitions): string | undefined {
  const { names, registry, entries } = definitions;
  const meant = nearestName(name, names);
  if (meant === undefined) return undefined;
  const isDefault = entries.get(meant)?.source.kind === 'default';
  return isDefault || registry.composite(meant) ? meant : undefined;
}

function meantOperator(name: string, { names, registry }: Definitions) {
  const meant = nearestName(name, names);
  return meant === undefined ? undefined : (registry.operator(meant) ?? registry.composite(meant));
}

/** Most keys are slots, or almost: it is no chance that the names are alike. */
function isBlockOf({ entries }: MapNode, slots: readonly string[]): boolean {
  const known = [...entries.keys()].filter((key) => nearestName(key, slots) !== undefined).length;
  return known > 0 && 2 * known >= entries.size;
}
