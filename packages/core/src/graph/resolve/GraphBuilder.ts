import { type CorpuscleError, suggesting } from '@corpuscle/functor/error';
import { limits } from '../../io/limits.js';
import { type BatchNode, type GraphNode, operatorsOf } from '../Simulation.js';
import {
  describeNode,
  errorAt,
  type ListNode,
  locationOf,
  type MapEntry,
  type MapNode,
  type SourceNode,
} from '../yaml/SourceNode.js';
import type { BackendRules } from './BackendRules.js';
import {
  conditionOf,
  loopOf,
  noteNothing,
  noteRebinds,
  noteUnknownCondition,
  rebindOf,
  switchOf,
} from './batchSettings.js';
import { CompositeExpander } from './CompositeExpander.js';
import type { Definitions } from './Definitions.js';
import { emptyBatch, endsLoop, profiledAs } from './graphNodes.js';
import { type ExpandedMacro, Macros } from './Macros.js';
import { OperatorBuilder, type Place } from './OperatorBuilder.js';
import { noKeyOf, noteUnknownKeys } from './resolveValue.js';
import { Scope } from './Scope.js';
import { loopAfter, Unroller } from './Unroller.js';
import { isMeantBlock, meantBatch, unknownOperator } from './unknownOperator.js';

/** What a reference to a named batch may add to it. */
const MODIFIERS = ['rebind', 'condition', 'loop', 'parallel', 'profiling'];
const BATCH_KEYS = ['name', 'body', 'unroll', ...MODIFIERS];

const NOTHING_RUNS = 'nothing says what to run';

type Settings = ReadonlyMap<string, MapEntry>;

/**
 * Builds the tree of operators from names, aliases and batches.
 *
 *   item  = name | { name: slots } | { name: batch } | batch
 *         | macro(values)
 *   batch = [item…] | { body: [item…], name, rebind: { inner: outer }, condition, loop: true | passes, unroll }
 */
export class GraphBuilder {
  readonly #definitions: Definitions;
  readonly #composites: CompositeExpander;
  readonly #macros: Macros;
  readonly #unroller: Unroller;
  readonly #operators: OperatorBuilder;
  #built = 0;
  /** What `simulation` is. */
  #root: SourceNode | null = null;
  /** Hooks that have run, whatever conditions hold, when the item that is being built runs. */
  #hasRun: ReadonlySet<string> = new Set();

  constructor(definitions: Definitions, backends: BackendRules) {
    this.#definitions = definitions;
    this.#operators = new OperatorBuilder(definitions, backends);
    this.#composites = new CompositeExpander(definitions);
    this.#macros = new Macros(definitions);
    this.#unroller = new Unroller(this.#macros.has);
  }

