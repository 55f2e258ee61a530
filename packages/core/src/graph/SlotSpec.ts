import type { Dimension } from '../units/Dimension.js';
import type { SlotExpression } from './expression/SlotExpression.js';
import type { SlotTemplate } from './expression/SlotTemplate.js';

/** Bounds of a number; for quantities they are in the user's units. `min`/`max` include, `above`/`below` exclude. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly below?: number;
}

/**
 * What a value may be. Values reach operators checked and converted:
 * a quantity as a number in internal units, a file as an absolute path (`write`: relative to the output directory).
 *
 * | type            | YAML                                  | TypeScript            |
 * |-----------------|---------------------------------------|-----------------------|
 * | `number`        | `0.5`, `"pi/4"`                       | number                |
 * | `integer`       | `500`, `1e6`                          | number                |
 * | `quantity`      | `4.0` (user's units), `"4.0 ang"`     | number, internal units |
 * | `boolean`       | `true`                                | boolean               |
 * | `string`        | `text`                                | string                |
 * | `enum`          | one of `values`                       | union of the values   |
 * | `file`          | a path                                | string                |
 * | `particle_type` | a name of `particle_types`            | string                |
 * | `list`          | `[…]`                                 | array                 |
 * | `map`           | `{…}` with the known `entries`        | object                |
 * | `record`        | `{…}` with any keys                   | Record                |
 * | `variant`       | `{ use: morse, … }`: the entry `key` says which others there are | object |
 * | `any_of`        | the first of `options` that fits      | union                 |
 * | `object`        | cannot be written; made by operators  | unknown               |
 * | `batch`         | items of a batch; composites only     | unknown               |
 * | `expression`    | `step % 100 == 0`, over slots and globals | SlotExpression    |
 * | `template`      | a text with values: `T = {t}`         | SlotTemplate          |
 */
export type ValueSpec =
  | ({ readonly type: 'number' } & Bounds)
  | ({ readonly type: 'integer' } & Bounds)
  | ({ readonly type: 'quantity'; readonly dimension: Dimension } & Bounds)
  | { readonly type: 'boolean' }
  /** `names`: what kind of thing it is a name of, such as `group`, for checks of whole simulations. */
  | { readonly type: 'string'; readonly names?: string }
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | { readonly type: 'file'; readonly mode: 'read' | 'write' }
  | { readonly type: 'particle_type' }
  | {
      readonly type: 'list';
      readonly of: ValueSpec;
      readonly length?: number;
      readonly minLength?: number;
    }
  | { readonly type: 'map'; readonly entries: Readonly<Record<string, EntrySpec>> }
  /** `names`: what its keys are names of. */
  | { readonly type: 'record'; readonly of: ValueSpec; readonly names?: string }
  | {
      readonly type: 'variant';
      readonly key: string;
      /** The other entries, by the value of `key`. */
      readonly variants: Readonly<Record<string, Readonly<Record<string, EntrySpec>>>>;
    }
  /** `label`: what messages call it instead of naming all options, which may contain it again. */
  | {
      readonly type: 'any_of';
      readonly options: readonly ValueSpec[];
      readonly label?: string;
    }
  | { readonly type: 'object' }
  | { readonly type: 'batch' }
  /** `gives`: what its value must be. Default: anything. */
  | { readonly type: 'expression'; readonly gives?: 'boolean' | 'number' }
  | { readonly type: 'template' };

/** A value with a name: an entry of a map, or a slot. Without `default` and `required` it may be absent (undefined). */
export type EntrySpec = ValueSpec & {
  readonly doc: string;
  readonly required?: boolean;
  /** Written as the user would write it: `0.3`, `'1 ps'`, `[1, 1, 1]`; checked like the user's values. */
  readonly default?: PlainValue;
};

/**
 * `input` (the usual one): given in YAML, or connected by name, or the default.
 * `output`: made at run time, for operators after this one. `input_output`: read from and written back to where it
 * is connected. `private`: the operator's own, never connected; given in YAML or the default.
 */
export type SlotDirection = 'input' | 'output' | 'input_output' | 'private';

/** One slot of an operator. */
export type SlotSpec = EntrySpec & {
  readonly direction?: SlotDirection;
  /** A run that goes on from a checkpoint may have another value: how long and how often, not what. It may depend on values of other slots. Default false. */
  readonly mayChange?: boolean | ((slots: Readonly<Record<string, unknown>>) => boolean);
};
/** The slots of an operator by name, in snake_case. */
export type SlotSpecs = Readonly<Record<string, SlotSpec>>;

/** A value of YAML that no spec has checked. */
export type PlainValue =
  | number
  | string
  | boolean
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

/** TypeScript type of a value with the given spec. */
export type ValueOf<S> = S extends { readonly type: 'number' | 'integer' | 'quantity' }
  ? number
  : S extends { readonly type: 'boolean' }
    ? boolean
    : S extends { readonly type: 'enum'; readonly values: readonly (infer V)[] }
      ? V
      : S extends { readonly type: 'string' | 'file' | 'particle_type' }
        ? string
        : S extends { readonly type: 'list'; readonly of: infer E }
          ? readonly ValueOf<E>[]
          : S extends { readonly type: 'map'; readonly entries: infer M }
            ? { readonly [K in keyof M]: EntryValueOf<M[K]> }
            : S extends { readonly type: 'record'; readonly of: infer E }
              ? Readonly<Record<string, ValueOf<E>>>
              : S extends { readonly type: 'any_of'; readonly options: readonly (infer O)[] }
                ? ValueOf<O>
                : S extends { readonly type: 'expression' }
                  ? SlotExpression
                  : S extends { readonly type: 'template' }
                    ? SlotTemplate
                    : unknown;

type EntryValueOf<S> = S extends { readonly required: true } | { readonly default: PlainValue }
  ? ValueOf<S>
  : S extends { readonly direction: 'output' | 'input_output' }
    ? ValueOf<S>
    : ValueOf<S> | undefined;

/** Values of all slots of an operator; of an operator with erased types, any record. */
export type SlotValues<S extends SlotSpecs> = SlotSpecs extends S
  ? Readonly<Record<string, unknown>>
  : { readonly [K in keyof S]: EntryValueOf<S[K]> };

/** Names of the slots an operator writes. */
export type OutputName<S extends SlotSpecs> = SlotSpecs extends S
  ? string
  : {
      [K in keyof S]: S[K] extends { readonly direction: 'output' | 'input_output' } ? K : never;
    }[keyof S];

/** What an operator may write to a slot. */
export type OutputValue<S extends SlotSpecs, K extends OutputName<S>> = SlotSpecs extends S
  ? unknown
  : ValueOf<S[K]>;
