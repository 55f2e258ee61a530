import { sameDimension } from '../../units/dimensions.js';
import { ExpressionError } from '../../units/ExpressionError.js';
import { parseExpression } from '../../units/parseExpression.js';
import type { Registry } from '../Registry.js';
import type { SlotSource } from '../Simulation.js';
import type { ValueSpec } from '../SlotSpec.js';
import type { ScalarNode } from '../yaml/SourceNode.js';
import type { Definitions } from './Definitions.js';
import type { SlotLookup } from './Mistakes.js';
import { resolveValue } from './resolveValue.js';
import type { Scope } from './Scope.js';

/** What expressions at a place in the graph can name: outputs made before, and globals. */
export class ScopeLookup implements SlotLookup {
  readonly #scope: Scope;
  readonly #definitions: Definitions;

  constructor(scope: Scope, definitions: Definitions) {
    this.#scope = scope;
    this.#definitions = definitions;
  }

  find(name: string): ReturnType<SlotLookup['find']> {
    this.#scope.mention(name);
    const cell = this.#scope.find(name);
    if (cell) return { spec: cell.spec, sources: new Map([[name, { kind: 'output', cell }]]) };
    const globalName = this.#scope.globalName(name);
    const { globals, globalUses, registry, mistakes, resolving, wrongGlobals } = this.#definitions;
    const entry = globals.get(globalName);
    if (!entry) return undefined;
    if (entry.value.kind !== 'scalar')
      return { spec: { type: 'list', of: { type: 'number' } }, sources: new Map() };
    const spec = specOfGlobal([name, globalName], entry.value, registry);
    const title = `global ${globalName}`;
    const before = mistakes.notes;
    const value = wrongGlobals.has(globalName)
      ? mistakes.skip(undefined)
      : mistakes.attempt(() => resolveValue(entry.value, spec, title, resolving), undefined);
    if (mistakes.notes > before) wrongGlobals.add(globalName);
    const sources = new Map<string, SlotSource>([[name, { kind: 'value', value }]]);
    const uses = globalUses.get(globalName) ?? [];
    globalUses.set(globalName, uses);
    uses.push({ slots: sources, slot: name });
    return { spec, sources };
  }

  all(): Iterable<string> {
    return [...this.#scope.names(), ...this.#definitions.globals.keys()];
  }
}

/** A global is what the slots of its name take; where these differ, or there are none, what it looks like. */
function specOfGlobal(
  names: readonly string[],
  { value }: ScalarNode,
  registry: Registry,
): ValueSpec {
  const slots = registry.operators.flatMap((operator) =>
    names.flatMap((name) => (Object.hasOwn(operator.slots, name) ? [operator.slots[name]!] : [])),
  );
  const numbers = slots.filter(
    (slot) => slot.type === 'quantity' && !sameDimension(slot.dimension, {}),
  ) as Extract<ValueSpec, { readonly type: 'quantity' }>[];
  const [first] = numbers;
  if (first && numbers.every((slot) => sameDimension(slot.dimension, first.dimension)))
    return { type: 'quantity', dimension: first.dimension };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'number')
    return { type: Number.isSafeInteger(value) ? 'integer' : 'number' };
  try {
    const { dimension, hasUnit } = parseExpression(String(value));
    return hasUnit ? { type: 'quantity', dimension } : { type: 'number' };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { type: 'string' };
  }
}
