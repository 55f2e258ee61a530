import { defineFunctor } from './defineFunctor.js';
import type { PairFunctor } from './Functor.js';
import { type NeighborFields, withNeighbor } from './neighborFields.js';
import type {
  ConstantSchema,
  DerivedSchema,
  Displacement,
  Empty,
  FieldSchema,
  GradientSchema,
  HelperSchema,
  HelperView,
  ParamSchema,
  ParamView,
  Reading,
  WithDerived,
  Writing,
} from './schema.js';
import type { Traits } from './Traits.js';

/** The declaration of a pair functor. */
export interface PairSpec<C, R, N, P, H, K, X = Empty, D = Empty> extends NeighborFields<N> {
  readonly name: string;
  /** Outputs of the central particle, read and written; only `+=` and `-=` lets lanes run across neighbors. */
  readonly central: C;
  /**
   * More outputs, which the function does not write: they follow from what it adds to others. `{ vxx: { of: 'fx', along: 'x',
   * factor: 0.5 } }` adds half of d.x times each force along x to vxx.
   */
  readonly derived?: D;
  /**
   * Forces and virials, declared in `central`, that the function does not write: they follow from the energy `of`, which it only
   * adds to: the particle's half of what the pair has, the same for both. The force is −2 ∂e/∂d, a virial half of d_a F_b.
   */
  readonly gradient?: GradientSchema<keyof C & string>;
  /** Fields of the central particle that are only read. */
  readonly read?: R;
  readonly params?: P;
  readonly helpers?: H;
  readonly constants?: K;
  readonly traits?: Traits;
  readonly wgsl?: string;
  /** Numbers of your own for each central particle while its neighbors are visited; they start as 0. */
  readonly context?: X;
  /** Called before a particle's neighbors. */
  readonly contextStart?: ContextHook<C, R, P, H, K, X>;
  /** Called after them, also where there are none. */
  readonly contextStop?: ContextHook<C, R, P, H, K, X>;
}

/** `(x, i, p, h, c)`: context, central particle, parameters, helpers, constants. */
export type ContextHook<C, R, P, H, K, X> = (
  x: Writing<X>,
  i: Writing<C> & Reading<R>,
  p: ParamView<P>,
  h: HelperView<H>,
  c: Reading<K>,
) => void;

/**
 * Declares and compiles a functor of pairs: it is called for every central particle `i` and each neighbor `j` within the
 * cutoff, in any order.
 *
 * @param fn `(i, j, d, p, h, c, x)`: central particle, neighbor, displacement r_i − r_j, parameters, helpers, constants,
 *   and the private context, where one is declared
 * @throws CorpuscleError FUNCTOR_* with the source line when something cannot be compiled
 * @example
 * const spring = pairFunctor(
 *   { name: 'spring', central: { fx: 'real' }, params: { k: 'real' } },
 *   (i, _j, d, p) => { i.fx -= p.k * d.x; },
 * );
 * const springOfEnergy = pairFunctor(
 *   {
 *     name: 'spring_of_energy',
 *     central: { ep: 'real', fx: 'real', fy: 'real', fz: 'real' },
 *     gradient: { of: 'ep', into: ['fx', 'fy', 'fz'] },
 *     params: { k: 'real' },
 *   },
 *   (i, _j, d, p) => { i.ep += 0.25 * p.k * d.r2; },
 * );
 */
export function pairFunctor<
  const C extends FieldSchema,
  const R extends FieldSchema = Empty,
  const N extends FieldSchema = Empty,
  const P extends ParamSchema = Empty,
  H extends HelperSchema = Empty,
  const K extends ConstantSchema = Empty,
  const X extends FieldSchema = Empty,
  const D extends DerivedSchema<keyof C> = Empty,
>(
  spec: PairSpec<C, R, N, P, H, K, X, D>,
  fn: (
    i: Writing<C> & Reading<R>,
    j: Reading<N>,
    d: Displacement,
    p: ParamView<P>,
    h: HelperView<H>,
    c: Reading<K>,
    x: Writing<X>,
  ) => void,
): PairFunctor<WithDerived<C, D>, P> {
  const { params } = spec;
  const derived = (spec.derived ?? {}) as DerivedSchema;
  const fields = Object.fromEntries(Object.keys(derived).map((name) => [name, 'real' as const]));
  const central = { ...spec.central, ...fields };
  const erased = {
    ...withNeighbor(spec),
    kind: 'pair' as const,
    derived,
    read: spec.read ?? {},
  };
  return defineFunctor('pair', erased, fn, pairFunctor, () => ({
    spec: { ...erased, central },
    outputs: central as WithDerived<C, D>,
    params: params ?? ({} as P),
  }));
}
