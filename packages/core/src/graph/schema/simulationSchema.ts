import { namedUnits, unitNames } from '../../units/unitDefinition.js';
import type { Registry } from '../Registry.js';
import { givenSlots } from '../resolve/givenSlots.js';
import { configurationEntries, particleTypeEntries } from '../resolve/resolveConfiguration.js';
import type { SlotSpecs } from '../SlotSpec.js';
import { BATCH, type JsonSchema, ValueSchemas } from './valueSchema.js';

/** Operators and composites alike. */
interface Named {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly doc: string;
  readonly slots: SlotSpecs;
  readonly namedOutputs?: string;
}

/**
 * JSON Schema of the documents that a registry can load, for editors: names, slots, documentation. What spans several places
 * (units, connections, files) is left to `check`: every right document is valid, and not every valid one is right.
 *
 * @example
 * writeFileSync('corpuscle.schema.json', JSON.stringify(simulationSchema(createRegistry())));
 */
export function simulationSchema(registry: Registry): JsonSchema {
  const named: readonly Named[] = [...registry.operators, ...registry.composites];
  const withAliases = named.flatMap((one) =>
    [one.name, ...(one.aliases ?? [])].map((name) => [name, one] as const),
  );
  const batch: JsonSchema = { $ref: BATCH };
  const values = new ValueSchemas();
  const configuration = values.entries(configurationEntries);
  const slots = withAliases.map(
    ([name, one]) => [`slots_${name}`, slotsSchema(one, values)] as const,
  );
  const hooks = registry.hooks.map(
    ({ name, doc }) => [name, { description: doc, ...batch }] as const,
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A simulation of Corpuscle',
    type: 'object',
    properties: {
      configuration: orNothing({
        ...configuration,
        properties: { units: unitsSchema, ...configuration.properties, backend: backendSchema },
      }),
      global: orNothing({ type: 'object', properties: globalsOf(named) }),
      particle_types: orNothing({
        type: 'object',
        additionalProperties: orNothing(values.entries(particleTypeEntries)),
      }),
      simulation: {
        description: 'what runs: molecular_dynamics, or a list of operators',
        ...batch,
      },
      includes: {
        description: 'files that are merged before this one',
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
      plugins: {
        description:
          'packages and files with operators; the command asks before it runs their code',
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
      matrix: {
        description:
          'a simulation for each value with every other: { temperature: [0.8, 1], seed: 1..4 }',
        type: 'object',
        additionalProperties: { anyOf: [{ type: 'array' }, { type: 'string' }] },
      },
      ...Object.fromEntries(hooks),
      ...Object.fromEntries(withAliases.map(([name]) => [name, { $ref: slotsAt(name) }])),
    },
    // Batches under names of one's own, and keys `+name` that append to a list.
    additionalProperties: batch,
    $defs: {
      batch: {
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { $ref: '#/$defs/item' } },
          { $ref: '#/$defs/item' },
        ],
      },
      item: itemSchema(withAliases.map(([name]) => name)),
      ...Object.fromEntries(slots),
      ...values.definitions,
    },
  };
}

const slotsAt = (name: string): string => `#/$defs/slots_${name}`;

/** A section may be empty. */
const orNothing = (schema: JsonSchema): JsonSchema => ({ anyOf: [{ type: 'null' }, schema] });

const backendSchema: JsonSchema = {
  description: configurationEntries.backend.doc,
  anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }],
};

const unitsSchema: JsonSchema = {
  description: 'units of plain numbers in this file',
  anyOf: [
    { enum: ['lj', ...Object.keys(namedUnits)] },
    {
      type: 'object',
      properties: Object.fromEntries(unitNames.map((name) => [name, { type: 'string' }])),
      additionalProperties: false,
      required: ['length', 'mass', 'time'],
    },
  ],
};

/** The slots that a file gives to an operator. None is required, as globals and other operators may give it. */
function slotsSchema(one: Named, values: ValueSchemas): JsonSchema {
  const slots = givenSlots(one).map((name) => [name, values.entry(one.slots[name]!)] as const);
  return {
    description: one.doc,
    ...orNothing({
      type: 'object',
      properties: Object.fromEntries(slots),
      // Keys `+name` append to lists.
      patternProperties: { '^\\+': {} },
      additionalProperties:
        one.namedOutputs === undefined ? false : values.of({ type: 'expression' }),
    }),
  };
}

/** An item of a batch: a name, a list, a map with `body`, or one name with its slots. */
function itemSchema(names: readonly string[]): JsonSchema {
  const rename: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
  return {
    anyOf: [
      { type: 'string' },
      { type: 'array', items: { $ref: '#/$defs/item' } },
      {
        type: 'object',
        properties: {
          body: { description: 'operators of the batch', $ref: BATCH },
          name: {
            description: 'name of the batch in profiles and graphs',
            type: ['string', 'number'],
          },
          rebind: { description: 'names inside, and the names that they have outside', ...rename },
          condition: {
            description: 'an expression such as not x, or step > 100',
            type: ['string', 'boolean'],
          },
          loop: {
            description: 'true, or a number of passes, or an expression of it',
            type: ['boolean', 'integer', 'string'],
          },
          parallel: {
            description: 'items that do not depend on each other run beside each other',
            type: 'boolean',
          },
          profiling: {
            description: 'false: profiles tell the time of the whole batch',
            type: 'boolean',
          },
          unroll: {
            description: 'true: its passes are written out; names with lists: once for each value',
            anyOf: [
              { type: 'boolean' },
              { type: 'object', additionalProperties: { type: 'array' } },
            ],
          },
        },
        required: ['body'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { $ref: slotsAt(name) }])),
        minProperties: 1,
        maxProperties: 1,
      },
    ],
  };
}

/** What `global` may have: any slot; others are for conditions and rebinds. */
function globalsOf(named: readonly Named[]): Readonly<Record<string, JsonSchema>> {
  const docs = new Map<string, string>();
  for (const one of named)
    for (const name of givenSlots(one)) docs.set(name, docs.get(name) ?? one.slots[name]!.doc);
  return Object.fromEntries([...docs].sort().map(([name, description]) => [name, { description }]));
}
