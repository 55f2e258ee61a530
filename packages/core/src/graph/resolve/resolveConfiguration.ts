import { CorpuscleError } from '@corpuscle/functor/error';
import { didYouMean, nearestName } from '../../error/nearestName.js';
import { ParticleTypes } from '../../particles/ParticleTypes.js';
import { dimensions } from '../../units/dimensions.js';
import { UnitSystem } from '../../units/UnitSystem.js';
import { namedUnits, type UnitDefinition, unitNames } from '../../units/unitDefinition.js';
import type { Configuration, LoadContext } from '../Simulation.js';
import type { EntrySpec } from '../SlotSpec.js';
import {
  describeNode,
  errorAt,
  type MapEntry,
  type MapNode,
  type SourceNode,
} from '../yaml/SourceNode.js';
import type { Mistakes, Resolving } from './Mistakes.js';
import { noKeyOf, noteUnknownKeys, resolveEntries } from './resolveValue.js';

/** Keys of `configuration` besides `units`. */
export const configurationEntries = {
  seed: { type: 'integer', min: 0, default: 0, doc: 'seed of every random stream' },
  deterministic: { type: 'boolean', default: false, doc: 'the same bits at every run' },
  backend: {
    type: 'string',
    doc: "where kernels run: auto, cpu, webgpu, or an engine of your own; or a map by operators, { 'compute_force/*': cpu }",
  },
  threads: { type: 'integer', min: 1, doc: 'number of CPU threads' },
  precision: {
    type: 'enum',
    values: ['f64', 'f32', 'mixed'],
    doc: 'how real numbers are computed',
  },
} as const satisfies Record<string, EntrySpec>;

/** Keys of a particle type. */
export const particleTypeEntries = {
  mass: {
    type: 'quantity',
    dimension: dimensions.mass,
    above: 0,
    required: true,
    doc: 'mass of a particle',
  },
  charge: {
    type: 'quantity',
    dimension: dimensions.charge,
    default: 0,
    doc: 'charge of a particle',
  },
} as const satisfies Record<string, EntrySpec>;

/**
 * `configuration` and `particle_types`; without them units are `lj`, the seed is 0 and there are no types. What is wrong is noted,
 * and has such a value that the rest of the document can be checked.
 * @param backends that may be named; any where it is left out.
 */
export function resolveConfiguration(
  document: MapNode,
  mistakes: Mistakes,
  backends?: readonly string[],
): LoadContext {
  const bare: LoadContext = {
    configuration: { units: UnitSystem.lj, seed: 0, deterministic: false },
    particleTypes: new ParticleTypes([]),
  };
  const sectionOf = (name: string) =>
    mistakes.attempt(() => mapOf(document.entries.get(name)), undefined);
  const section = sectionOf('configuration');
  const configuration = section
    ? resolveSection(section, { ...bare, mistakes }, backends)
    : bare.configuration;
  const types = sectionOf('particle_types');
  const load = { ...bare, configuration };
  return types ? { ...load, particleTypes: resolveTypes(types, { ...load, mistakes }) } : load;
}

/** A section's map; undefined if the section is absent or empty. */
export function mapOf(entry: MapEntry | undefined): MapNode | undefined {
  if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) return undefined;
  if (entry.value.kind === 'map') return entry.value;
  throw errorAt(
    entry.value,
    'WRONG_TYPE',
    `${entry.key} is ${describeNode(entry.value)}: give a map of 'name: value' lines`,
  );
}

function resolveSection(
  section: MapNode,
  load: Resolving,
  backends: readonly string[] | undefined,
): Configuration {
  const rest = new Map(section.entries);
  rest.delete('units');
  const names = Object.keys(configurationEntries);
  const known = ['units', ...names];
  const meant = noteUnknownKeys(section, known, load.mistakes, noKeyOf('configuration', known));
  for (const key of rest.keys()) if (!names.includes(key)) rest.delete(key);
  if (rest.get('backend')?.value.kind === 'map') rest.delete('backend'); // see BackendRules
  const { doc } = configurationEntries.backend;
  const specs: Record<string, EntrySpec> = backends
    ? { ...configurationEntries, backend: { type: 'enum', values: ['auto', ...backends], doc } }
    : configurationEntries;
  const values = resolveEntries({ ...section, entries: rest }, specs, 'configuration', load);
  return {
    ...(values as unknown as Configuration),
    units: unitsOf(section.entries.get('units'), meant.get('units'), load.mistakes),
  };
}

