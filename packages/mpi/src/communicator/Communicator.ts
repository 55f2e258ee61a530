/** Bytes that go to another rank, or come from it. A rank may send to itself. */
export interface Message {
  readonly rank: number;
  readonly bytes: Uint8Array;
}

/** Messages under way. Their bytes must stay as they are until `wait` has returned. */
export interface Transfer {
  /** Returns when all have arrived. */
  wait(): void;
}

/**
 * The processes of a run, and how they exchange numbers. Every call but `abort` is made by all ranks, in the same order. Sums are
 * added up in the order of the ranks, so that all ranks get the same bits.
 */
export interface Communicator {
  /** The number of this process, from 0. */
  readonly rank: number;
  /** How many there are. */
  readonly size: number;
  /** The numbers of all ranks, one rank after the other; each gives as many. */
  gather(numbers: Float64Array): Float64Array;
  /** Sums over all ranks, place by place. */
  sum(numbers: Float64Array): Float64Array;
  /** Starts to send and to receive. Both sides know the lengths; empty messages are not sent. */
  start(sent: readonly Message[], received: readonly Message[]): Transfer;
  /** Sends each rank its bytes, of any length. @returns what the ranks have sent here, by rank. */
  exchange(bytes: readonly Uint8Array[]): readonly Uint8Array[];
  /** Ends the processes of all ranks now. */
  abort(code: number): never;
  /** Waits for all ranks, and ends the use of MPI. */
  close(): void;
}
