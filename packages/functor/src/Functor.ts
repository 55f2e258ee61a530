import type { SourceLocation } from './error/CorpuscleError.js';
import type { FunctorSpec } from './FunctorSpec.js';
import type { FunctorIR, FunctorKind } from './ir.js';
import type { FieldSchema, ParamSchema, ResultSchema } from './schema.js';
import type { ResolvedTraits } from './Traits.js';

/** The user's function with its types erased. */
export type FunctorFunction = (...args: never[]) => unknown;

/**
 * A compiled functor: one source for every backend. Made by `pairFunctor`, `cellFunctor`, `reduceFunctor` or
 * `blockFunctor` and handed to a pattern; it holds no state and may be used by any number of contexts.
 */
export interface Functor<K extends FunctorKind = FunctorKind> {
  readonly kind: K;
  readonly name: string;
  /** Null only for a functor that says `gpu: false` and uses JavaScript that cannot be compiled. */
  readonly ir: FunctorIR | null;
  /** Why `ir` is null; empty otherwise. */
  readonly notCompiled: string;
  readonly traits: ResolvedTraits;
  readonly spec: FunctorSpec;
  /** The user's function: calling it directly is the oracle of every lowering. */
  readonly fn: FunctorFunction;
  /** Where the functor was defined. */
  readonly source: SourceLocation;
  /**
   * Calls the user's function with its role arguments (pair: i, j, d, p · cell: i, p · reduce: acc, i, p · block: b, a, p);
   * helpers and constants are added.
   */
  invoke(...roles: readonly object[]): void;
}

/** `C` are the outputs of the central particle, `P` the parameters. */
export interface PairFunctor<
  C extends FieldSchema = FieldSchema,
  P extends ParamSchema = ParamSchema,
> extends Functor<'pair'> {
  readonly outputs: C;
  readonly params: P;
}

/** `C` are the outputs of the central particle and of its neighbors, `P` the parameters. */
export interface NeighborhoodFunctor<
  C extends FieldSchema = FieldSchema,
  P extends ParamSchema = ParamSchema,
> extends Functor<'neighborhood'> {
  readonly outputs: C;
  readonly params: P;
}

/** `F` are the fields read and written, `P` the parameters. */
export interface CellFunctor<
  F extends FieldSchema = FieldSchema,
  P extends ParamSchema = ParamSchema,
> extends Functor<'cell'> {
  readonly outputs: F;
  readonly params: P;
}

/** `R` are the results, `P` the parameters. */
export interface ReduceFunctor<
  R extends ResultSchema = ResultSchema,
  P extends ParamSchema = ParamSchema,
> extends Functor<'reduce'> {
  readonly outputs: R;
  readonly params: P;
}

/** `A` are the arrays written, `B` those only read, `P` the parameters, `Q` the results. */
export interface BlockFunctor<
  A extends FieldSchema = FieldSchema,
  P extends ParamSchema = ParamSchema,
  B extends FieldSchema = FieldSchema,
  Q extends ResultSchema = ResultSchema,
> extends Functor<'block'> {
  readonly outputs: A;
  readonly inputs: B;
  readonly params: P;
  readonly results: Q;
  /** What runs once before and after all blocks. */
  readonly prolog: Functor<'block'> | null;
  readonly epilog: Functor<'block'> | null;
}
