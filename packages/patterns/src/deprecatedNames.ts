// Names of version 0.1.0, which has British spelling.
import {
  type NeighborOptions,
  prepareNeighborLists,
  updateNeighbors,
} from './pattern/updateNeighbors.js';
import type { NeighborCall, NeighborUpdate } from './plan/calls.js';

export {
  type NeighbourBuffer,
  type NeighbourhoodFunctor,
  type NeighbourhoodSpec,
  neighbourhoodFunctor,
} from '@corpuscle/functor';

/** The old name of `updateNeighbors`. @deprecated Use `updateNeighbors`. */
export const updateNeighbours = updateNeighbors;

/** The old name of `prepareNeighborLists`. @deprecated Use `prepareNeighborLists`. */
export const prepareNeighbourLists = prepareNeighborLists;

/** The old name of `NeighborOptions`. @deprecated Use `NeighborOptions`. */
export type NeighbourOptions = NeighborOptions;

/** The old name of `NeighborCall`. @deprecated Use `NeighborCall`. */
export type NeighbourCall = NeighborCall;

/** The old name of `NeighborUpdate`. @deprecated Use `NeighborUpdate`. */
export type NeighbourUpdate = NeighborUpdate;
