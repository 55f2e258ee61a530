import { defineFunctor } from './defineFunctor.js';
import type { NeighbourhoodFunctor } from './Functor.js';
import type {
  ConstantSchema,
  Empty,
  FieldSchema,
  HelperSchema,
  HelperView,
  NeighbourBuffer,
  ParamSchema,
  ParamView,
  Reading,
  Writing,
} from './schema.js';
import type { Traits } from './Traits.js';

/** The declaration of a functor of whole neighbourhoods. */
export interface NeighbourhoodSpec<C, R, N, S, W, P, H, K> {
  readonly name: string;
  /** Outputs of the central particle, read and written. */
  readonly central: C;
  /** Fields of the central particle that are only read. */
  readonly read?: R;
  /** Fields of the neighbours, packed into the buffer. */
  readonly neighbour?: N;
  /** Outputs that neighbours receive, by `+=` and `-=` only. */
  readonly scatter?: S;
  /** Values of your own for each neighbour, read and written; they start undefined and are gone after the call. */
  readonly work?: W;
  readonly params?: P;
  readonly helpers?: H;
  readonly constants?: K;
  readonly traits?: Traits;
}

/**
 * Declares and compiles a functor for potentials of three and more particles: it is called once for every particle `i`, with
 * a buffer of all its neighbours within the cutoff, in any order. Also particles without neighbours are visited.
 *
 *   b.count                                  number of neighbours
 *   b.dx[k] b.dy[k] b.dz[k] b.r2[k]          r_i − r_k and its square, k = 0 … count − 1
 *   b.type[k] …                              fields declared in `neighbour`
 *   b.fx[k] += …                             outputs declared in `scatter`: added to field fx of neighbour k
 *   b.g[k]                                   values declared in `work`, to be computed once and read often
 *
 * @param fn `(i, b, p, h, c)`: central particle, buffer, parameters, helpers, constants
 * @throws CorpuscleError FUNCTOR_* with the source line when something cannot be compiled
 * @example
 * const threeBody = neighbourhoodFunctor(
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
export function neighbourhoodFunctor<
  const C extends FieldSchema,
  const R extends FieldSchema = Empty,
  const N extends FieldSchema = Empty,
  const S extends FieldSchema = Empty,
  const W extends FieldSchema = Empty,
  const P extends ParamSchema = Empty,
  H extends HelperSchema = Empty,
  const K extends ConstantSchema = Empty,
>(
  spec: NeighbourhoodSpec<C, R, N, S, W, P, H, K>,
  fn: (
    i: Writing<C> & Reading<R>,
    b: NeighbourBuffer<N, S, W>,
    p: ParamView<P>,
    h: HelperView<H>,
    c: Reading<K>,
  ) => void,
): NeighbourhoodFunctor<C & S, P> {
  const { central, params } = spec;
  const scatter = spec.scatter ?? ({} as S);
  const erased = {
    ...spec,
    kind: 'neighbourhood' as const,
    read: spec.read ?? {},
    neighbour: spec.neighbour ?? {},
    scatter,
    work: spec.work ?? {},
    traits: { ...spec.traits, bufferless: false },
  };
  return {
    ...defineFunctor('neighbourhood', erased, fn, neighbourhoodFunctor),
    outputs: { ...central, ...scatter },
    params: params ?? ({} as P),
  };
}
