import { CorpuscleError, type ErrorCode } from '@corpuscle/functor/error';
import type { OperatorDefinition } from '../defineOperator.js';
import type { SlotExpression } from '../expression/SlotExpression.js';
import { specOfType } from '../expression/Typed.js';
import { type FailedOperator, operatorFailure } from '../run/operatorFailure.js';
import type { OutputCell, SlotSource } from '../Simulation.js';
import type { SlotSpec, ValueSpec } from '../SlotSpec.js';
import {
  errorAt,
  locationOf,
  type MapEntry,
  type MapNode,
  type SourceNode,
} from '../yaml/SourceNode.js';
import { writtenNode } from '../yaml/writtenNode.js';
import type { Definitions } from './Definitions.js';
import { describeSpec } from './describeSpec.js';
import { fits } from './fits.js';
import { slotsIn } from './givenSlots.js';
import { MissingSlots } from './MissingSlots.js';
import type { Resolving } from './Mistakes.js';
import { isBuiltIn, resolveExpression } from './resolveExpression.js';
import { resolveMeant, resolveValue } from './resolveValue.js';
import type { Scope } from './Scope.js';
import { ScopeLookup } from './ScopeLookup.js';

/** Stands for a value that is wrong. */
const WRONG = { kind: 'value', value: undefined } as const;

/**
 * Connects every slot of one operator: what the file gives, else the nearest earlier output of that name, else
 * `global`, else the default. Outputs become visible in `scope` afterwards.
 */
export class SlotResolver {
  readonly slots = new Map<string, SlotSource>();
  readonly #operator: OperatorDefinition;
  readonly #block: MapNode | undefined;
  readonly #place: SourceNode | MapEntry;
  readonly #scope: Scope;
  readonly #definitions: Definitions;
  /** Where values were written, for errors found later. */
  readonly #nodes = new Map<string, SourceNode>();
  readonly #notesBefore: number;
  readonly #resolving: Resolving;
  readonly #outputs: Map<string, OutputCell>;
  /** The name that the file has: that of a composite where this is a part of what it writes. */
  readonly #title: string;

  constructor(
    operator: OperatorDefinition,
    block: MapNode | undefined,
    place: SourceNode | MapEntry,
    scope: Scope,
    definitions: Definitions,
    outputs: Map<string, OutputCell> = new Map(),
  ) {
    this.#operator = operator;
    this.#outputs = outputs;
    this.#block = block;
    this.#place = place;
    this.#scope = scope;
    this.#definitions = definitions;
    this.#notesBefore = definitions.mistakes.notes;
    const { name } = operator;
    const isWritten =
      definitions.entries.has(name) ||
      place.source.text.slice(place.start, place.end).includes(name);
    this.#title = isWritten ? name : (definitions.registry.partOf(name) ?? name);
    // In a batch that nothing uses, names may come from where it will be.
    const slots = definitions.isLoose ? undefined : new ScopeLookup(scope, definitions);
    this.#resolving = { ...definitions.resolving, slots };
  }

