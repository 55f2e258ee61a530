import { didYouMean } from '../../error/nearestName.js';
import type { OperatorDefinition } from '../defineOperator.js';
import type { MapEntry, MapNode } from '../yaml/SourceNode.js';
import type { Mistakes } from './Mistakes.js';
import { noteUnknownKeys } from './resolveValue.js';

const BATCH_KEYS = ['body', 'rebind', 'condition', 'loop', 'unroll'];

/** The slots of a block. Keys that are no slots, and outputs, which cannot be given, are noted. */
export function slotsIn(
  operator: Pick<OperatorDefinition, 'name' | 'slots' | 'namedOutputs'>,
  block: MapNode,
  mistakes: Mistakes,
): GivenSlots {
  const known = givenSlots(operator);
  const entries = [...block.entries.values()].filter(({ key }) => known.includes(key));
  if (operator.namedOutputs !== undefined) return { entries, meant: new Map(), strange: [] };
  const meant = noteUnknownKeys(block, known, mistakes, (key) => noSlot(operator, key, known));
  const understood = new Set([...entries, ...meant.values()]);
  const strange = [...block.entries.values()].filter((entry) => !understood.has(entry));
  return { entries, meant, strange };
}

/** What a block gives. */
interface GivenSlots {
  readonly entries: readonly MapEntry[];
  /** Slots that are absent, with the unknown keys that may mean them. */
  readonly meant: ReadonlyMap<string, MapEntry>;
  /** Unknown keys that are like no slot. */
  readonly strange: readonly MapEntry[];
}

function noSlot(
  { name, slots }: Pick<OperatorDefinition, 'name' | 'slots'>,
  key: string,
  known: readonly string[],
): string {
  if (Object.hasOwn(slots, key)) return `'${key}' of ${name} is made at run time: remove it`;
  const remedy = BATCH_KEYS.includes(key)
    ? `: write { ${key}: …, body: [${name}] }`
    : didYouMean(key, known);
  return `${name} has no slot '${key}'${remedy}`;
}

/** Slots that a file can give. */
export function givenSlots(operator: Pick<OperatorDefinition, 'slots'>): string[] {
  return Object.entries(operator.slots)
    .filter(([, slot]) => slot.direction !== 'output' && slot.type !== 'object')
    .map(([name]) => name);
}
