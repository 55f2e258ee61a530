import { CorpuscleError, type ErrorCode } from '@corpuscle/functor/error';
import { didYouMean } from '../../error/nearestName.js';
import { sameDimension } from '../../units/dimensions.js';
import type { OperatorDefinition } from '../defineOperator.js';
import { type FailedOperator, operatorFailure } from '../run/operatorFailure.js';
import type { OutputCell, SlotSource } from '../Simulation.js';
import type { SlotSpec, ValueSpec } from '../SlotSpec.js';
import {
  errorAt,
  locationOf,
  type MapEntry,
  type MapNode,
  nodeOf,
  type SourceNode,
} from '../yaml/SourceNode.js';
import type { Definitions } from './Definitions.js';
import { describeSpec } from './describeSpec.js';
import { resolveValue } from './resolveValue.js';
import type { Scope } from './Scope.js';

const BATCH_KEYS = ['body', 'rebind', 'condition', 'loop'];

/** Refuses keys that are no slots, and outputs, which cannot be given. */
export function checkSlotNames(
  operator: Pick<OperatorDefinition, 'name' | 'slots'>,
  block: MapNode,
): void {
  for (const entry of block.entries.values()) {
    const slot = Object.hasOwn(operator.slots, entry.key) ? operator.slots[entry.key] : undefined;
    if (slot && slot.direction !== 'output' && slot.type !== 'object') continue;
    const what = `${operator.name} has no slot '${entry.key}'`;
    if (slot) {
      throw errorAt(
        entry,
        'UNKNOWN_KEY',
        `'${entry.key}' of ${operator.name} is made at run time: remove it`,
      );
    }
    if (BATCH_KEYS.includes(entry.key)) {
      throw errorAt(
        entry,
        'UNKNOWN_KEY',
        `${what}: write { ${entry.key}: …, body: [${operator.name}] }`,
      );
    }
    throw errorAt(entry, 'UNKNOWN_KEY', what + didYouMean(entry.key, givenSlots(operator)));
  }
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
  }

  resolve(): ReadonlyMap<string, SlotSource> {
    if (this.#block) checkSlotNames(this.#operator, this.#block);
    const outputs: [string, OutputCell][] = [];
    for (const [name, spec] of Object.entries(this.#operator.slots)) {
      const source = this.#resolveSlot(name, spec);
      this.slots.set(name, source);
      if (source.kind === 'output' && spec.direction !== undefined && spec.direction !== 'input') {
        outputs.push([name, source.cell]);
      }
    }
    for (const [name, cell] of outputs) this.#scope.add(name, cell);
    return this.slots;
  }

  /** Runs the operator's own checks on the values known by now. */
  validate(operator: FailedOperator): void {
    const { validate } = this.#operator;
    if (!validate || this.#definitions.isLoose) return;
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
    if (fallback !== undefined) return { kind: 'value', value: fallback };
    if (spec.required && !this.#definitions.isLoose) throw this.#missing(name, spec);
    return { kind: 'absent' };
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
    const source = this.#literal(
      name,
      spec,
      entry.value,
      `global ${globalName} (${name} of ${this.#operator.name})`,
    );
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
    const value = resolveValue(node, spec, title, this.#definitions.load);
    return { kind: 'value', value, location: locationOf(node) };
  }

  #default(name: string, spec: SlotSpec): unknown {
    if (spec.default === undefined) return undefined;
    const node = nodeOf(spec.default, this.#place.source);
    return resolveValue(
      node,
      spec,
      `default ${name} of ${this.#operator.name}`,
      this.#definitions.load,
    );
  }

  #cell(slot: string, spec: ValueSpec, initial: unknown): OutputCell {
    return { operator: this.#operator.name, slot, spec, initial, value: initial };
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
