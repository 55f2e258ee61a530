import { CorpuscleError, suggesting } from '@corpuscle/functor/error';
import { path } from '#core/platform';
import { didYouMean, nearestName } from '../../error/nearestName.js';
import type { Registry } from '../Registry.js';
import {
  type BatchNode,
  operatorsOf,
  type PlannedOutput,
  type SimulationWarning,
} from '../Simulation.js';
import type { ValueSpec } from '../SlotSpec.js';
import {
  errorAt,
  locationOf,
  type MapEntry,
  type MapNode,
  type SourceNode,
} from '../yaml/SourceNode.js';
import { checkSlots } from './checkSlots.js';
import { type Definitions, SECTIONS } from './Definitions.js';
import { describeSpec } from './describeSpec.js';
import type { GraphBuilder } from './GraphBuilder.js';
import { givenSlots } from './givenSlots.js';
import { isMacro } from './Macros.js';
import type { Mistakes } from './Mistakes.js';
import { operatorBlock } from './OperatorBuilder.js';
import { configurationEntries } from './resolveConfiguration.js';
import { resolveValue } from './resolveValue.js';
import { Scope } from './Scope.js';
import { unknownOperator } from './unknownOperator.js';

/** Top-level keys that mean nothing: neither section, operator, batch nor alias. */
export function checkKeys(document: MapNode, definitions: Definitions): void {
  const known = [...SECTIONS, ...definitions.names];
  const { mistakes, registry } = definitions;
  for (const entry of document.entries.values()) {
    const { key } = entry;
    if ((SECTIONS as readonly string[]).includes(key)) continue;
    const operator = registry.operator(key);
    const isRight = mistakes.attempt(() => {
      // Whether or not the operator is used.
      const block = operator && operatorBlock(operator, entry.value);
      if (block) checkSlots(operator, block, definitions);
      if (!operator && !registry.composite(key)) checkBatchKey(entry, known, definitions);
      return true;
    }, false);
    if (!isRight) definitions.wrongKeys.add(key);
  }
}

function checkBatchKey(entry: MapEntry, known: readonly string[], definitions: Definitions): void {
  const { key, value } = entry;
  if (definitions.isBatch(value)) return;
  const [inner] = value.kind === 'map' ? value.entries.values() : [];
  if (inner && definitions.isNamedBatch(key))
    throw unknownOperator(inner.key, inner.value, inner, definitions);
  if (definitions.registry.hook(key)) {
    const code = value.kind === 'scalar' && value.value === null ? 'MISSING_VALUE' : 'WRONG_TYPE';
    throw errorAt(entry, code, `'${key}' is a batch: give a list of operators`);
  }
  const section = value.kind === 'scalar' ? sectionWith(key, definitions) : undefined;
  const others = known.filter((name) => name !== key);
  const remedy = section
    ? `: write ${section}`
    : didYouMean(key, others, 'a key is a section, an operator, or a batch given as a list');
  throw errorAt(entry, 'UNKNOWN_KEY', `unknown key '${key}'${remedy}`);
}

/** Where a value stands that was written outside of its section, as `dt: 0.005`. */
function sectionWith(key: string, { registry, meantGlobals }: Definitions): string | undefined {
  if (Object.hasOwn(configurationEntries, key)) return `configuration: { ${key}: … }`;
  const slot = nearestName(key, registry.operators.flatMap(givenSlots));
  if (slot === undefined) return undefined;
  meantGlobals.add(slot);
  return `global: { ${slot}: … }`;
}

/** Batches that nothing uses: their content must make sense, and their name must not look like a slip of the pen. */
export function checkUnusedBatches(definitions: Definitions, builder: GraphBuilder): void {
  definitions.isLoose = true;
  const { names, mistakes } = definitions;
  const isHidden = mistakes.hidesBatches || definitions.hasMeantBatch;
  for (const entry of definitions.entries.values()) {
    const { key, value, source } = entry;
    const { registry, usedBatches, wrongKeys } = definitions;
    const isOperator = registry.operator(key) ?? registry.composite(key);
    if (source.kind === 'default' || usedBatches.has(key) || wrongKeys.has(key) || isOperator)
      continue;
    if (isMacro(key)) continue; // what it says depends on what it is given
    const others = names.filter((name) => name !== key);
    // Where the graph has a hole, what would have used it may be there.
    const meant =
      registry.hook(key) || isHidden ? undefined : nearestName(key, [...others, ...SECTIONS]);
    if (meant !== undefined)
      mistakes.note(errorAt(entry, 'UNKNOWN_KEY', `nothing uses '${key}': ${suggesting(meant)}`));
    mistakes.attempt(() => builder.build(value, new Scope(), [key]), undefined);
  }
  definitions.isLoose = false;
}

/** What a file defines and nothing runs. It is no mistake, as files are shared and merged, but hardly ever meant. */
export function unusedEntries(definitions: Definitions, root: BatchNode): SimulationWarning[] {
  const running = new Set([...operatorsOf(root)].map(({ definition }) => definition.name));
  const { registry, usedBatches } = definitions;
  const warnings: SimulationWarning[] = [];
  for (const entry of definitions.entries.values()) {
    const { key, source } = entry;
    if (source.kind === 'default') continue;
    if (running.has(registry.operator(key)?.name ?? key) || usedBatches.has(key)) continue;
    const message =
      (registry.operator(key) ?? registry.composite(key))
        ? `'${key}' sets values of an operator that does not run: name it in a batch that does, or remove this`
        : `the batch '${key}' does not run: name it in a batch that does, or remove it`;
    warnings.push({ message, location: locationOf(entry) });
  }
  return warnings;
}

