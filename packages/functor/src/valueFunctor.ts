import { defineFunctor } from './defineFunctor.js';
import { CorpuscleError } from './error/CorpuscleError.js';
import { fromCaller } from './error/fromCaller.js';
import type { CellFunctor } from './Functor.js';
import type { FunctorSpec } from './FunctorSpec.js';
import type {
  ConstantSchema,
  Empty,
  HelperSchema,
  HelperView,
  ParamSchema,
  ParamView,
  Reading,
  Writing,
} from './schema.js';

/** Names of values: all are real numbers. */
export type ValueNames = Readonly<Record<string, 'real'>>;

/** The declaration of a value functor. */
export interface ValueSpec<V, P, H, K> {
  readonly name: string;
  /** Values read and written. */
  readonly values: V;
  readonly params?: P;
  readonly helpers?: H;
  readonly constants?: K;
}

/** A functor that computes with values of a context; `V` are the values, `P` the parameters. */
export interface ValueFunctor<
  V extends ValueNames = ValueNames,
  P extends ParamSchema = ParamSchema,
> {
  readonly name: string;
  readonly values: V;
  /** What engines compile: values are the fields of its only particle. */
  readonly cell: CellFunctor<V, P>;
}

/**
 * Declares and compiles a functor that computes with a few dozen values of an execution context, on one lane: local
 * arrays, loops and branches are allowed, and nothing travels to the host.
 *
 * @param fn `(v, p, h, c)`: values, parameters, helpers, constants
 * @throws CorpuscleError FUNCTOR_* with the source line when something cannot be compiled
 * @example
 * const rescale = valueFunctor(
 *   { name: 'rescale', values: { twiceKinetic: 'real', scale: 'real' }, params: { target: 'real' } },
 *   (v, p) => { v.scale = Math.sqrt(p.target / v.twiceKinetic); },
 * );
 */
export function valueFunctor<
  const V extends ValueNames,
  const P extends ParamSchema = Empty,
  H extends HelperSchema = Empty,
  const K extends ConstantSchema = Empty,
>(
  spec: ValueSpec<V, P, H, K>,
  fn: (v: Writing<V>, p: ParamView<P>, h: HelperView<H>, c: Reading<K>) => void,
): ValueFunctor<V, P> {
  const { values, params, ...rest } = spec;
  for (const [name, type] of Object.entries<string>(values ?? {}))
    if (type !== 'real')
      throw fromCaller(
        new CorpuscleError(
          'FUNCTOR_NAME',
          `value '${name}' of functor '${spec.name}' is ${type}, but values of a context are real: declare it real`,
        ),
        valueFunctor,
      );
  const erased = { ...rest, params, kind: 'cell', fields: values, read: {} } as FunctorSpec;
  const cell: CellFunctor<V, P> = defineFunctor('cell', erased, fn, valueFunctor, () => ({
    outputs: values,
    params: params ?? ({} as P),
  }));
  return { name: spec.name, values, cell };
}
