import type { FunctorFunction } from './Functor.js';
import type {
  ConstantSchema,
  DerivedSchema,
  FieldSchema,
  GradientSchema,
  HelperSchema,
  ParamSchema,
  ResultSchema,
  SharedSchema,
} from './schema.js';
import type { Traits } from './Traits.js';

/** What all kinds of functors declare. */
export interface CommonSpec {
  /** A name for profiles, messages and generated code: letters, digits and _. */
  readonly name: string;
  readonly params?: ParamSchema;
  /** Pure functions, called as `h.name(…)`. */
  readonly helpers?: HelperSchema;
  /** Numbers known when the functor is defined, read as `c.name`. */
  readonly constants?: ConstantSchema;
  readonly traits?: Traits;
  /** A hand-written WGSL body that replaces the compiled one on the GPU; see lower/wgsl/lowerToWgsl. */
  readonly wgsl?: string;
}

/** A declaration with its types erased, discriminated by `kind`. */
export type FunctorSpec =
  | (CommonSpec & {
      readonly kind: 'pair';
      readonly central: FieldSchema;
      /** Outputs that follow from those in `central`. */
      readonly derived?: DerivedSchema;
      /** Outputs that follow from an energy. */
      readonly gradient?: GradientSchema;
      readonly read: FieldSchema;
      readonly neighbor: FieldSchema;
      readonly context?: FieldSchema;
      readonly contextStart?: FunctorFunction;
      readonly contextStop?: FunctorFunction;
    })
  | (CommonSpec & {
      readonly kind: 'neighborhood';
      readonly central: FieldSchema;
      readonly read: FieldSchema;
      readonly neighbor: FieldSchema;
      readonly scatter: FieldSchema;
      readonly work: FieldSchema;
      /** Outputs that follow from an energy. */
      readonly gradient?: GradientSchema;
    })
  | (CommonSpec & {
      readonly kind: 'cell';
      readonly fields: FieldSchema;
      readonly read: FieldSchema;
      readonly defaults?: Readonly<Record<string, number>>;
      readonly computed?: Readonly<Record<string, FunctorFunction>>;
    })
  | (CommonSpec & {
      readonly kind: 'reduce';
      readonly result: ResultSchema;
      readonly read: FieldSchema;
      readonly defaults?: Readonly<Record<string, number>>;
      readonly computed?: Readonly<Record<string, FunctorFunction>>;
      /** Starting values of results declared `real`. */
      readonly identity?: Readonly<Record<string, number | readonly number[]>>;
      /** Joins results declared `real` of two groups of particles. */
      readonly combine?: FunctorFunction;
    })
  | (CommonSpec & {
      readonly kind: 'block';
      readonly arrays: FieldSchema;
      readonly read: FieldSchema;
      /** What the call returns; the functor adds to it through its last argument. */
      readonly result?: ResultSchema;
      /** Memory that the lanes of a block share. */
      readonly blockShared?: SharedSchema;
      readonly prolog?: FunctorFunction;
      readonly epilog?: FunctorFunction;
    });
