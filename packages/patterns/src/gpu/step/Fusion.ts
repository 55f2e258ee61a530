import type { PreparedGroup } from './PreparedGroup.js';

/** Groups that begin at the end of one step and end with the next update of the lists. */
export interface Boundary {
  readonly groups: readonly PreparedGroup[];
  /** Their calls that belong to the end of a step, when no step follows. */
  readonly tail: readonly PreparedGroup[];
}

/** Groups in the order in which a step records them. */
export interface Fusion {
  /** Null where nothing of two steps is recorded together. */
  readonly boundary: Boundary | null;
  /** Up to the first update of the lists, where no step is before. */
  readonly head: readonly PreparedGroup[];
  readonly rest: readonly PreparedGroup[];
  /** Whether a step leaves positions in the other buffer. */
  readonly exchanges: boolean;
}