  /** The batch that `simulation` names or is. */
  buildRoot(document: MapNode): BatchNode {
    const entry = document.entries.get('simulation');
    if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) {
      const { mistakes } = this.#definitions;
      mistakes.note(
        errorAt(
          entry ?? document,
          'MISSING_VALUE',
          `${NOTHING_RUNS}: add 'simulation: molecular_dynamics' or a list of operators`,
        ),
      );
      mistakes.noteHole();
      return { kind: 'batch', name: 'simulation', body: [] };
    }
    this.#root = entry.value;
    const node = this.#whole(entry.value, new Scope(), []);
    const { mistakes } = this.#definitions;
    if (!mistakes.hasHoles && operatorsOf(node).next().done)
      mistakes.note(
        errorAt(
          entry.value,
          'MISSING_VALUE',
          `${NOTHING_RUNS}: name molecular_dynamics, or operators`,
        ),
      );
    return node.kind === 'batch'
      ? node
      : { kind: 'batch', name: 'simulation', body: [node], location: locationOf(entry) };
  }

  /** The node of an item; a mistake in it is noted and leaves a hole. */
  #whole(item: SourceNode, scope: Scope, open: readonly string[]): GraphNode {
    const { mistakes, unknownNames } = this.#definitions;
    const before = unknownNames.length;
    const node = mistakes.attempt(() => this.build(item, scope, open), undefined);
    if (node) return node;
    // An operator that nobody knows names no batches, unless it is the whole simulation.
    mistakes.noteHole({ hidesBatches: unknownNames.length === before || item === this.#root });
    return emptyBatch('nop', item);
  }

  /** @throws CorpuscleError for an item that makes no node; mistakes inside one are noted. */
  build(item: SourceNode, scope: Scope, open: readonly string[] = []): GraphNode {
    // Batches that name batches are short to write and grow without end.
    if (++this.#built > limits.graphNodes) {
      throw this.#definitions.errorAt(
        item,
        'INVALID_VALUE',
        `the simulation has more than ${limits.graphNodes} operators and batches, each counted as often as it is used: repeat with loop: N`,
      );
    }
    if (item.kind === 'list') return this.#batch('batch', item, item, new Map(), scope, open);
    if (item.kind === 'scalar') {
      if (typeof item.value === 'string')
        return this.#reference(item.value, item, undefined, scope, open);
      throw this.#definitions.errorAt(
        item,
        'WRONG_TYPE',
        `an item of a batch is ${describeNode(item)}: name an operator`,
      );
    }
    if (item.entries.has('body'))
      return this.#batchMap('batch', item, item, new Map(), scope, open);
    const [first, second] = item.entries.values();
    if (!first)
      throw errorAt(item, 'WRONG_TYPE', 'an item of a batch is an empty map: name an operator');
    if (second) {
      throw errorAt(
        second,
        'WRONG_TYPE',
        `'${second.key}' shares its item with '${first.key}': write one operator an item, each after its own '-', and its slots one level deeper`,
      );
    }
    return this.#reference(first.key, first, first.value, scope, open);
  }

  #reference(
    name: string,
    place: Place,
    block: SourceNode | undefined,
    scope: Scope,
    open: readonly string[],
    namedAt: Place = place,
  ): GraphNode {
    const hook = this.#definitions.registry.hook(name);
    if (hook?.runsOnce) {
      // What a file writes twice runs twice.
      const isOurs = place.source.kind === 'default';
      if (isOurs && this.#hasRun.has(name)) return emptyBatch(name, place);
      this.#hasRun = new Set([...this.#hasRun, name]);
    }
    const operator = this.#definitions.registry.operator(name);
    if (operator)
      return this.#operators.build(operator, [...open, name].join('/'), place, block, scope);
    const composite = this.#definitions.registry.composite(name);
    if (composite) {
      const items = this.#composites.expand(composite, place, block);
      return this.#batch(name, place, items, new Map(), scope, [...open, name]);
    }
    if (name === 'nop') return emptyBatch(name, place);
    const isWritten =
      block !== undefined && block.kind !== 'scalar' && this.#definitions.isBatch(block);
    if (isWritten && !isMeantBlock(name, block, this.#definitions))
      return this.#written(name, place, block, new Map(), scope, [...open, name]);
    const macro = this.#macros.expand(name, namedAt);
    if (macro) return this.#macro(macro, name, place, block, scope, open);
    const defined = this.#definitions.entries.get(name);
    if (defined) return this.#defined(defined, place, block, scope, open);
    if (!hook) {
      const error = unknownOperator(name, block, namedAt, this.#definitions);
      const meant = place === this.#root ? meantBatch(name, this.#definitions) : undefined;
      if (meant === undefined) throw error;
      this.#definitions.mistakes.note(error);
      return this.#reference(meant, place, undefined, scope, open);
    }
    if (hook.required && !this.#definitions.isLoose) {
      const misspelled = this.#definitions.misspelled(name);
      if (misspelled) {
        const message = `nothing uses '${misspelled.key}': ${suggesting(name)}`;
        this.#definitions.mistakes.note(errorAt(misspelled, 'UNKNOWN_KEY', message));
        return this.#defined(misspelled, place, block, scope, open);
      }
      throw this.#definitions.errorAt(
        place,
        'MISSING_VALUE',
        `'${name}' is not defined: add '${name}:' with a list of operators (${hook.doc})`,
      );
    }
    return emptyBatch(name, place);
  }

  #macro(
    { key, body }: ExpandedMacro,
    name: string,
    place: Place,
    block: SourceNode | undefined,
    scope: Scope,
    open: readonly string[],
  ): BatchNode {
    this.#definitions.usedBatches.add(key);
    if (open.includes(key)) throw this.#circle(place, key, open);
    const inside = [...open, key];
    const modifiers = this.#modifiers(name, block);
    return body.kind === 'map'
      ? this.#written(name, place, body, modifiers, scope, inside)
      : this.#batch(name, place, body, modifiers, scope, inside);
  }

  #circle(place: Place, name: string, open: readonly string[]): CorpuscleError {
    return this.#definitions.errorAt(
      place,
      'INVALID_VALUE',
      `'${name}' contains itself (${[...open, name].join(' → ')}): break the circle`,
    );
  }

  #defined(
    entry: MapEntry,
    place: Place,
    block: SourceNode | undefined,
    scope: Scope,
    open: readonly string[],
  ): GraphNode {
    const { key: name, value } = entry;
    const { usedBatches, wrongKeys, mistakes } = this.#definitions;
    usedBatches.add(name);
    if (wrongKeys.has(name)) {
      mistakes.noteHole();
      return emptyBatch(name, place);
    }
    if (open.includes(name)) throw this.#circle(place, name, open);
    const inside = [...open, name];
    if (value.kind === 'scalar' && typeof value.value === 'string') {
      // A batch that comes along has no place that the user knows: the name here stands for it.
      const at = place.source.kind === 'default' ? value : place;
      const node = this.#reference(value.value, at, block, scope, inside, value);
      return this.#isEpilog(inside) ? { kind: 'batch', name, body: [node], isEpilog: true } : node;
    }
    if (value.kind === 'scalar' || !this.#definitions.isBatch(value)) {
      throw errorAt(
        entry,
        'WRONG_TYPE',
        `'${name}' is ${describeNode(value)}: give a list of operators`,
      );
    }
    return this.#written(name, place, value, this.#modifiers(name, block), scope, inside);
  }

  /** A batch as a file writes it: its items, or a map with `body`. */
  #written(
    name: string,
    place: Place,
    batch: ListNode | MapNode,
    modifiers: Settings,
    scope: Scope,
    open: readonly string[],
  ): BatchNode {
    return batch.kind === 'map' && batch.entries.has('body')
      ? this.#batchMap(name, place, batch, modifiers, scope, open)
      : this.#batch(name, place, batch, modifiers, scope, open);
  }

  #modifiers(name: string, block: SourceNode | undefined): Settings {
    if (!block || (block.kind === 'scalar' && block.value === null)) return new Map();
    if (block.kind !== 'map') {
      throw errorAt(
        block,
        'WRONG_TYPE',
        `'${name}' is a batch: give it nothing, or a map of ${MODIFIERS.join(', ')}`,
      );
    }
    this.#noteUnknown(block, MODIFIERS, name);
    return block.entries;
  }

  #noteUnknown(map: MapNode, known: readonly string[], batch: string): void {
    const messageOf = noKeyOf(`the batch '${batch}'`, known);
    noteUnknownKeys(map, known, this.#definitions.mistakes, messageOf);
  }

  #batchMap(
    name: string,
    place: Place,
    map: MapNode,
    modifiers: Settings,
    scope: Scope,
    open: readonly string[],
  ): BatchNode {
    this.#noteUnknown(map, BATCH_KEYS, name);
    const body = map.entries.get('body')!.value;
    const title = map.entries.get('name')?.value;
    const given = title?.kind === 'scalar' && title.value !== null ? String(title.value) : name;
    return this.#batch(given, place, body, new Map([...map.entries, ...modifiers]), scope, open);
  }

  #batch(
    name: string,
    place: Place,
    body: SourceNode,
    settings: Settings,
    outer: Scope,
    open: readonly string[],
  ): BatchNode {
    const { isLoose, mistakes } = this.#definitions;
    const loop = mistakes.attempt(
      () => loopOf(loopAfter(settings), outer, this.#definitions),
      undefined,
    );
    const rebind = mistakes.attempt(() => rebindOf(settings.get('rebind')), null);
    if (!rebind) mistakes.noteHole({ hidesBatches: false });
    const inner = new Scope(outer, rebind ?? new Map());
    const condition = settings.get('condition');
    // A condition made before the batch; one made inside is only known once the body is built.
    let resolved = condition && conditionOf(condition, outer, this.#definitions);
    if (body.kind === 'scalar' && body.value === null) {
      throw this.#definitions.errorAt(
        place,
        'MISSING_VALUE',
        `the batch '${name}' is empty: give a list of operators`,
      );
    }
    const before = mistakes.holes;
    const hasRun = this.#hasRun;
    noteNothing(body, this.#definitions);
    const nodes = this.#unroller
      .bodies(body, settings)
      .flatMap((one) => (one.kind === 'list' ? this.#composites.joined(one) : [one]))
      .map((item) => this.#whole(item, inner, open));
    if (condition || loop || settings.has('parallel')) this.#hasRun = hasRun;
    const isWhole = mistakes.holes === before && rebind !== null;
    noteRebinds(settings.get('rebind'), [inner, outer], isWhole, this.#definitions);
    inner.close();
    if (condition && !resolved && loop === true)
      resolved = conditionOf(condition, outer, this.#definitions);
    if (condition && !resolved && !isLoose && !mistakes.hasHoles)
      noteUnknownCondition(condition, outer, this.#definitions);
    const [isParallel, isProfiled] = [
      mistakes.attempt(() => switchOf(settings.get('parallel'), false), false),
      mistakes.attempt(() => switchOf(settings.get('profiling'), true), true),
    ];
    const node: BatchNode = {
      kind: 'batch',
      name,
      body: isProfiled ? nodes : nodes.map((one) => profiledAs(one, [...open, name])),
      ...(isParallel && { parallel: true }),
      condition: resolved,
      loop,
      ...(this.#isEpilog(open) && { isEpilog: true }),
      location: locationOf(place),
    };
    if (loop === true && !condition && !endsLoop(node) && !mistakes.hasHoles) {
      throw this.#definitions.errorAt(
        settings.get('loop')!,
        'MISSING_VALUE',
        `nothing ends the loop '${name}': give a condition or a number of passes`,
      );
    }
    return node;
  }

  /** Whether one of the batches is a hook that runs after an interruption. */
  #isEpilog(open: readonly string[]): boolean {
    return open.some((name) => this.#definitions.registry.hook(name)?.isEpilog);
  }
}
