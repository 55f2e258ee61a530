import { CorpuscleError, type ErrorCode } from '@corpuscle/functor/error';
import { didYouMean } from '../../error/nearestName.js';
import { sameDimension } from '../../units/dimensions.js';
import type { OperatorDefinition } from '../defineOperator.js';
import { type FailedOperator, operatorFailure } from '../run/operatorFailure.js';
import type { OutputCell, SlotSource } from '../Simulation.js';
import type { SlotSpec, ValueSpec } from '../SlotSpec.js';
import {
  locationOf,
  type MapEntry,
  type MapNode,
  nodeOf,
  type SourceNode,
} from '../yaml/SourceNode.js';
import type { Definitions } from './Definitions.js';
import { describeSpec } from './describeSpec.js';
import type { Mistakes } from './Mistakes.js';
import { noteUnknownKeys, resolveValue } from './resolveValue.js';
import type { Scope } from './Scope.js';

/** Stands for a value that is wrong. */
const WRONG = { kind: 'value', value: undefined } as const;

const BATCH_KEYS = ['body', 'rebind', 'condition', 'loop'];

/** The slots of a block. Keys that are no slots, and outputs, which cannot be given, are noted. */
export function slotsIn(
  operator: Pick<OperatorDefinition, 'name' | 'slots'>,
  block: MapNode,
  mistakes: Mistakes,
): GivenSlots {
  const known = givenSlots(operator);
  const entries = [...block.entries.values()].filter(({ key }) => known.includes(key));
  const meant = noteUnknownKeys(block, known, mistakes, (key) => noSlot(operator, key, known));
  return { entries, meant };
}

/** What a block gives. */
interface GivenSlots {
  readonly entries: readonly MapEntry[];
  /** Slots that are absent, and that unknown keys may mean. */
  readonly meant: ReadonlySet<string>;
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

  constructor(
    operator: OperatorDefinition,
    block: MapNode | undefined,
    place: SourceNode | MapEntry,
    scope: Scope,
    definitions: Definitions,
  ) {
    this.#operator = operator;
    this.#block = block;
    this.#place = place;
    this.#scope = scope;
    this.#definitions = definitions;
    this.#notesBefore = definitions.mistakes.notes;
  }

  resolve(): ReadonlyMap<string, SlotSource> {
    const { mistakes } = this.#definitions;
    const meant = this.#block && slotsIn(this.#operator, this.#block, mistakes).meant;
    const outputs: [string, OutputCell][] = [];
    for (const [name, spec] of Object.entries(this.#operator.slots)) {
      const source = mistakes.attempt(() => this.#resolveSlot(name, spec), WRONG);
      if (source.kind === 'absent' && spec.required && !meant?.has(name))
        this.#noteMissing(name, spec);
      this.slots.set(name, source);
      if (source.kind === 'output' && spec.direction !== undefined && spec.direction !== 'input') {
        outputs.push([name, source.cell]);
      }
    }
    for (const [name, cell] of outputs) this.#scope.add(name, cell);
    return this.slots;
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
    if (direction === 'output') return { kind: 'output', cell: this.#cell(name, spec, undefined) };
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

  #connect(name: string, spec: SlotSpec): SlotSource | undefined {
    const cell = this.#scope.find(name);
    if (cell) {
      if (!fits(cell.spec, spec)) {
        throw this.#definitions.errorAt(
          this.#place,
          'WRONG_TYPE',
          `'${name}' of ${this.#operator.name} takes ${describeSpec(spec)}, but ${cell.operator} makes ${describeSpec(cell.spec)}: give it here or rebind it`,
        );
      }
      return { kind: 'output', cell, fallback: this.#default(name, spec) };
    }
    const globalName = this.#scope.globalName(name);
    const entry = this.#definitions.globals.get(globalName);
    if (!entry) return undefined;
    const { wrongGlobals, mistakes } = this.#definitions;
    const title = `global ${globalName} (${name} of ${this.#operator.name})`;
    const before = mistakes.notes;
    // What is wrong for one operator is told once, not for all that read it.
    const source = wrongGlobals.has(globalName)
      ? mistakes.skip(WRONG)
      : this.#literal(name, spec, entry.value, title);
    if (mistakes.notes > before) wrongGlobals.add(globalName);
    return this.#globalSource(globalName, name, spec, source);
  }

  /** A global that some operator writes is one variable for all who read it, wherever they stand. */
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
    title = `${name} of ${this.#operator.name}`,
  ): Extract<SlotSource, { kind: 'value' }> {
    this.#nodes.set(name, node);
    const { resolving, mistakes } = this.#definitions;
    const value = mistakes.attempt(() => resolveValue(node, spec, title, resolving), undefined);
    return { kind: 'value', value, location: locationOf(node) };
  }

  #default(name: string, spec: SlotSpec): unknown {
    if (spec.default === undefined) return undefined;
    const node = nodeOf(spec.default, this.#place.source);
    return resolveValue(
      node,
      spec,
      `default ${name} of ${this.#operator.name}`,
      this.#definitions.resolving,
    );
  }

  #cell(slot: string, spec: ValueSpec, initial: unknown): OutputCell {
    return { operator: this.#operator.name, slot, spec, initial, value: initial };
  }

  #noteMissing(name: string, spec: SlotSpec): void {
    const { mistakes, isLoose, meantGlobals } = this.#definitions;
    if (isLoose) return;
    // What would have come from something that is itself wrong is not missing.
    const isObject = spec.type === 'object';
    const isMeant =
      (!isObject && mistakes.meantSections.has('global')) ||
      meantGlobals.has(this.#scope.globalName(name)) ||
      this.#definitions.isMeantSlot(this.#place, name);
    if (isMeant || (isObject && mistakes.hasHoles)) mistakes.skip(undefined);
    else mistakes.note(this.#missing(name, spec));
  }

  #missing(name: string, spec: SlotSpec): CorpuscleError {
    const globalName = this.#scope.globalName(name);
    const where = spec.type === 'object' ? '' : `, or set global.${globalName}`;
    return this.#definitions.errorAt(
      this.#place,
      'MISSING_VALUE',
      `${this.#operator.name} needs '${name}' (${spec.doc}): give ${describeSpec(spec)}${where}`,
    );
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

/** Whether a value of spec `from` may flow into a slot of spec `to`. */
function fits(from: ValueSpec, to: ValueSpec): boolean {
  if (from.type === 'any_of') return from.options.every((option) => fits(option, to));
  if (to.type === 'any_of') return to.options.some((option) => fits(from, option));
  const isNumber = (spec: ValueSpec) =>
    spec.type === 'number' || spec.type === 'integer' || spec.type === 'quantity';
  if (isNumber(from) && isNumber(to)) {
    if (to.type === 'integer' && from.type !== 'integer') return false;
    const dimension = (spec: ValueSpec) => (spec.type === 'quantity' ? spec.dimension : {});
    return sameDimension(dimension(from), dimension(to));
  }
  return from.type === to.type || (from.type === 'enum' && to.type === 'string');
}
