import type { MeltCase } from '../melt/system.js';

/** Another code that runs the melt beside ours. */
export interface Peer {
  /** As it stands in tables, with what matters of its settings. */
  readonly name: string;
  /** steps/s of the timed part, from a fresh process. @throws Error when the program fails. */
  run(melt: MeltCase): number;
}

/** A peer, or why it is left out, as one line. */
export type PeerOrReason = { readonly peer: Peer } | { readonly missing: string };
