import type { Grid } from '@corpuscle/core';
import type { NeighborCall, Plan } from '../../plan/calls.js';
import { strainOf } from '../box/DeviceStrain.js';
import { type Extent, frameCovers } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import type { DeviceLists } from './DeviceLists.js';
import { type EntryFormat, entryFormat, mostRows, NEAR, OF_CELLS, RARE } from './EntryFormat.js';
import type { InPlaceBuilder } from './InPlaceBuilder.js';
import { widestIn } from './ListBuilder.js';
import { isClosed, listFrame, PARTS, WIDER } from './listFrame.js';

/** The radius stays this much below a whole number of periodic heights, so that their images suffice whatever is rounded. */
const THIN = 1 - 1e-4;

/** Skins that lists reach which are built in place. */
const FARTHER = 1.5;

/** Cutoffs along a box in which cells tell images: more than twice the cells that lists reach, whose skin is less than the cutoff. */
const WIDE = 6;

/** From so many particles on, most have no neighbor that is an image. */
const MANY = 2 ** 15;

/** A grid, and how far its lists shall reach. */
export type ListCall = Pick<Plan<NeighborCall>, 'grid' | 'rcut' | 'skin'>;

/** Chooses how far lists reach, in which cells, and what their entries tell. */
export class ListReach {
  readonly #residency: Residency;
  /** What builds lists in place; asked when it is needed. */
  readonly #inPlace: () => InPlaceBuilder;
  /** Grids whose particles lie at the ends of the region of another. */
  readonly #regions = new WeakMap<Grid, Grid>();
  /**
   * Skins that lists reach which are built in place: they serve longer, and the many threads of a particle hardly walk a longer
   * way. Replicas that share a device have few threads a particle.
   */
  farther = FARTHER;
  /** From so many particles on, kernels look first whether a neighbor is an image. */
  manyFrom = MANY;
  /** Up to so many particles entries of lists tell images. */
  mostWithImages = mostRows(NEAR);

  constructor(residency: Residency, inPlace: () => InPlaceBuilder) {
    this.#residency = residency;
    this.#inPlace = inPlace;
  }

  /** See `Neighbors.setRegion`. */
  setRegion(grid: Grid, other: Grid): void {
    this.#regions.set(grid, other);
  }

  /** Images as far as the widest radius of this cutoff. */
  formatFor(grid: Grid, rcut: number): EntryFormat {
    const box = this.#residency.boxOf(grid);
    const format = entryFormat(box.imageReach(THIN * box.widestRadius(rcut)));
    if (format !== NEAR || grid.count < this.manyFrom) return format;
    const isWide = Math.min(...box.heights) >= WIDE * rcut;
    return grid.count > this.mostWithImages && isWide ? OF_CELLS : RARE;
  }

  /**
   * Makes lists ready for a sort of the particles.
   * @param when `now`: the extent is that of the particles as they are; `ahead`: lists are made without waiting.
   */
  set(
    lists: DeviceLists,
    { grid, rcut, skin }: ListCall,
    extent: Extent,
    when: 'now' | 'ahead',
  ): void {
    const wider = when === 'ahead' ? WIDER : 1;
    const box = this.#residency.boxOf(grid);
    const near = nearOf(grid, rcut);
    const isSame = lists.near === near && lists.skin === skin && lists.wider === wider;
    // Frames along open axes follow the particles.
    const isSettled =
      lists.frame?.domain === box &&
      lists.count === grid.count &&
      isClosed(box) &&
      !lists.isOfOtherBox;
    lists.isOfOtherBox = false;
    lists.rcut = rcut;
    lists.near = near;
    lists.skin = skin;
    lists.wider = wider;
    lists.count = grid.count;
    if (!isSame || !isSettled) this.#choose(grid, lists, extent);
    lists.isInside = isClosed(box) || (when === 'now' && frameCovers(lists.frame!, extent));
  }

  #choose(grid: Grid, lists: DeviceLists, extent: Extent): void {
    const { near, skin, wider } = lists;
    const box = this.#residency.boxOf(grid);
    const widest = box.widestRadius(near);
    const { count } = grid;
    const farther = Math.min(near + this.farther * skin, this.#inPlace().farthest(count, box));
    const radius = Math.min(Math.max(near + skin, farther), THIN * widest);
    const room = Math.max(count, this.#regions.get(grid)?.count ?? 0);
    lists.frame = listFrame(lists, { box, extent, radius, count, room });
    const most = Math.min(widest, widestIn(lists.frame, PARTS));
    lists.radius = Math.max(radius, Math.min(near + wider * skin, THIN * most));
    lists.effectiveSkin = lists.radius - near;
    lists.format = this.formatFor(grid, near);
  }
}

/** A cutoff as a distance in the box that positions refer to. */
export const nearOf = (grid: Grid, rcut: number): number =>
  rcut * (1 + (strainOf(grid)?.allowance ?? 0));
