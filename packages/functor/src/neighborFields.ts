import { CorpuscleError } from './error/CorpuscleError.js';

/** Fields of neighbors, as a declaration may name them. */
export interface NeighborFields<N> {
  /** Fields of the neighbor, only read; in a buffer of neighbors they are packed. */
  readonly neighbor?: N;
  /** @deprecated Use `neighbor`. */
  readonly neighbour?: N;
}

/**
 * The declaration with its fields under `neighbor` alone.
 * @throws CorpuscleError FUNCTOR_NAME when both spellings are given
 */
export function withNeighbor<S extends NeighborFields<object> & { readonly name: string }>(
  spec: S,
): Omit<S, 'neighbor' | 'neighbour'> & {
  readonly neighbor: NonNullable<S['neighbor']> | Record<never, never>;
} {
  const { neighbor, neighbour, ...rest } = spec;
  if (neighbor && neighbour)
    throw new CorpuscleError(
      'FUNCTOR_NAME',
      `functor '${spec.name}' declares neighbor and neighbour: keep neighbor, neighbour is its old name`,
    );
  return { ...rest, neighbor: neighbor ?? neighbour ?? {} };
}
