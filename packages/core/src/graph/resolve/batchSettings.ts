import type { CorpuscleError } from '@corpuscle/functor/error';
import { didYouMean } from '../../error/nearestName.js';
import type { SlotExpression } from '../expression/SlotExpression.js';
import { describeType } from '../expression/Typed.js';
import type { ValueSpec } from '../SlotSpec.js';
import {
  describeNode,
  errorAt,
  type MapEntry,
  type MapNode,
  plainOf,
  type SourceNode,
} from '../yaml/SourceNode.js';
import type { Definitions } from './Definitions.js';
import { isBuiltIn, namesOf, resolveExpression } from './resolveExpression.js';
import { noKeyOf, noteUnknownKeys } from './resolveValue.js';
import type { Scope } from './Scope.js';
import { ScopeLookup } from './ScopeLookup.js';

/** What a batch, or a reference to one, says besides its items. */
export type Settings = ReadonlyMap<string, MapEntry>;

/** What a reference to a named batch may add to it. */
const MODIFIERS = ['rebind', 'condition', 'loop', 'parallel', 'profiling'];
/** What a map with `body` may have. */
export const BATCH_KEYS = ['name', 'body', 'unroll', ...MODIFIERS];

/** What the block of a reference adds to the batch that it names. @throws CorpuscleError WRONG_TYPE */
export function modifiersOf(
  block: SourceNode | undefined,
  batch: string,
  definitions: Definitions,
): Settings {
  if (!block || (block.kind === 'scalar' && block.value === null)) return new Map();
  if (block.kind !== 'map') {
    throw errorAt(
      block,
      'WRONG_TYPE',
      `'${batch}' is a batch: give it nothing, or a map of ${MODIFIERS.join(', ')}`,
    );
  }
  noteUnknownSettings(block, MODIFIERS, batch, definitions);
  return block.entries;
}

/** Notes keys that no batch has. */
export function noteUnknownSettings(
  map: MapNode,
  known: readonly string[],
  batch: string,
  { mistakes }: Definitions,
): void {
  noteUnknownKeys(map, known, mistakes, noKeyOf(`the batch '${batch}'`, known));
}

/**
 * Notes a list in which nothing runs. What composites write may be empty; it does not stand in the text.
 * @throws CorpuscleError MISSING_VALUE for a batch without a list
 */
export function checkBody(
  body: SourceNode,
  batch: string,
  place: SourceNode | MapEntry,
  definitions: Definitions,
): void {
  const { mistakes, isLoose } = definitions;
  if (body.kind === 'scalar' && body.value === null) {
    const message = `the batch '${batch}' is empty: give a list of operators`;
    throw definitions.errorAt(place, 'MISSING_VALUE', message);
  }
  const isWritten = ['[', '-'].includes(body.source.text[body.start]!);
  const isNothing = (item: SourceNode) => item.kind === 'scalar' && item.value === 'nop';
  if (body.kind !== 'list' || !isWritten || !body.items.every(isNothing)) return;
  const message =
    'no operator is in this list: name some, or put nop in place of the list if nothing is to run here';
  mistakes.note(errorAt(body, 'MISSING_VALUE', message));
  if (!isLoose) mistakes.noteHole({ hidesBatches: false });
}

/** `loop: true`, `false`, a number of passes, or an expression that gives one. */
export function loopOf(
  entry: MapEntry | undefined,
  scope: Scope,
  definitions: Definitions,
): true | SlotExpression | undefined {
  if (!entry) return undefined;
  const { value: node } = entry;
  const value = node.kind === 'scalar' ? node.value : null;
  if (value === false) return undefined;
  if (value === true) return true;
  const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  if (!isCount && typeof value !== 'string')
    throw errorAt(
      node,
      'WRONG_TYPE',
      `loop is ${describeNode(node)}: give true, a number of passes, or an expression of it`,
    );
  const loop = expressionAt(entry, PASSES, new ScopeLookup(scope, definitions), definitions);
  if (!loop) return undefined; // what it speaks of is wrong, and told
  if (loop.type.kind === 'number' && loop.type.isInteger) return loop;
  throw errorAt(
    node,
    'WRONG_TYPE',
    `loop is ${describeNode(node)}, which is ${describeType(loop.type)}: give a whole number of passes`,
  );
}

