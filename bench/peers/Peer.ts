import type { MeltCase } from '../melt/system.js';

/** How fast a code stepped. */
export interface Rate {
  /** Steps a second by the clock. */
  readonly wall: number;
  /**
   * Steps a second of processor time on all of its cores: what the clock would have shown without other programs on them.
   * NaN where the code does not tell.
   */
  readonly processor: number;
}

/** Another code that runs the melt beside ours. */
export interface Peer {
  /** As it stands in tables, with what matters of its settings. */
  readonly name: string;
  /** The rate of the timed part, from a fresh process. @throws Error when the program fails. */
  run(melt: MeltCase): Rate;
}

/** A peer, or why it is left out, as one line. */
export type PeerOrReason = { readonly peer: Peer } | { readonly missing: string };
