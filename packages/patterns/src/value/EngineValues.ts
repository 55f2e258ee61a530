import type { PatternHandle } from '../handles/PatternHandle.js';

/** Numbers that an engine keeps where it computes. */
export interface EngineValues {
  /** How calls of this engine name number k: its place in memory of the engine, or what it is now where that is the host's. */
  parameter(k: number): number;
  /** The numbers as they are after every call so far; asking stalls nothing. */
  read(): PatternHandle<readonly number[]>;
  /** Sets numbers from a place on, in the order of calls. */
  write(numbers: readonly number[], at?: number): void;
  /** Gives their memory back. */
  free(): void;
}
