import type { SharedHeap } from '../memory/SharedHeap.js';
import { NeighborList, type NeighborListKind } from './NeighborList.js';

/**
 * The neighbor lists of one grid, half and full side by side; an engine builds a kind when a pattern first asks
 * for it. Both come from the same sort: when `sortVersion` differs from the grid's, every list is stale.
 *
 * Lengths are in simulation units. `radius` = rcut + skin is what was searched for; a list may hold a few pairs
 * more (never fewer), and pairs count only when r < rcut.
 */
export class NeighborLists {
  /** Cutoff the lists are exact for, while no particle has moved more than skin / 2. */
  rcut = 0;
  /** The skin in force; smaller than the one asked for where the box is thin. */
  skin = 0;
  /** `Grid.sortVersion` at the build; −1 when there is none. */
  sortVersion = -1;
  #heap: SharedHeap;
  #lists = new Map<NeighborListKind, NeighborList>();

  constructor(heap: SharedHeap) {
    this.#heap = heap;
  }

  /** Search radius, rcut + skin. */
  get radius(): number {
    return this.rcut + this.skin;
  }

  /** The list of a kind, or undefined when it was not built since the last sort. */
  get(kind: NeighborListKind): NeighborList | undefined {
    const list = this.#lists.get(kind);
    return list && this.#built.has(kind) ? list : undefined;
  }
  #built = new Set<NeighborListKind>();

  /** The list of a kind for an engine to fill; memory of earlier builds is reused. */
  open(kind: NeighborListKind): NeighborList {
    let list = this.#lists.get(kind);
    if (!list) {
      list = new NeighborList(this.#heap, kind);
      this.#lists.set(kind, list);
    }
    this.#built.add(kind);
    return list;
  }

  /** Declares every list stale; their memory is kept for the next build. */
  drop(): void {
    this.#built.clear();
    this.sortVersion = -1;
  }

  /** Gives all lists back to the heap. */
  free(): void {
    for (const list of this.#lists.values()) list.free();
    this.#lists.clear();
    this.drop();
  }
}
