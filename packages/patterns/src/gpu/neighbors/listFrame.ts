import type { Domain } from '@corpuscle/core';
import {
  type Extent,
  frameCovers,
  makeFrame,
  type PositionFrame,
} from '../residency/PositionFrame.js';
import type { DeviceLists } from './DeviceLists.js';
import { reachOf, widestIn } from './ListBuilder.js';

/**
 * Cells in a list radius along each axis. Particles that follow each other in memory then lie in a compact piece of a row
 * of cells and share most neighbors, which caches reward; along a row the search leaves out what is too far.
 */
export const PARTS = [8, 1, 1] as const;
/** Lists that are made without waiting reach a little farther, where that costs nothing to search: they serve longer. */
export const WIDER = 1.1;
/** Fewer particles have cells twice as long: one workgroup counts them. */
const FEW = 2 ** 16;

/** What a frame of lists is made for. */
interface FrameNeeds {
  readonly box: Domain;
  readonly extent: Extent;
  /** How far lists reach. */
  readonly radius: number;
  readonly count: number;
  /** Particles that cells shall be enough for. */
  readonly room: number;
}

/** Whether a box is periodic along all axes. */
export const isClosed = ({ periodic }: Domain): boolean => !periodic.includes(false);

/** The frame in use if it still serves, so that positions keep their last bit; otherwise a new one. */
export function listFrame(
  lists: DeviceLists,
  { box, extent, radius, count, room }: FrameNeeds,
): PositionFrame {
  const mostCells = 64 + 2 * room;
  const open = !isClosed(box);
  const { frameMadeFor: made } = lists;
  const isSame = made.radius === radius && made.mostCells === mostCells;
  if (!open && lists.frame?.domain === box && isSame) return lists.frame;
  lists.frameMadeFor = { radius, mostCells };
  const along = count < FEW ? Math.ceil(PARTS[0] / 2) : PARTS[0];
  const frameOf = (reach: number): PositionFrame =>
    makeFrame(box, extent, [reach / along, radius / PARTS[1], radius / PARTS[2]], mostCells);
  // Across, cells are wider than they need to be, since a whole number of them fills the box; along x they shall not be
  // what keeps wider lists from using that.
  const across = widestIn(frameOf(radius), [Infinity, PARTS[1], PARTS[2]]);
  const fresh = frameOf(Math.max(radius, Math.min(lists.near + WIDER * lists.skin, across)));
  const present = lists.frame;
  const asFresh = reachOf(fresh, radius); // more parts than wanted where the box is thinner than the radius
  const serves =
    present !== null &&
    present.domain === box &&
    reachOf(present, radius).every((reach, k) => reach <= Math.max(PARTS[k]!, asFresh[k]!)) &&
    (open
      ? frameCovers(present, extent) &&
        present.dims.every((cells, k) => cells <= fresh.dims[k]! + 4)
      : present.dims.every((cells, k) => cells === fresh.dims[k]));
  return serves ? present : fresh;
}
