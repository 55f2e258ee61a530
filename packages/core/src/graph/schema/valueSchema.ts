import { describeSpec } from '../resolve/describeSpec.js';
import type { Bounds, EntrySpec, PlainValue, ValueSpec } from '../SlotSpec.js';

/** A JSON Schema (draft 2020-12), as far as Corpuscle writes it. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly PlainValue[];
  readonly const?: PlainValue | null;
  readonly default?: PlainValue;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
}

/** What `{ $ref: items }` of a batch points to. */
export const BATCH = '#/$defs/batch';

/** Makes schemas of values. */
export class ValueSchemas {
  /** Values that contain themselves, such as regions of regions: each has a definition. */
  readonly definitions: Record<string, JsonSchema> = {};
  readonly #names = new Map<ValueSpec, string>();

  /**
   * The schema of a value. Numbers may be texts, since expressions and units are; `check` looks into these.
   *
   *   { type: 'integer', min: 0 }  ─▶  { type: ['number', 'string'], minimum: 0 }
   */
  of(spec: ValueSpec): JsonSchema {
    switch (spec.type) {
      case 'number':
      case 'integer':
      case 'quantity':
        return { type: ['number', 'string'], ...boundsOf(spec) };
      case 'boolean':
        return { type: 'boolean' };
      case 'string':
      case 'file':
      case 'particle_type':
        return { type: 'string', minLength: 1 };
      case 'enum':
        return { enum: spec.values.flatMap(textOrNumber) };
      case 'list':
        return this.#list(spec);
      case 'map':
        return this.entries(spec.entries);
      case 'record':
        return { type: 'object', additionalProperties: this.of(spec.of) };
      case 'variant':
        return {
          anyOf: Object.entries(spec.variants).map(([name, entries]) =>
            this.entries({
              [spec.key]: { type: 'enum', values: [name], required: true, doc: '' },
              ...entries,
            }),
          ),
        };
      case 'any_of':
        return spec.label === undefined
          ? { anyOf: spec.options.map((option) => this.of(option)) }
          : this.#shared(spec);
      case 'object':
        return { not: {} };
      case 'batch':
        return { $ref: BATCH };
      case 'expression':
        return { type: ['string', 'number', 'boolean'] };
      case 'template':
        return { type: 'string', minLength: 1 };
    }
  }

  /** An object with these keys and no others. */
  entries(entries: Readonly<Record<string, EntrySpec>>): JsonSchema {
    const all = Object.entries(entries);
    const required = all.filter(([, spec]) => spec.required).map(([name]) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(all.map(([name, spec]) => [name, this.entry(spec)])),
      additionalProperties: false,
      ...(required.length > 0 && { required }),
    };
  }

  /** A value with what editors show of it. */
  entry(spec: EntrySpec): JsonSchema {
    const takes = describeSpec(spec);
    return {
      description: spec.doc === '' ? takes : `${spec.doc} (${takes})`,
      ...(spec.default !== undefined && { default: spec.default }),
      ...this.of(spec),
    };
  }

  #list(spec: Extract<ValueSpec, { readonly type: 'list' }>): JsonSchema {
    const { length, minLength } = spec;
    return {
      type: 'array',
      items: this.of(spec.of),
      ...(minLength !== undefined && { minItems: minLength }),
      ...(length !== undefined && { minItems: length, maxItems: length }),
    };
  }

  #shared(spec: Extract<ValueSpec, { readonly type: 'any_of' }>): JsonSchema {
    const [first] = spec.options;
    const known = this.#names.get(first!);
    const name = known ?? `value_${this.#names.size + 1}`;
    if (!known) {
      this.#names.set(first!, name);
      this.definitions[name] = { anyOf: spec.options.map((option) => this.of(option)) };
    }
    return { $ref: `#/$defs/${name}` };
  }
}

/** YAML reads `2` as a number where a text is meant. */
const textOrNumber = (value: string): PlainValue[] =>
  value !== '' && Number.isFinite(Number(value)) ? [value, Number(value)] : [value];

function boundsOf({ min, max, above, below }: Bounds): JsonSchema {
  return {
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    ...(below !== undefined && { exclusiveMaximum: below }),
  };
}
