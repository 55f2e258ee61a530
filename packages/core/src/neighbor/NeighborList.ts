import type { SharedHeap } from '../memory/SharedHeap.js';

/** `half`: each pair once. `full`: each pair from both sides. */
export type NeighborListKind = 'half' | 'full';

/** The part of a list that one thread builds and one later works on. */
export interface ListSegment {
  /** Address of `entryCapacity` entries of four i32: {i, image, j0, j1}. */
  entries: number;
  entryCapacity: number;
  /** Entries from the front on; in half lists those that name rows of this segment only. */
  entryCount: number;
  /** Half lists: address and number of the entries that name rows of other segments, too. They end where the capacity does. */
  border: number;
  borderCount: number;
  /** Address of `indexCapacity` i32 row numbers. */
  indices: number;
  indexCapacity: number;
  indexCount: number;
  /** The row that pads its runs. */
  padding: number;
  /**
   * Half lists: rows that entries at the border name, as central particle or neighbor. Full lists: rows that entries may name.
   * Ranges do not overlap.
   */
  borderRows: readonly RowRange[];
}

/** Rows first … end − 1. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Entries side by side, which one thread works on. */
export interface ListPiece {
  readonly segment: number;
  readonly address: number;
  readonly count: number;
  /** Whether other segments' rows are named. */
  readonly isBorder: boolean;
}

/**
 * A neighbor list in the shared heap, one segment per thread, or a fixed number where runs are deterministic:
 *
 *   entries  [ i image j0 j1 | i image j0 j1 | …   … | i image j0 j1 ]     one entry per image that i meets
 *              own rows only, i ascending ──►         ◄── rows of other segments, too: the border of half lists
 *   indices  [ j j j · | j j j j j · · · | … ]            run j0 … j1−1 of an entry, padded (·) to a multiple of 4
 *
 * The image's shift is added to the central particle: d = r_i + shift(image) − r_j. Padding names rows after
 * the last particle, whose positions are far outside, so that kernels may treat them as neighbors out of reach. Each segment
 * has one of its own, so that threads do not write the same line of memory.
 * A half list holds (i, j, image) once: j lies in a slab of cells above that of i, moved to the image, or follows i in the same slab.
 * Slabs are layers of cells on few threads. On many they are thicker, and a segment is a bar in one of them.
 * In boxes thinner than the cutoff a neighbor has entries at several images, and so has i itself.
 */
export class NeighborList {
  readonly kind: NeighborListKind;
  readonly segments: ListSegment[] = [];
  #heap: SharedHeap;

  constructor(heap: SharedHeap, kind: NeighborListKind) {
    this.#heap = heap;
    this.kind = kind;
  }

  /** Number of entries over all segments. */
  get entryCount(): number {
    return this.pieces().reduce((sum, { count }) => sum + count, 0);
  }
  /** Number of index slots over all segments, padding included. */
  get indexCount(): number {
    return this.segments.reduce((sum, segment) => sum + segment.indexCount, 0);
  }

  /** Where the entries are: a piece for each segment, and in half lists of several segments one for its border. */
  pieces(): ListPiece[] {
    const hasBorders = this.kind === 'half' && this.segments.length > 1;
    return this.segments.flatMap((of, segment): ListPiece[] => {
      const own = { segment, address: of.entries, count: of.entryCount, isBorder: false };
      const border = { segment, address: of.border, count: of.borderCount, isBorder: true };
      return hasBorders ? [own, border] : [own];
    });
  }

  /** A segment with room for at least the given numbers; what it held is lost when it must grow. */
  reserve(part: number, entryCapacity: number, indexCapacity: number): ListSegment {
    while (this.segments.length <= part) this.segments.push(emptySegment());
    const segment = this.segments[part]!;
    if (segment.entryCapacity < entryCapacity) {
      this.#heap.free(segment.entries);
      segment.entries = segment.entryCapacity = segment.entryCount = 0;
      segment.entries = this.#heap.allocate(16 * entryCapacity);
      segment.entryCapacity = entryCapacity;
    }
    if (segment.indexCapacity < indexCapacity) {
      this.#heap.free(segment.indices);
      segment.indices = segment.indexCapacity = segment.indexCount = 0;
      segment.indices = this.#heap.allocate(4 * indexCapacity);
      segment.indexCapacity = indexCapacity;
    }
    return segment;
  }

  /** Visits every listed pair, also those between rcut and the list radius; padding is left out. */
  forEachPair(visit: (i: number, j: number, image: number) => void): void {
    const { padding } = this;
    for (const { segment, address, count } of this.pieces()) {
      const entries = this.#heap.i32(address, 4 * count);
      const { indices: first, indexCount } = this.segments[segment]!;
      const indices = this.#heap.i32(first, indexCount);
      for (let e = 0; e < entries.length; e += 4) {
        for (let k = entries[e + 2]!; k < entries[e + 3]!; k++) {
          const j = indices[k]!;
          if (j < padding) visit(entries[e]!, j, entries[e + 1]!);
        }
      }
    }
  }

  /** Rows from here on pad runs: the number of particles at the time of the build. */
  padding = 0;

  /** Images that entries may name are 0 … images − 1; see `Domain.image`. */
  images = 27;

  /** Gives all segments back to the heap. */
  free(): void {
    for (const segment of this.segments) {
      this.#heap.free(segment.entries);
      this.#heap.free(segment.indices);
    }
    this.segments.length = 0;
  }
}

function emptySegment(): ListSegment {
  return {
    entries: 0,
    entryCapacity: 0,
    entryCount: 0,
    border: 0,
    borderCount: 0,
    indices: 0,
    indexCapacity: 0,
    indexCount: 0,
    padding: 0,
    borderRows: [],
  };
}
