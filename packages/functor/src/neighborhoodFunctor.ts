import { defineFunctor } from './defineFunctor.js';
import type { NeighborhoodFunctor } from './Functor.js';
import { type NeighborFields, withNeighbor } from './neighborFields.js';
import type {
  ConstantSchema,
  Empty,
  FieldSchema,
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
  const { central, params } = spec;
  const scatter = spec.scatter ?? ({} as S);
  const erased = {
    ...withNeighbor(spec),
    kind: 'neighborhood' as const,
    read: spec.read ?? {},
    scatter,
    work: spec.work ?? {},
    traits: { ...spec.traits, bufferless: false },
  };
  return {
    ...defineFunctor('neighborhood', erased, fn, neighborhoodFunctor),
    outputs: { ...central, ...scatter },
    params: params ?? ({} as P),
  };
}