/** Globals that no operator, rebind or condition could ever read. */
export function checkGlobals(document: MapNode, definitions: Definitions): void {
  const known = new Set<string>();
  collectNames(document, definitions.registry, known);
  for (const operator of definitions.registry.operators) {
    for (const slot of givenSlots(operator)) known.add(slot);
  }
  for (const entry of definitions.globals.values()) {
    if (known.has(entry.key)) continue;
    const absent = [...known].filter((name) => !definitions.globals.has(name));
    const meant = nearestName(entry.key, absent);
    if (meant !== undefined) definitions.meantGlobals.add(meant);
    definitions.mistakes.note(
      errorAt(
        entry,
        'UNKNOWN_KEY',
        `no operator reads global '${entry.key}'${didYouMean(entry.key, known)}`,
      ),
    );
  }
}

/** Globals that nothing in this graph reads, where all slots of their name take the same: their values are checked nevertheless. */
export function checkUnreadGlobals({
  globals,
  globalUses,
  registry,
  mistakes,
  resolving,
}: Definitions): void {
  for (const { key, value } of globals.values()) {
    if (globalUses.has(key)) continue;
    const specs = registry.operators.flatMap(({ slots }) =>
      Object.hasOwn(slots, key) ? [slots[key]!] : [],
    );
    const [spec] = specs;
    if (spec && new Set(specs.map((one) => `${describeSpec(one)}`)).size === 1)
      mistakes.attempt(() => resolveValue(value, spec, `global ${key}`, resolving), undefined);
  }
}

/** Names outside that `rebind`, conditions and other expressions speak of, anywhere in the document. */
function collectNames(node: SourceNode, registry: Registry, names: Set<string>): void {
  if (node.kind === 'scalar') return;
  if (node.kind === 'list') {
    for (const item of node.items) collectNames(item, registry, names);
    return;
  }
  for (const { key, value } of node.entries.values()) {
    if (key === 'rebind' && value.kind === 'map')
      for (const outer of value.entries.values()) collectWords(outer.value, names);
    const slots = registry.operator(key)?.slots ?? {};
    const isExpression = key === 'condition' || key === 'loop';
    if (isExpression || Object.values(slots).some(hasExpressions)) collectWords(value, names);
    collectNames(value, registry, names);
  }
}

/** Whether a slot takes expressions, or holds those of outputs that the file names. */
const hasExpressions = (spec: ValueSpec): boolean =>
  spec.type === 'expression' ||
  spec.type === 'template' ||
  spec.type === 'object' ||
  (spec.type === 'list' && hasExpressions(spec.of));

/** Every word of the texts in a value. */
function collectWords(node: SourceNode, names: Set<string>): void {
  if (node.kind === 'scalar') {
    for (const [word] of String(node.value).matchAll(/[A-Za-z_]\w*/g)) names.add(word);
    return;
  }
  const inner = node.kind === 'list' ? node.items : [...node.entries.values()].map((e) => e.value);
  for (const one of inner) collectWords(one, names);
}

/** Operators that need what no operator before them provides. Where the graph has a hole, that may have been there. */
export function checkOrder(root: BatchNode, mistakes: Mistakes): void {
  if (mistakes.hasHoles) return;
  const provided = new Set<string>();
  for (const { definition, location, path } of operatorsOf(root)) {
    for (const key of definition.requires ?? []) {
      if (provided.has(key.name)) continue;
      const around = path.split('/').at(-2);
      const name = around ? `${definition.name} of ${around}` : definition.name;
      const message = `${name} needs ${key.name}, ${key.doc}`;
      mistakes.note(
        new CorpuscleError('MISSING_VALUE', message, { ...(location && { location }) }),
      );
      provided.add(key.name);
    }
    for (const key of definition.provides ?? []) provided.add(key.name);
  }
}

/** Names that can be those of folders alone: `.`, `..` and what ends with a slash. */
const FOLDER = /(?:^|[\\/])\.{0,2}$/;

/** Files that the graph will write; two operators that write the same one are a mistake. */
export function plannedOutputs(root: BatchNode, mistakes: Mistakes): PlannedOutput[] {
  const planned = new Map<string, PlannedOutput & { place: object }>();
  for (const { definition, slots, place, location } of operatorsOf(root)) {
    for (const [slot, spec] of Object.entries(definition.slots)) {
      const source = slots.get(slot);
      if (spec.type !== 'file' || spec.mode !== 'write' || source?.kind !== 'value') continue;
      if (source.value === undefined) continue; // it is wrong, and told
      const name = path.normalize(source.value as string);
      const where = source.location ?? location;
      if (FOLDER.test(name)) {
        const message = `${definition.name} would write ${source.value}, which is a folder: add the name of a file`;
        mistakes.note(
          new CorpuscleError('INVALID_VALUE', message, { ...(where && { location: where }) }),
        );
        continue;
      }
      const other = planned.get(name);
      if (other && other.place !== place) {
        const message = `${definition.name} and ${other.operator} both write ${name}: give one of them another file`;
        mistakes.note(
          new CorpuscleError('INVALID_VALUE', message, { ...(where && { location: where }) }),
        );
        continue;
      }
      planned.set(name, { name, operator: definition.name, location: where, place });
    }
  }
  return [...planned.values()].map(({ name, operator, location }) => ({
    name,
    operator,
    location,
  }));
}
