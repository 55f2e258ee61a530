// Names of version 0.1.0, which has British spelling.
import { NeighborList, type NeighborListKind } from './neighbor/NeighborList.js';
import { NeighborLists } from './neighbor/NeighborLists.js';

/** The old name of `NeighborList`. @deprecated Use `NeighborList`. */
export const NeighbourList = NeighborList;
/** The old name of `NeighborList`. @deprecated Use `NeighborList`. */
export type NeighbourList = NeighborList;

/** The old name of `NeighborListKind`. @deprecated Use `NeighborListKind`. */
export type NeighbourListKind = NeighborListKind;

/** The old name of `NeighborLists`. @deprecated Use `NeighborLists`. */
export const NeighbourLists = NeighborLists;
/** The old name of `NeighborLists`. @deprecated Use `NeighborLists`. */
export type NeighbourLists = NeighborLists;
