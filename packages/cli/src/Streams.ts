/** Where a command prints: the process's streams, or a test's strings. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person watches: progress and colours only then. */
  readonly terminal: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
}
