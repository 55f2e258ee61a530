// Names of version 0.1.0, which has British spelling.
import type { NeighborhoodFunctor } from './Functor.js';
import { type NeighborhoodSpec, neighborhoodFunctor } from './neighborhoodFunctor.js';
import type { Empty, FieldSchema, NeighborBuffer, ParamSchema } from './schema.js';

/** The old name of `neighborhoodFunctor`. @deprecated Use `neighborhoodFunctor`. */
export const neighbourhoodFunctor = neighborhoodFunctor;

/** The old name of `NeighborBuffer`. @deprecated Use `NeighborBuffer`. */
export type NeighbourBuffer<N, S, W = Empty> = NeighborBuffer<N, S, W>;

/** The old name of `NeighborhoodFunctor`. @deprecated Use `NeighborhoodFunctor`. */
export type NeighbourhoodFunctor<
  C extends FieldSchema = FieldSchema,
  P extends ParamSchema = ParamSchema,
> = NeighborhoodFunctor<C, P>;

/** The old name of `NeighborhoodSpec`. @deprecated Use `NeighborhoodSpec`. */
export type NeighbourhoodSpec<C, R, N, S, W, P, H, K> = NeighborhoodSpec<C, R, N, S, W, P, H, K>;
