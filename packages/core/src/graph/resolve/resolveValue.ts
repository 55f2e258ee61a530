import { path, statSync } from '#core/platform';
import { didYouMean, editDistance, nearestName } from '../../error/nearestName.js';
import { unknownType } from '../../particles/ParticleTypes.js';
import type { EntrySpec, ValueSpec } from '../SlotSpec.js';
import {
  errorAt,
  type MapEntry,
  type MapNode,
  nodeOf,
  type ScalarNode,
  type SourceNode,
} from '../yaml/SourceNode.js';
import { describeSpec, wrongType } from './describeSpec.js';
import { Mistakes, type Resolving } from './Mistakes.js';
import { resolveExpression, resolveTemplate } from './resolveExpression.js';
import { resolveNumber } from './resolveNumber.js';

/** Spec of `type`. */
type SpecOf<T extends ValueSpec['type']> = Extract<ValueSpec, { readonly type: T }>;

/**
 * The value of a node, checked against its spec and converted.
 * @param name how messages call it, such as "rcut of lennard_jones_force".
 * Mistakes inside lists and maps are noted, each at its place; what stands there is undefined.
 * @throws CorpuscleError at the node: WRONG_TYPE, WRONG_DIMENSION, UNKNOWN_UNIT, UNKNOWN_KEY, UNKNOWN_TYPE,
 * MISSING_VALUE, INVALID_VALUE, FILE_NOT_FOUND, SYNTAX
 */
export function resolveValue(
  node: SourceNode,
  spec: ValueSpec,
  name: string,
  load: Resolving,
): unknown {
  switch (spec.type) {
    case 'number':
    case 'integer':
    case 'quantity':
      return resolveNumber(node, spec, name, load);
    case 'boolean':
      if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
      throw wrongType(node, spec, name);
    case 'string':
      return resolveText(node, spec, name).value;
    case 'enum':
      return resolveEnum(node, spec, name);
    case 'file':
      return resolveFile(resolveText(node, spec, name), spec, name);
    case 'particle_type':
      return resolveParticleType(node, spec, name, load);
    case 'list':
      return resolveList(node, spec, name, load);
    case 'map':
      if (node.kind !== 'map') throw wrongType(node, spec, name);
      return resolveEntries(node, spec.entries, name, load);
    case 'record': {
      if (node.kind !== 'map') throw wrongType(node, spec, name);
      const entries = [...node.entries.values()];
      return Object.fromEntries(
        entries.map(({ key, value }) => [
          key,
          load.mistakes.attempt(
            () => resolveValue(value, spec.of, `${key} in ${name}`, load),
            undefined,
          ),
        ]),
      );
    }
    case 'variant':
      return resolveVariant(node, spec, name, load);
    case 'any_of':
      return resolveAnyOf(node, spec, name, load);
    case 'batch': // of composites, which hand it on
      return node;
    case 'expression':
      return resolveExpression(node, spec, name, load);
    case 'template':
      return resolveTemplate(resolveText(node, spec, name), name, load);
    case 'object':
      throw errorAt(
        node,
        'WRONG_TYPE',
        `${name} is made by another operator and cannot be written: remove it`,
      );
  }
}

function resolveText(
  node: SourceNode,
  spec: ValueSpec,
  name: string,
): ScalarNode & { value: string } {
  if (node.kind === 'scalar' && typeof node.value === 'string' && node.value !== '') {
    return node as ScalarNode & { value: string };
  }
  throw wrongType(node, spec, name);
}

function resolveEnum(node: SourceNode, spec: SpecOf<'enum'>, name: string): string {
  const value = node.kind === 'scalar' && node.value !== null ? String(node.value) : undefined;
  if (value === undefined) throw wrongType(node, spec, name);
  if (spec.values.includes(value)) return value;
  throw errorAt(node, 'INVALID_VALUE', `${name} is '${value}'${didYouMean(value, spec.values)}`);
}

function resolveFile(
  node: ScalarNode & { value: string },
  spec: SpecOf<'file'>,
  name: string,
): string {
  // Output names are resolved against the output directory when the run starts.
  if (spec.mode === 'write') return node.value;
  const file = path.resolve(node.source.directory, node.value);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile()) return file;
  throw errorAt(
    node,
    'FILE_NOT_FOUND',
    `${name}: the file ${node.value} ${stats ? (stats.isDirectory() ? 'is a folder' : 'is no regular file') : 'does not exist'} (names are relative to ${node.source.directory})`,
  );
}

function resolveParticleType(
  node: SourceNode,
  spec: SpecOf<'particle_type'>,
  name: string,
  load: Resolving,
): string {
  const { value } = resolveText(node, spec, name);
  // Without definitions the types come with the particles, from a file.
  if (load.particleTypes.count === 0 || load.particleTypes.has(value)) return value;
  throw errorAt(node, 'UNKNOWN_TYPE', unknownType(value, load.particleTypes.names));
}