  resolve(): ReadonlyMap<string, SlotSource> {
    const { mistakes } = this.#definitions;
    const { meant, strange = [] } = this.#block
      ? slotsIn(this.#operator, this.#block, mistakes)
      : {};
    const missing = new MissingSlots(strange, {
      title: this.#title,
      place: this.#place,
      scope: this.#scope,
      definitions: this.#definitions,
      resolving: this.#resolving,
    });
    const outputs: [string, OutputCell][] = [];
    for (const [name, spec] of Object.entries(this.#operator.slots)) {
      this.#scope.mention(name);
      const misspelled = meant?.get(name);
      const source = misspelled
        ? this.#meant(name, spec, misspelled)
        : mistakes.attempt(() => this.#resolveSlot(name, spec), WRONG);
      if (source.kind === 'absent') missing.note(name, spec);
      this.slots.set(name, source);
      if (source.kind === 'output' && spec.direction !== undefined && spec.direction !== 'input') {
        outputs.push([name, source.cell]);
      }
    }
    for (const [name, cell] of outputs) this.#scope.add(name, cell);
    const { namedOutputs } = this.#operator;
    if (namedOutputs !== undefined) this.#nameOutputs(namedOutputs);
    return this.slots;
  }

  /** What stands under a misspelled name, where the slot takes it. */
  #meant(name: string, spec: SlotSpec, misspelled: MapEntry): SlotSource {
    const value = resolveMeant(misspelled, [name, spec], this.#title, this.#resolving);
    return spec.direction === 'input_output'
      ? { kind: 'output', cell: this.#cell(name, spec, value) }
      : { kind: 'value', value };
  }

  /** Outputs that the file names: each is visible to the expressions after it. */
  #nameOutputs(slot: string): void {
    const { mistakes } = this.#definitions;
    const expressions: Record<string, SlotExpression> = {};
    for (const entry of this.#block?.entries.values() ?? []) {
      const { key } = entry;
      if (Object.hasOwn(this.#operator.slots, key)) continue;
      const made = mistakes.attempt(() => this.#nameOutput(entry), undefined);
      if (made) expressions[key] = made;
      else if (!this.#definitions.isLoose) mistakes.noteHole({ hidesBatches: false });
    }
    this.slots.set(slot, { kind: 'value', value: expressions });
  }

  #nameOutput(entry: MapEntry): SlotExpression | undefined {
    const { key, value: node } = entry;
    if (!/^[A-Za-z_]\w*$/.test(key) || isBuiltIn(key))
      throw errorAt(
        entry,
        'INVALID_VALUE',
        `'${key}' cannot name a value: choose a word of letters, digits and _ other than step, time and pi`,
      );
    const title = `${key} of ${this.#title}`;
    const made = resolveExpression(node, { type: 'expression' }, title, this.#resolving);
    if (!made) return undefined;
    const source = this.#written(key, node, specOfType(made.type));
    this.slots.set(key, source);
    if (source.kind === 'output') this.#scope.add(key, source.cell);
    return made;
  }

  /** Runs the operator's own checks on the values known by now, if none is wrong. */
  validate(operator: FailedOperator): void {
    const { validate } = this.#operator;
    const { isLoose, mistakes } = this.#definitions;
    if (!validate || isLoose || mistakes.notes > this.#notesBefore) return;
    const known = [...this.slots].flatMap(([name, source]) => {
      if (source.kind === 'value') return [[name, source.value] as const];
      return [];
    });
    try {
      validate({
        ...this.#definitions.load,
        slots: Object.fromEntries(known),
        fail: (path, code, message) => this.#fail(path, code, message),
      });
    } catch (error) {
      if (error instanceof CorpuscleError && !error.location)
        throw this.#definitions.errorAt(this.#place, error.code, error.message);
      throw operatorFailure(error, operator);
    }
  }

  #resolveSlot(name: string, spec: SlotSpec): SlotSource {
    const direction = spec.direction ?? 'input';
    if (direction === 'output') return { kind: 'output', cell: this.#output(name, spec) };
    const given = this.#block?.entries.get(name)?.value;
    if (given) {
      const source = this.#literal(name, spec, given);
      return direction === 'input_output'
        ? { kind: 'output', cell: this.#cell(name, spec, source.value) }
        : source;
    }
    if (direction !== 'private') {
      const connected = this.#connect(name, spec);
      if (connected) return connected;
    }
    const fallback = this.#default(name, spec);
    if (direction === 'input_output') {
      return { kind: 'output', cell: this.#cell(name, spec, fallback) };
    }
    return fallback === undefined ? { kind: 'absent' } : { kind: 'value', value: fallback };
  }

  /** Where a value is written that the file names: the output or global of that name, or a new output. */
  #written(name: string, node: SourceNode, made: ValueSpec): SlotSource {
    const { isReduced } = this.#definitions.load.configuration.units;
    const there = this.#resolving.slots?.find(name)?.spec;
    if (!there)
      return { kind: 'output', cell: { ...this.#cell(name, made, undefined), isReduced } };
    const cell = this.#scope.find(name);
    const isWidened = !cell && there.type === 'integer' && made.type === 'number';
    if (!isWidened && !fits(made, there, isReduced))
      throw errorAt(
        node,
        'WRONG_TYPE',
        `'${name}' is ${describeSpec(there)}, and this is ${describeSpec(made)}: choose another name`,
      );
    if (cell) return { kind: 'output', cell };
    const spec = { ...(isWidened ? made : there), doc: '', direction: 'input_output' } as const;
    return this.#connect(name, spec)!;
  }

  #connect(name: string, spec: SlotSpec): SlotSource | undefined {
    const cell = this.#scope.find(name);
    if (cell) {
      if (!fits(cell.spec, spec, cell.isReduced)) {
        throw this.#definitions.errorAt(
          this.#place,
          'WRONG_TYPE',
          `'${name}' of ${this.#title} takes ${describeSpec(spec)}, but ${cell.operator} makes ${describeSpec(cell.spec)}: give it here or rebind it`,
        );
      }
      return { kind: 'output', cell, fallback: this.#default(name, spec) };
    }
    const globalName = this.#scope.globalName(name);
    const entry = this.#definitions.globals.get(globalName);
    if (!entry) return undefined;
    const { wrongGlobals, mistakes } = this.#definitions;
    const title = `global ${globalName} (${name} of ${this.#title})`;
    const before = mistakes.notes;
    // What is wrong for one operator is told once, not for all that read it.
    const source = wrongGlobals.has(globalName)
      ? mistakes.skip(WRONG)
      : this.#literal(name, spec, entry.value, title);
    if (mistakes.notes > before) wrongGlobals.add(globalName);
    return this.#globalSource(globalName, name, spec, source);
  }

  /** A global that some operator writes is one variable for all slots that read it, wherever they stand. */
  #globalSource(
    globalName: string,
    slot: string,
    spec: SlotSpec,
    source: Extract<SlotSource, { kind: 'value' }>,
  ): SlotSource {
    const { globalUses } = this.#definitions;
    const uses = globalUses.get(globalName) ?? [];
    globalUses.set(globalName, uses);
    uses.push({ slots: this.slots, slot });
    if (spec.direction !== 'input_output') return source;
    const cell = this.#cell(slot, spec, source.value);
    for (const use of uses) use.slots.set(use.slot, { kind: 'output', cell });
    return { kind: 'output', cell };
  }

  #literal(
    name: string,
    spec: ValueSpec,
    node: SourceNode,
    title = `${name} of ${this.#title}`,
  ): Extract<SlotSource, { kind: 'value' }> {
    this.#nodes.set(name, node);
    const { mistakes } = this.#definitions;
    const value = mistakes.attempt(
      () => resolveValue(node, spec, title, this.#resolving),
      undefined,
    );
    return { kind: 'value', value, location: locationOf(node) };
  }

  #default(name: string, spec: SlotSpec): unknown {
    if (spec.default === undefined) return undefined;
    const node = writtenNode(spec.default, this.#place);
    const title = `default ${name} of ${this.#title}`;
    return resolveValue(node, spec, title, this.#resolving);
  }

  /** An output is one at all uses of a place: what the first use has made the others begin with. */
  #output(slot: string, spec: ValueSpec): OutputCell {
    const cell = this.#outputs.get(slot) ?? this.#cell(slot, spec, undefined);
    this.#outputs.set(slot, cell);
    return cell;
  }

  #cell(slot: string, spec: ValueSpec, initial: unknown): OutputCell {
    return { operator: this.#operator.name, slot, spec, initial, value: initial };
  }

  #fail(path: string, code: ErrorCode, message: string): never {
    const [slot = '', ...parts] = path.split('.');
    const given = this.#nodes.get(slot);
    throw this.#definitions.errorAt(given ? descend(given, parts) : this.#place, code, message);
  }
}

/** The deepest node along a path of keys and indices. */
function descend(node: SourceNode, parts: readonly string[]): SourceNode {
  const [part, ...rest] = parts;
  if (part === undefined || node.kind === 'scalar') return node;
  const inner = node.kind === 'map' ? node.entries.get(part)?.value : node.items[Number(part)];
  return inner ? descend(inner, rest) : node;
}