/** The units, or those that may be meant. Where they are wrong, those that any quantity can be read in. */
function unitsOf(
  given: MapEntry | undefined,
  misspelled: MapEntry | undefined,
  mistakes: Mistakes,
): UnitSystem {
  if (!given && !misspelled) return UnitSystem.lj;
  const { value } = (given ?? misspelled)!;
  const units = mistakes.attempt(() => resolveUnits(value), undefined);
  const word = value.kind === 'scalar' ? String(value.value) : '';
  const meant = units ? undefined : nearestName(word, unitSystems);
  if (meant !== undefined) return UnitSystem.of(meant);
  mistakes.hasWrongUnits ||= !units;
  return units ?? UnitSystem.of('si');
}

const unitSystems = ['lj', ...Object.keys(namedUnits)];

function resolveUnits(node: SourceNode): UnitSystem {
  if (node.kind === 'scalar' && typeof node.value === 'string') {
    if (unitSystems.includes(node.value)) return UnitSystem.of(node.value);
    throw errorAt(
      node,
      'INVALID_VALUE',
      `unknown unit system '${node.value}'${didYouMean(node.value, unitSystems)}`,
    );
  }
  if (node.kind !== 'map') {
    throw errorAt(
      node,
      'WRONG_TYPE',
      `units is ${describeNode(node)}: give lj, real, metal, si or a map such as { length: ang, mass: Da, time: ps }`,
    );
  }
  const definition: Partial<Record<keyof UnitDefinition, string>> = {};
  for (const entry of node.entries.values()) {
    const key = unitNames.find((name) => name === entry.key);
    if (!key)
      throw errorAt(
        entry,
        'UNKNOWN_KEY',
        `units has no key '${entry.key}'${didYouMean(entry.key, unitNames)}`,
      );
    const { value } = entry;
    if (value.kind !== 'scalar' || typeof value.value !== 'string') {
      throw errorAt(
        value,
        'WRONG_TYPE',
        `the unit of ${key} is ${describeNode(value)}: name a unit`,
      );
    }
    definition[key] = value.value;
    // One key at a time, so that a mistake is found at its own place.
    at(value, () => UnitSystem.of({ length: 'm', mass: 'kg', time: 's', [key]: value.value }));
  }
  const { length, mass, time, ...others } = definition;
  if (!length || !mass || !time) {
    const missing = !length ? 'length' : !mass ? 'mass' : 'time';
    throw errorAt(node, 'MISSING_VALUE', `units needs '${missing}': name a unit of ${missing}`);
  }
  return UnitSystem.of({ length, mass, time, ...others });
}

function resolveTypes(types: MapNode, load: Resolving): ParticleTypes {
  const all = [...types.entries.values()].map((entry) => {
    const { mistakes } = load;
    const name = `particle type ${entry.key}`;
    if (!/^\S+$/.test(entry.key))
      mistakes.note(
        errorAt(
          entry,
          'INVALID_VALUE',
          `'${entry.key}' is no name of a particle type: names are words without blanks, as files separate columns by them`,
        ),
      );
    const before = mistakes.notes;
    const { mass, charge } = mistakes.attempt(
      () => {
        const map = mapOf(entry) ?? { ...entry, kind: 'map' as const, entries: new Map() };
        return resolveEntries(map, particleTypeEntries, name, load);
      },
      { mass: 1, charge: 0 },
    );
    const isWhole = mistakes.notes === before;
    return {
      name: entry.key,
      mass: isWhole ? (mass as number) : 1,
      charge: isWhole ? (charge as number) : 0,
    };
  });
  return load.mistakes.attempt(
    () => at(types, () => new ParticleTypes(all)),
    new ParticleTypes([]),
  );
}

/** Gives errors without a place the place of `node`. */
export function at<T>(node: SourceNode | MapEntry, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof CorpuscleError) || error.location) throw error;
    throw errorAt(node, error.code, error.message);
  }
}
