/** A timer, which a page gives as a number. */
export type Timer = ReturnType<typeof setTimeout>;

/** What the packages ask of the process, or of the page, that they run in. */
export interface Host {
  readonly name: 'node' | 'browser';
  /** Cores that may be used at the same time over shared memory. */
  threads(): number;
  /** The folder that relative names begin from. */
  workingDirectory(): string;
  /** A file that takes everything, and keeps nothing. */
  readonly nowhere: string;
  /** A variable of the environment. */
  environment(name: string): string | undefined;
  /** The number of this process. */
  identity(): number;
  /** Whether there is a process of that number. */
  isRunning(identity: number): boolean;
  /** Sleeps, where that is allowed. */
  pause(milliseconds: number): void;
  /** Calls when the event loop has done what it has to do now. */
  later(call: () => void): void;
  /** Lets the process end before the timer. */
  release(timer: Timer): Timer;
  /** Calls when the process ends. */
  onExit(call: () => void): void;
  /** Calls once before the process ends by itself; in a page after some time. */
  beforeExit(call: () => void): void;
  /** Bytes of memory that the process has; 0 where that is unknown. */
  residentBytes(): number;
  /** Bytes of memory that the machine has; Infinity where that is unknown. */
  machineBytes(): number;
}