/** `parallel` and `profiling`: true or false. */
export function switchOf(entry: MapEntry | undefined, otherwise: boolean): boolean {
  if (!entry) return otherwise;
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value;
  throw errorAt(value, 'WRONG_TYPE', `${entry.key} is ${describeNode(value)}: give true or false`);
}

/**
 * Notes names in `rebind` that do not exist, inside the batch or outside of it; and what slots lack for other reasons.
 * @param isWhole whether all operators of the batch are there
 */
export function noteRebinds(
  entry: MapEntry | undefined,
  [inner, outer]: readonly [Scope, Scope],
  isWhole: boolean,
  definitions: Definitions,
): void {
  const { mistakes, isLoose } = definitions;
  const isWritten = entry?.value.kind === 'map' && entry.source.kind !== 'default';
  const told = new Set<string>();
  if (isWhole && isWritten && !isLoose)
    for (const one of (entry.value as MapNode).entries.values()) {
      const mistake = unknownRebind(one, inner, outer, definitions);
      if (!mistake) continue;
      mistakes.note(mistake);
      told.add(one.key);
    }
  for (const { slot, mistake } of inner.lacking) if (!told.has(slot)) mistakes.note(mistake);
}

function unknownRebind(
  entry: MapEntry,
  inner: Scope,
  outer: Scope,
  definitions: Definitions,
): CorpuscleError | undefined {
  const { key } = entry;
  if (!inner.isMentioned(key))
    return errorAt(
      entry,
      'UNKNOWN_KEY',
      `no operator of this batch has '${key}'${didYouMean(key, inner.mentioned)}`,
    );
  const name = plainOf(entry.value) as string;
  const lookup = new ScopeLookup(outer, definitions);
  // Where something is missing from the graph, what has the name outside may be there.
  if (definitions.mistakes.hasHoles || inner.makes(key)) return undefined;
  if (lookup.find(name) || definitions.isKnownSlot(name)) return undefined;
  const known = new Set([...lookup.all(), ...definitions.reboundNames]);
  return errorAt(
    entry.value,
    'UNKNOWN_KEY',
    `nothing before makes '${name}', and no global has this name${didYouMean(name, known, 'add it to global')}`,
  );
}

/** `rebind: { inner: outer }`. */
export function rebindOf(entry: MapEntry | undefined): ReadonlyMap<string, string> {
  if (!entry) return new Map();
  if (entry.value.kind !== 'map') {
    throw errorAt(
      entry.value,
      'WRONG_TYPE',
      `rebind is ${describeNode(entry.value)}: give a map such as { frequency: thermo_frequency }`,
    );
  }
  return new Map(
    [...entry.value.entries.values()].map(({ key, value }) => {
      if (value.kind === 'scalar' && typeof value.value === 'string') {
        return [key, value.value];
      }
      throw errorAt(
        value,
        'WRONG_TYPE',
        `rebind of '${key}' is ${describeNode(value)}: name the slot outside`,
      );
    }),
  );
}

/** What `condition` says; undefined where nothing has made a name of it yet. @throws CorpuscleError */
export function conditionOf(
  entry: MapEntry,
  scope: Scope,
  definitions: Definitions,
): SlotExpression | undefined {
  const slots = new ScopeLookup(scope, definitions);
  const unknown = namesOf(entry.value).some(
    (name) => !isBuiltIn(name) && slots.find(name) === undefined,
  );
  return unknown ? undefined : expressionAt(entry, CONDITION, slots, definitions);
}

/** The same after the items of the batch, which may have made what it speaks of; notes what nothing makes. */
export function conditionAfter(
  entry: MapEntry,
  isLoop: boolean,
  scope: Scope,
  definitions: Definitions,
): SlotExpression | undefined {
  const condition = isLoop ? conditionOf(entry, scope, definitions) : undefined;
  const { isLoose, mistakes } = definitions;
  if (condition || isLoose || mistakes.hasHoles) return condition;
  const slots = new ScopeLookup(scope, definitions);
  mistakes.attempt(() => expressionAt(entry, CONDITION, slots, definitions), undefined);
  return undefined;
}

const CONDITION = { type: 'expression', gives: 'boolean' } as const;
const PASSES = { type: 'expression', gives: 'number' } as const;

function expressionAt(
  { key, value }: MapEntry,
  spec: Extract<ValueSpec, { readonly type: 'expression' }>,
  slots: ScopeLookup,
  definitions: Definitions,
): SlotExpression | undefined {
  return resolveExpression(value, spec, key, { ...definitions.resolving, slots });
}