function resolveList(
  node: SourceNode,
  spec: SpecOf<'list'>,
  name: string,
  load: Resolving,
): unknown[] {
  if (node.kind !== 'list') throw wrongType(node, spec, name);
  const { length } = node.items;
  if (spec.length !== undefined && length !== spec.length) {
    throw errorAt(node, 'INVALID_VALUE', `${name} has ${length} items: give ${spec.length}`);
  }
  if (length < (spec.minLength ?? 0)) {
    throw errorAt(
      node,
      'INVALID_VALUE',
      `${name} has ${length} items: give at least ${spec.minLength}`,
    );
  }
  return node.items.map((item, k) =>
    load.mistakes.attempt(
      () => resolveValue(item, spec.of, `item ${k} of ${name}`, load),
      undefined,
    ),
  );
}

/** Values of known keys; unknown ones are mistakes, absent ones take their default. All mistakes are noted. */
export function resolveEntries(
  node: MapNode,
  entries: Readonly<Record<string, EntrySpec>>,
  name: string,
  load: Resolving,
): Record<string, unknown> {
  const { mistakes } = load;
  const known = Object.keys(entries);
  const meant = noteUnknownKeys(node, known, mistakes, noKeyOf(name, known));
  const result: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(entries)) {
    const given = node.entries.get(key)?.value;
    const title = given ? `${key} of ${name}` : `default ${key} of ${name}`;
    const misspelled = meant.get(key);
    const value =
      given ?? (spec.default === undefined ? undefined : nodeOf(spec.default, node.source));
    if (misspelled) result[key] = resolveMeant(misspelled, [key, spec], name, load);
    else if (value)
      result[key] = mistakes.attempt(() => resolveValue(value, spec, title, load), undefined);
    else if (spec.required)
      mistakes.note(
        errorAt(
          node,
          'MISSING_VALUE',
          `${name} needs '${key}': give ${describeSpec(spec)} (${spec.doc})`,
        ),
      );
  }
  return result;
}

/** What to say of a key that something does not have. */
export const noKeyOf = (name: string, known: readonly string[]) => (key: string) =>
  `${name} has no key '${key}'${didYouMean(key, known)}`;

/**
 * The value under a misspelled name, where it is one that the right name takes. What is wrong with it is told only where the names
 * are so near that no other can be meant.
 */
export function resolveMeant(
  { key, value: node }: MapEntry,
  [meant, spec]: readonly [string, ValueSpec],
  name: string,
  load: Resolving,
): unknown {
  const most = Math.max(1, Math.floor(meant.length / 3));
  return editDistance(key, meant, most) <= most
    ? load.mistakes.attempt(() => resolveValue(node, spec, `${meant} of ${name}`, load), undefined)
    : Mistakes.quietly((mistakes) => resolveValue(node, spec, name, { ...load, mistakes }));
}

/** Notes unknown keys, and gives the known keys that they may mean, with what they have: these are not missing. */
export function noteUnknownKeys(
  node: MapNode,
  known: readonly string[],
  mistakes: Mistakes,
  messageOf: (key: string) => string,
): ReadonlyMap<string, MapEntry> {
  const meant = new Map<string, MapEntry>();
  for (const entry of node.entries.values()) {
    if (known.includes(entry.key)) continue;
    const absent = known.filter((key) => !node.entries.has(key));
    const nearest = nearestName(entry.key, absent);
    if (nearest !== undefined) meant.set(nearest, entry);
    mistakes.note(errorAt(entry, 'UNKNOWN_KEY', messageOf(entry.key)));
  }
  return meant;
}

function resolveVariant(
  node: SourceNode,
  spec: SpecOf<'variant'>,
  name: string,
  load: Resolving,
): unknown {
  if (node.kind !== 'map') throw wrongType(node, spec, name);
  const { key, variants } = spec;
  const values = Object.keys(variants);
  const given = node.entries.get(key)?.value;
  if (!given)
    throw errorAt(
      node,
      'MISSING_VALUE',
      `${name} needs '${key}': give one of ${values.join(', ')}`,
    );
  const chosen = resolveEnum(given, { type: 'enum', values }, `${key} of ${name}`);
  const own = { type: 'enum', values: [chosen], doc: '' } as const;
  return resolveEntries(node, { [key]: own, ...variants[chosen] }, name, load);
}

function resolveAnyOf(
  node: SourceNode,
  spec: SpecOf<'any_of'>,
  name: string,
  load: Resolving,
): unknown {
  const failures: Mistakes[] = [];
  for (const option of spec.options) {
    const mistakes = new Mistakes();
    const value = mistakes.attempt(
      () => resolveValue(node, option, name, { ...load, mistakes }),
      undefined,
    );
    if (mistakes.notes === 0) return value;
    // An option of the right shape knows best what is wrong inside.
    if (sameShape(node, option)) failures.push(mistakes);
  }
  if (failures.length === 1) failures[0]!.throwAny();
  throw wrongType(node, spec, name);
}

function sameShape(node: SourceNode, spec: ValueSpec): boolean {
  if (node.kind === 'list') return spec.type === 'list';
  if (node.kind === 'map')
    return spec.type === 'map' || spec.type === 'record' || spec.type === 'variant';
  switch (spec.type) {
    case 'list':
    case 'map':
    case 'record':
    case 'object':
    case 'batch':
      return false;
    case 'number':
    case 'integer':
      return typeof node.value === 'number';
    case 'quantity':
      return typeof node.value === 'number' || typeof node.value === 'string';
    case 'boolean':
      return typeof node.value === 'boolean';
    default:
      return typeof node.value === 'string';
  }
}
