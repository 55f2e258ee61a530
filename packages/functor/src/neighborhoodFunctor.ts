import { defineFunctor } from './defineFunctor.js';
import type { Functor, NeighborhoodFunctor } from './Functor.js';
import type { FunctorSpec } from './FunctorSpec.js';
import { type NeighborFields, withNeighbor } from './neighborFields.js';
import type {
  ConstantSchema,
  Empty,
  FieldSchema,
  FieldType,
  GradientSchema,
  HelperSchema,
  HelperView,
  NeighborBuffer,
  ParamSchema,
  ParamView,
  Reading,
  Writing,
} from './schema.js';
import type { Traits } from './Traits.js';

/** The declaration of a functor of whole neighborhoods. */
export interface NeighborhoodSpec<C, R, N, S, W, P, H, K> extends NeighborFields<N> {
  readonly name: string;
  /** Outputs of the central particle, read and written. */
  readonly central: C;
  /** Fields of the central particle that are only read. */
  readonly read?: R;
  /** Outputs that neighbors receive, by `+=` and `-=` only. */
  readonly scatter?: S;
  /** Values of your own for each neighbor, read and written; they start undefined and are gone after the call. */
  readonly work?: W;
  /**
   * Forces and virials, declared in `central`, that the function does not write: they follow from the energy `of`, which it only
   * adds to. Neighbors receive their share of the forces without `scatter`.
   */
  readonly gradient?: GradientSchema<keyof C & string>;
  readonly params?: P;
  readonly helpers?: H;
  readonly constants?: K;
  readonly traits?: Traits;
}

/**
 * Declares and compiles a functor for potentials of three and more particles: it is called once for every particle `i`, with
 * a buffer of all its neighbors within the cutoff, in any order. Also particles without neighbors are visited.
 *
 *   b.count                                  number of neighbors
 *   b.dx[k] b.dy[k] b.dz[k] b.r2[k]          r_i − r_k and its square, k = 0 … count − 1
 *   b.type[k] …                              fields declared in `neighbor`
 *   b.fx[k] += …                             outputs declared in `scatter`: added to field fx of neighbor k
 *   b.g[k]                                   values declared in `work`, to be computed once and read often
 *
 * @param fn `(i, b, p, h, c)`: central particle, buffer, parameters, helpers, constants
 * @throws CorpuscleError FUNCTOR_* with the source line when something cannot be compiled
 * @example
 * const threeBody = neighborhoodFunctor(
 *   { name: 'three_body', central: { ep: 'real' }, params: { k: 'real' } },
 *   (i, b, p) => {
 *     for (let j = 0; j < b.count; j++)
 *       for (let k = j + 1; k < b.count; k++) {
 *         const dot = b.dx[j]! * b.dx[k]! + b.dy[j]! * b.dy[k]! + b.dz[j]! * b.dz[k]!;
 *         i.ep += p.k * dot * dot;
 *       }
 *   },
 * );
 */
export function neighborhoodFunctor<
  const C extends FieldSchema,
  const R extends FieldSchema = Empty,
  const N extends FieldSchema = Empty,
  const S extends FieldSchema = Empty,
  const W extends FieldSchema = Empty,
  const P extends ParamSchema = Empty,
  H extends HelperSchema = Empty,
  const K extends ConstantSchema = Empty,
>(
  spec: NeighborhoodSpec<C, R, N, S, W, P, H, K>,
  fn: (
    i: Writing<C> & Reading<R>,
    b: NeighborBuffer<N, S, W>,
    p: ParamView<P>,
    h: HelperView<H>,
    c: Reading<K>,
  ) => void,
): NeighborhoodFunctor<C & S, P> {
  const { central, params, gradient } = spec;
  const shares = Object.fromEntries((gradient?.into ?? []).map((name) => [name, 'real' as const]));
  const scatter = { ...spec.scatter, ...shares } as S;
  const erased = {
    ...withNeighbor(spec),
    kind: 'neighborhood' as const,
    read: spec.read ?? {},
    scatter,
    work: spec.work ?? {},
    traits: { ...spec.traits, bufferless: false },
  };
  const functor = defineFunctor('neighborhood', erased, fn, neighborhoodFunctor, () => ({
    outputs: { ...central, ...scatter },
    params: params ?? ({} as P),
  }));
  if (!gradient) return functor;
  let whole: FunctorSpec | null = null;
  const get = () => {
    whole ??= { ...erased, work: workOf(functor) };
    return whole;
  };
  return Object.defineProperty(functor, 'spec', { get, enumerable: true });
}

/** Values of a functor's own for each neighbor, with those that its derivatives need. */
function workOf({ ir }: Functor): FieldSchema {
  const own = Object.entries(ir?.roles.n ?? {}).filter(
    ([, field]) => field.writable && !field.collects,
  );
  return Object.fromEntries(own.map(([name, { type }]) => [name, type as FieldType]));
}
