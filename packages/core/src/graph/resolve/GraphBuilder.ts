import { type CorpuscleError, suggesting } from '@corpuscle/functor/error';
import { limits } from '../../io/limits.js';
import { type BatchNode, type GraphNode, operatorsOf } from '../Simulation.js';
import {
  describeNode,
  errorAt,
  locationOf,
  type MapEntry,
  type MapNode,
  type SourceNode,
} from '../yaml/SourceNode.js';
import type { BackendRules } from './BackendRules.js';
import {
  BATCH_KEYS,
  checkBody,
  conditionAfter,
  conditionOf,
  loopOf,
  modifiersOf,
  noteRebinds,
  noteUnknownSettings,
  rebindOf,
  type Settings,
  switchOf,
} from './batchSettings.js';
import { CompositeExpander } from './CompositeExpander.js';
import type { Definitions } from './Definitions.js';
import { emptyBatch, endsLoop, profiledAs } from './graphNodes.js';
import { type ExpandedMacro, Macros } from './Macros.js';
import { OperatorBuilder, type Place } from './OperatorBuilder.js';
import { onlyEntry } from './onlyEntry.js';
import { Scope } from './Scope.js';
import { loopAfter, Unroller } from './Unroller.js';
import { isMeantBlock, meantBatch, unknownOperator } from './unknownOperator.js';

const NOTHING_RUNS = 'nothing says what to run';

/** Where an item stands. */
interface Site {
  /** What messages about it name. */
  readonly place: Place;
  /** What its slots see. */
  readonly scope: Scope;
  /** Names of the batches that it is in. */
  readonly open: readonly string[];
}

