import type { FieldSchema, ParamSchema } from '@corpuscle/functor';
import type { Expr, Stmt } from '@corpuscle/functor/ir';
import type { ParameterValues } from '../calls.js';

/** Something that a call adds to its functor: statements before it, and what they read. */
export interface Adaptation {
  /** Equal keys mean equal statements and symmetry; numbers travel as parameters. */
  readonly key: string;
  readonly central?: FieldSchema;
  readonly neighbor?: FieldSchema;
  readonly params: ParamSchema;
  readonly values: ParameterValues;
  /** Whether i and j enter alike, so that a pair may be visited once. */
  readonly symmetric: boolean;
  /** Made once for each functor and key. */
  statements(): AdaptedStatements;
}

export interface AdaptedStatements {
  /** Depends on the central particle only: leaves where it does not take part at all. */
  readonly particle?: readonly Stmt[];
  /** Leaves where the pair does not count. */
  readonly before?: readonly Stmt[];
  /** Stands for components of `d` in what follows. */
  readonly displacement?: Readonly<Record<'x' | 'y' | 'z' | 'r2', Expr>>;
  /** Multiplies what the pair adds to its outputs. */
  readonly weight?: Expr;
}
