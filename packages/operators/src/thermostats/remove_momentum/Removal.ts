import type { PreparedCall } from '@corpuscle/patterns';

/** Prepared calls that take a motion away. */
export interface Removal {
  // biome-ignore lint/suspicious/noExplicitAny: calls of any parameters and results
  readonly calls: readonly PreparedCall<any, unknown>[];
  /** Gives back what they hold. */
  close(): void;
}