const within = (at: Site, name: string): Site => ({ ...at, open: [...at.open, name] });

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
    const { mistakes } = this.#definitions;
    const entry = document.entries.get('simulation');
    if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) {
      const remedy = "add 'simulation: molecular_dynamics' or a list of operators";
      mistakes.note(errorAt(entry ?? document, 'MISSING_VALUE', `${NOTHING_RUNS}: ${remedy}`));
      mistakes.noteHole();
      return { kind: 'batch', name: 'simulation', body: [] };
    }
    this.#root = entry.value;
    const node = this.#whole(entry.value, new Scope(), []);
    if (!mistakes.hasHoles && operatorsOf(node).next().done) {
      const remedy = 'name molecular_dynamics, or operators';
      mistakes.note(errorAt(entry.value, 'MISSING_VALUE', `${NOTHING_RUNS}: ${remedy}`));
    }
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
    // An unknown operator names no batches, unless it is the whole simulation.
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
    const at = { place: item, scope, open };
    if (item.kind === 'list') return this.#batch('batch', item, new Map(), at);
    if (item.kind === 'scalar') {
      if (typeof item.value === 'string') return this.#reference(item.value, undefined, at);
      throw this.#definitions.errorAt(
        item,
        'WRONG_TYPE',
        `an item of a batch is ${describeNode(item)}: name an operator`,
      );
    }
    if (item.entries.has('body')) return this.#batchMap('batch', item, new Map(), at);
    const entry = onlyEntry(item);
    return this.#reference(entry.key, entry.value, { ...at, place: entry });
  }

  #reference(
    name: string,
    block: SourceNode | undefined,
    at: Site,
    namedAt: Place = at.place,
  ): GraphNode {
    const { place, scope, open } = at;
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
      return this.#batch(name, items, new Map(), within(at, name));
    }
    if (name === 'nop') return emptyBatch(name, place);
    const isWritten =
      block !== undefined && block.kind !== 'scalar' && this.#definitions.isBatch(block);
    if (isWritten && !isMeantBlock(name, block, this.#definitions))
      return this.#written(name, block, new Map(), within(at, name));
    const macro = this.#macros.expand(name, namedAt);
    if (macro) return this.#macro(macro, name, block, at);
    const defined = this.#definitions.entries.get(name);
    if (defined) return this.#defined(defined, block, at);
    if (!hook) {
      const error = unknownOperator(name, block, namedAt, this.#definitions);
      const meant = place === this.#root ? meantBatch(name, this.#definitions) : undefined;
      if (meant === undefined) throw error;
      this.#definitions.mistakes.note(error);
      return this.#reference(meant, undefined, at);
    }
    if (hook.required && !this.#definitions.isLoose) {
      const misspelled = this.#definitions.misspelled(name);
      if (misspelled) {
        const message = `nothing uses '${misspelled.key}': ${suggesting(name)}`;
        this.#definitions.mistakes.note(errorAt(misspelled, 'UNKNOWN_KEY', message));
        return this.#defined(misspelled, block, at);
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
    block: SourceNode | undefined,
    at: Site,
  ): BatchNode {
    this.#definitions.usedBatches.add(key);
    if (at.open.includes(key)) throw this.#circle(key, at);
    const modifiers = modifiersOf(block, name, this.#definitions);
    return this.#written(name, body, modifiers, within(at, key));
  }

  #circle(name: string, { place, open }: Site): CorpuscleError {
    return this.#definitions.errorAt(
      place,
      'INVALID_VALUE',
      `'${name}' contains itself (${[...open, name].join(' → ')}): break the circle`,
    );
  }

  #defined(entry: MapEntry, block: SourceNode | undefined, at: Site): GraphNode {
    const { key: name, value } = entry;
    const { place } = at;
    const { usedBatches, wrongKeys, mistakes } = this.#definitions;
    usedBatches.add(name);
    if (wrongKeys.has(name)) {
      mistakes.noteHole();
      return emptyBatch(name, place);
    }
    if (at.open.includes(name)) throw this.#circle(name, at);
    const inside = within(at, name);
    if (value.kind === 'scalar' && typeof value.value === 'string') {
      // A batch that comes along has no place that the user knows: the name here stands for it.
      const named = { ...inside, place: place.source.kind === 'default' ? value : place };
      const node = this.#reference(value.value, block, named, value);
      return this.#isEpilog(inside.open)
        ? { kind: 'batch', name, body: [node], isEpilog: true }
        : node;
    }
    if (value.kind === 'scalar' || !this.#definitions.isBatch(value)) {
      const message = `'${name}' is ${describeNode(value)}: give a list of operators`;
      throw errorAt(entry, 'WRONG_TYPE', message);
    }
    return this.#written(name, value, modifiersOf(block, name, this.#definitions), inside);
  }

  /** A batch as a file writes it: its items, or a map with `body`. */
  #written(name: string, batch: SourceNode, modifiers: Settings, at: Site): BatchNode {
    return batch.kind === 'map' && batch.entries.has('body')
      ? this.#batchMap(name, batch, modifiers, at)
      : this.#batch(name, batch, modifiers, at);
  }

  #batchMap(name: string, map: MapNode, modifiers: Settings, at: Site): BatchNode {
    noteUnknownSettings(map, BATCH_KEYS, name, this.#definitions);
    const body = map.entries.get('body')!.value;
    const title = map.entries.get('name')?.value;
    const given = title?.kind === 'scalar' && title.value !== null ? String(title.value) : name;
    return this.#batch(given, body, new Map([...map.entries, ...modifiers]), at);
  }

  #batch(name: string, body: SourceNode, settings: Settings, at: Site): BatchNode {
    const { place, scope: outer, open } = at;
    const definitions = this.#definitions;
    const { mistakes } = definitions;
    const loop = mistakes.attempt(() => loopOf(loopAfter(settings), outer, definitions), undefined);
    const rebind = mistakes.attempt(() => rebindOf(settings.get('rebind')), null);
    if (!rebind) mistakes.noteHole({ hidesBatches: false });
    const inner = new Scope(outer, rebind ?? new Map());
    const condition = settings.get('condition');
    // A condition made before the batch; one made inside is only known once the body is built.
    let resolved = condition && conditionOf(condition, outer, definitions);
    const before = mistakes.holes;
    const hasRun = this.#hasRun;
    checkBody(body, name, place, definitions);
    const nodes = this.#unroller
      .bodies(body, settings)
      .flatMap((one) => (one.kind === 'list' ? this.#composites.joined(one) : [one]))
      .map((item) => this.#whole(item, inner, open));
    if (condition || loop || settings.has('parallel')) this.#hasRun = hasRun;
    const isWhole = mistakes.holes === before && rebind !== null;
    noteRebinds(settings.get('rebind'), [inner, outer], isWhole, definitions);
    inner.close();
    if (condition && !resolved)
      resolved = conditionAfter(condition, loop === true, outer, definitions);
    const isParallel = mistakes.attempt(() => switchOf(settings.get('parallel'), false), false);
    const isProfiled = mistakes.attempt(() => switchOf(settings.get('profiling'), true), true);
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
      throw definitions.errorAt(
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
