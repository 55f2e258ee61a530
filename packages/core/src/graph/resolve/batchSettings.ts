import type { CorpuscleError } from '@corpuscle/functor/error';
import { didYouMean } from '../../error/nearestName.js';
import type { Condition } from '../Simulation.js';
import { describeNode, errorAt, locationOf, type MapEntry } from '../yaml/SourceNode.js';
import type { Definitions } from './Definitions.js';
import type { Scope } from './Scope.js';

/** `loop: true`, `false` or a number of passes. */
export function loopOf(entry: MapEntry | undefined): true | number | undefined {
  const value = entry?.value.kind === 'scalar' ? entry.value.value : undefined;
  if (!entry || value === false) return undefined;
  if (value === true) return true;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw errorAt(
    entry.value,
    'WRONG_TYPE',
    `loop is ${describeNode(entry.value)}: give true or a number of passes`,
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

/** Connects `condition: name` or `not name` to an output or a global; undefined when there is neither. */
export function conditionOf(
  entry: MapEntry,
  scope: Scope,
  definitions: Definitions,
): Condition | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'boolean') {
    return {
      name: String(value.value),
      negated: false,
      source: { kind: 'value', value: value.value },
    };
  }
  const { name, negated } = conditionName(entry);
  const cell = scope.find(name);
  if (cell) {
    if (cell.spec.type === 'boolean') return { name, negated, source: { kind: 'output', cell } };
    throw errorAt(
      value,
      'WRONG_TYPE',
      `the condition '${name}' is made by ${cell.operator} and is not true or false: name a boolean`,
    );
  }
  const globalName = scope.globalName(name);
  const global = definitions.globals.get(globalName)?.value;
  if (!global) return undefined;
  if (global.kind === 'scalar' && typeof global.value === 'boolean') {
    return {
      name,
      negated,
      source: { kind: 'value', value: global.value, location: locationOf(global) },
    };
  }
  throw errorAt(
    global,
    'WRONG_TYPE',
    `global ${globalName} is a condition and is ${describeNode(global)}: give true or false`,
  );
}

export function unknownCondition(
  entry: MapEntry,
  scope: Scope,
  definitions: Definitions,
): CorpuscleError {
  const { name } = conditionName(entry);
  const names = [...scope.names(), ...definitions.globals.keys()];
  return definitions.errorAt(
    entry.value,
    'UNKNOWN_KEY',
    `nothing before this batch makes '${name}'${didYouMean(name, names)}`,
  );
}

function conditionName({ value }: MapEntry): { name: string; negated: boolean } {
  const match = /^(not\s+|!\s*)?([A-Za-z_]\w*)$/.exec(
    value.kind === 'scalar' && typeof value.value === 'string' ? value.value.trim() : '',
  );
  if (match) return { name: match[2]!, negated: match[1] !== undefined };
  throw errorAt(
    value,
    'WRONG_TYPE',
    `condition is ${describeNode(value)}: give 'name' or 'not name'`,
  );
}
