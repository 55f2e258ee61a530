import { errorAt, type MapEntry, type MapNode } from '../yaml/SourceNode.js';

/** The name and the block of an item that is a map. @throws CorpuscleError WRONG_TYPE where it has none, or two. */
export function onlyEntry(item: MapNode): MapEntry {
  const [first, second] = item.entries.values();
  if (!first)
    throw errorAt(item, 'WRONG_TYPE', 'an item of a batch is an empty map: name an operator');
  if (!second) return first;
  throw errorAt(
    second,
    'WRONG_TYPE',
    `'${second.key}' shares its item with '${first.key}': write one operator an item, each after its own '-', and its slots one level deeper`,
  );
}
