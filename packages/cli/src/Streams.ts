/** Where a command prints: the process's streams, or a test's strings. */
export interface Streams {
  /** Prints results as they are; the text ends its own lines. */
  out(text: string): void;
  /** Prints errors, warnings and progress as they are. */
  err(text: string): void;
  /** Whether a person watches: progress and colors only then. */
  readonly terminal: boolean;
  /** Whether errors may have colors: on a terminal, unless NO_COLOR says no. */
  readonly color?: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
  /** Asks the person who watches: the line that was typed. */
  readonly ask?: (question: string) => Promise<string>;
}
