import type { SharedHeap } from '../memory/SharedHeap.js';

/** `half`: each pair once. `full`: each pair from both sides. */
export type NeighborListKind = 'half' | 'full';

/** The part of a list that one thread builds and one later works on. */
export interface ListSegment {
  /** Address of `entryCapacity` entries of four i32: {i, image, j0, j1}. */
  entries: number;
  entryCapacity: number;
  entryCount: number;
  /** Address of `indexCapacity` i32 row numbers. */
  indices: number;
  indexCapacity: number;
  indexCount: number;
  /** Rows that the segment names, as central particle or neighbor, lie in firstRow … endRow − 1. */
  firstRow: number;
  endRow: number;
}

/**
 * A neighbor list in the shared heap, one segment per thread, or a fixed number where runs are deterministic:
 *
 *   entries  [ i image j0 j1 | i image j0 j1 | … ]        i ascending; one entry per image that i meets
 *   indices  [ j j j · | j j j j j · · · | … ]            run j0 … j1−1 of an entry, padded (·) to a multiple of 4
 *
 * The image's shift is added to the central particle: d = r_i + shift(image) − r_j. Padding holds the row after
 * the last particle, whose position is far outside, so that kernels may treat it as a neighbor out of reach.
 * A half list holds (i, j, image) once: j > i without a shift, otherwise shifts whose last offset (kc, or kb, or ka) that is
 * not 0 is positive. In boxes thinner than the cutoff a neighbor has entries at several images, and so has i itself.
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
    return this.segments.reduce((sum, segment) => sum + segment.entryCount, 0);
  }
  /** Number of index slots over all segments, padding included. */
  get indexCount(): number {
    return this.segments.reduce((sum, segment) => sum + segment.indexCount, 0);
  }

  /** A segment with room for at least the given numbers; what it held is lost when it must grow. */
  reserve(part: number, entryCapacity: number, indexCapacity: number): ListSegment {
    while (this.segments.length <= part) this.segments.push(emptySegment());
    const segment = this.segments[part]!;
    if (segment.entryCapacity < entryCapacity) {
      this.#heap.free(segment.entries);
      segment.entries = this.#heap.allocate(16 * entryCapacity);
      segment.entryCapacity = entryCapacity;
      segment.entryCount = 0;
    }
    if (segment.indexCapacity < indexCapacity) {
      this.#heap.free(segment.indices);
      segment.indices = this.#heap.allocate(4 * indexCapacity);
      segment.indexCapacity = indexCapacity;
      segment.indexCount = 0;
    }
    return segment;
  }

  /** Visits every listed pair, also those between rcut and the list radius; padding is left out. */
  forEachPair(visit: (i: number, j: number, image: number) => void): void {
    for (const segment of this.segments) {
      const entries = this.#heap.i32(segment.entries, 4 * segment.entryCount);
      const indices = this.#heap.i32(segment.indices, segment.indexCount);
      const padding = this.padding;
      for (let e = 0; e < entries.length; e += 4) {
        for (let k = entries[e + 2]!; k < entries[e + 3]!; k++) {
          const j = indices[k]!;
          if (j !== padding) visit(entries[e]!, j, entries[e + 1]!);
        }
      }
    }
  }

  /** The row that pads runs: the number of particles at the time of the build. */
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
    indices: 0,
    indexCapacity: 0,
    indexCount: 0,
    firstRow: 0,
    endRow: 0,
  };
}
