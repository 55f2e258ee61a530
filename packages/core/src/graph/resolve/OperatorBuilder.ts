import type { OperatorDefinition } from '../defineOperator.js';
import type { OperatorNode, OutputCell } from '../Simulation.js';
import { mergeMaps } from '../yaml/mergeMaps.js';
import {
  describeNode,
  errorAt,
  locationOf,
  type MapEntry,
  type MapNode,
  type SourceNode,
} from '../yaml/SourceNode.js';
import type { BackendRules } from './BackendRules.js';
import type { Definitions } from './Definitions.js';
import type { Scope } from './Scope.js';
import { SlotResolver } from './SlotResolver.js';

/** Where something stands in a file. */
export type Place = SourceNode | MapEntry;

/** Makes the nodes of operators: their slots are resolved, and uses of one place in one scope share what they make. */
export class OperatorBuilder {
  readonly #definitions: Definitions;
  readonly #backends: BackendRules;
  readonly #places = new Map<Place, Map<string, object>>();
  /** What operators make, by their places. */
  readonly #outputs = new Map<object, Map<string, OutputCell>>();

  constructor(definitions: Definitions, backends: BackendRules) {
    this.#definitions = definitions;
    this.#backends = backends;
  }

  /** The node of an operator. @param path names of the batches around it, and its own */
  build(
    definition: OperatorDefinition,
    path: string,
    place: Place,
    block: SourceNode | undefined,
    scope: Scope,
  ): OperatorNode {
    const inline = operatorBlock(definition, block);
    const defaults = this.#defaultsOf(definition);
    const merged = inline ? withOptions(mergeMaps(defaults, inline), defaults) : defaults;
    const use = this.#place(place, scope);
    const outputs = this.#outputs.get(use) ?? new Map<string, OutputCell>();
    this.#outputs.set(use, outputs);
    const resolver = new SlotResolver(definition, merged, place, scope, this.#definitions, outputs);
    const slots = resolver.resolve();
    const location = locationOf(this.#definitions.userPlace(place));
    const isBuiltIn = this.#definitions.registry.isBuiltIn(definition.name);
    const named = { path, isBuiltIn, location };
    resolver.validate(named);
    const backend = this.#backends.of(path);
    return {
      ...{ kind: 'operator', definition, ...named, slots, place: use },
      ...(backend !== undefined && { backend }),
    };
  }

  /** The block of an operator outside of batches, under its name or an older one. */
  #defaultsOf(definition: OperatorDefinition): MapNode | undefined {
    const { entries } = this.#definitions;
    return [...(definition.aliases ?? []), definition.name]
      .map((name) => operatorBlock(definition, entries.get(name)?.value))
      .reduce((older, block) => (block ? mergeMaps(older, block) : older), undefined);
  }

  #place(place: Place, scope: Scope): object {
    const uses = this.#places.get(place) ?? new Map<string, object>();
    this.#places.set(place, uses);
    const { key } = scope;
    const object = uses.get(key) ?? {};
    uses.set(key, object);
    return object;
  }
}

/** The slots given to an operator; none for nothing and for an empty value. */
export function operatorBlock(
  definition: OperatorDefinition,
  block: SourceNode | undefined,
): MapNode | undefined {
  if (!block || (block.kind === 'scalar' && block.value === null)) return undefined;
  if (block.kind === 'map') return block;
  throw errorAt(
    block,
    'WRONG_TYPE',
    `${definition.name} is an operator and is given ${describeNode(block)}: give a map of its slots`,
  );
}

/** What the command line gives to the block of an operator wins over what stands where the operator is used. */
function withOptions(merged: MapNode, defaults: MapNode | undefined): MapNode {
  const options = [...(defaults?.entries ?? [])].filter(
    ([, { source }]) => source.kind === 'option',
  );
  return options.length === 0
    ? merged
    : { ...merged, entries: new Map([...merged.entries, ...options]) };
}
