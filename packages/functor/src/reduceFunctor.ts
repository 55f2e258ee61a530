import { defineFunctor } from './defineFunctor.js';
import type { ReduceFunctor } from './Functor.js';
import type { FunctorSpec } from './FunctorSpec.js';
import { isStructured, reductionOf } from './reduction/Reduction.js';
import type {
  Accumulators,
  ConstantSchema,
  Empty,
  FieldSchema,
  HelperSchema,
  HelperView,
  ParamSchema,
  ParamView,
  Reading,
  ResultSchema,
} from './schema.js';
import type { Traits } from './Traits.js';

/** The declaration of a reduction. */
export interface ReduceSpec<A, R, P, H, K, C = Empty> {
  readonly name: string;
  /**
   * Results and how they combine: `sum` is written `acc.x += e`, `max` is `acc.x = Math.max(acc.x, e)`, `min` alike;
   * `argmax` and `argmin` are written in the same way and also tell the particle; `sum[n]` is a histogram, `acc.x[k] += e`;
   * `real` and `real[n]` are whatever the functor makes of them, and `combine` joins two.
   */
  readonly result: A;
  /** Fields read. */
  readonly read: R;
  /** Values of fields that a grid may lack. */
  readonly defaults?: { readonly [N in keyof R]?: number };
  /** Fields computed from others wherever they are read: `{ speed: ({ vx, vy, vz }) => Math.hypot(vx, vy, vz) }`. */
  readonly computed?: { readonly [N in keyof C]: (i: Reading<R>) => number };
  /** Starting values of results declared `real` or `real[n]`: joining one changes nothing. Default 0. */
  readonly identity?: Readonly<Record<string, number | readonly number[]>>;
  /** Joins the `real` results of two groups of particles, in any grouping: `(into, other, h, c) => { into.n += other.n; }`. */
  readonly combine?: (
    into: Accumulators<A>,
    other: Accumulators<A>,
    h: HelperView<H>,
    c: Reading<K>,
  ) => void;
  readonly params?: P;
  readonly helpers?: H;
  readonly constants?: K;
  readonly traits?: Traits;
  readonly wgsl?: string;
}

/**
 * Declares and compiles a reduction over all particles. The order of particles is not fixed, so the accumulator can be
 * added to but not read.
 *
 * @param fn `(acc, i, p, h, c)`: accumulator, particle, parameters, helpers, constants
 * @throws CorpuscleError FUNCTOR_* with the source line when something cannot be compiled
 * @example
 * const sumForce = reduceFunctor(
 *   { name: 'sum_force', result: { norm: 'sum' }, read: { fx: 'real', fy: 'real', fz: 'real' } },
 *   (acc, i) => { acc.norm += Math.hypot(i.fx, i.fy, i.fz); },
 * );
 */
export function reduceFunctor<
  const A extends ResultSchema,
  const R extends FieldSchema = Empty,
  const P extends ParamSchema = Empty,
  H extends HelperSchema = Empty,
  const K extends ConstantSchema = Empty,
  const C extends Readonly<Record<string, unknown>> = Empty,
>(
  spec: ReduceSpec<A, R, P, H, K, C>,
  fn: (
    acc: Accumulators<A>,
    i: Reading<R> & Reading<C>,
    p: ParamView<P>,
    h: HelperView<H>,
    c: Reading<K>,
  ) => void,
): ReduceFunctor<A, P> {
  const { result, params } = spec;
  const erased = { ...spec, kind: 'reduce' as const } as Extract<FunctorSpec, { kind: 'reduce' }>;
  const functor: ReduceFunctor<A, P> = defineFunctor('reduce', erased, fn, reduceFunctor, () => ({
    outputs: result,
    params: params ?? ({} as P),
  }));
  if (isStructured(functor)) reductionOf(functor); // what is wrong with combine is said here
  return functor;
}
