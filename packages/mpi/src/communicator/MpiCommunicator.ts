import { availableParallelism } from 'node:os';
import { CorpuscleError } from '@corpuscle/core';
import type { ForeignFunction } from '../library/Foreign.js';
import { loadMpi, type MpiLibrary } from '../library/loadMpi.js';
import type { Communicator, Message, Transfer } from './Communicator.js';

/** Calls come from the main thread alone (`MPI_THREAD_FUNNELED`). */
const FUNNELED = 1;
/** All messages between two ranks arrive in their order: one tag is enough. */
const TAG = 1;
/** Bytes of a message at most: MPI counts with 32 bits. */
const MOST_BYTES = 2 ** 30;
/**
 * Milliseconds that a rank looks for its messages without a pause: MPI moves large messages piece by piece, while it is asked for them.
 * Where there are more ranks than cores, those that wait would keep the others from what they wait for: there it is the second number.
 * Afterwards a rank sleeps for a quarter of the time that it has waited, and never longer than the last number.
 */
const PATIENCE = 20;
const CROWDED = 0.05;
const LONGEST = 1;
/** Looks for messages between two at the clock, whose numbers are garbage. */
const LOOKS = 8;

/** All processes that were started together (`MPI_COMM_WORLD`). */
export class MpiCommunicator implements Communicator {
  readonly rank: number;
  readonly size: number;
  readonly #library: MpiLibrary;
  readonly #iallgather: ForeignFunction;
  readonly #isend: ForeignFunction;
  readonly #irecv: ForeignFunction;
  readonly #testall: ForeignFunction;
  readonly #abort: ForeignFunction;
  readonly #finalize: ForeignFunction;
  readonly #patience = isCrowded(process.env) ? CROWDED : PATIENCE;
  /** Flags of messages that MPI writes, and a place to sleep at until a time has passed. */
  readonly #done = new Int32Array(new ArrayBuffer(4));
  readonly #never = new Int32Array(new SharedArrayBuffer(4));

  /** @internal */
  constructor(library: MpiLibrary) {
    this.#library = library;
    const { foreign, flavor } = library;
    const { handle, world } = flavor;
    const pointer = 'void *';
    const call = (name: string, types: readonly string[]) => {
      const made = foreign.function(name, types);
      return (...args: Parameters<ForeignFunction>) => succeeded(name, made(...args));
    };
    const message = [pointer, 'int', handle, 'int', 'int', handle, pointer];
    this.#iallgather = call('MPI_Iallgather', [
      ...[pointer, 'int', handle],
      ...[pointer, 'int', handle, handle, pointer],
    ]);
    this.#isend = call('MPI_Isend', message);
    this.#irecv = call('MPI_Irecv', message);
    this.#testall = foreign.function('MPI_Testall', ['int', pointer, pointer, pointer]);
    this.#abort = call('MPI_Abort', [handle, 'int']);
    this.#finalize = call('MPI_Finalize', []);
    const found = new Int32Array(new ArrayBuffer(4));
    call('MPI_Init_thread', [pointer, pointer, 'int', pointer])(null, null, FUNNELED, found);
    call('MPI_Comm_rank', [handle, pointer])(world, found);
    this.rank = found[0]!;
    call('MPI_Comm_size', [handle, pointer])(world, found);
    this.size = found[0]!;
  }

  /** What is called, for people. */
  get description(): string {
    const { flavor, file } = this.#library;
    return `${flavor.name} (${file})`;
  }

  gather(numbers: Float64Array): Float64Array {
    const { byte, world, requestBytes } = this.#library.flavor;
    const sent = Float64Array.from(numbers);
    const all = new Float64Array(this.size * sent.length);
    const { byteLength } = sent;
    const request = new Uint8Array(new ArrayBuffer(requestBytes));
    this.#iallgather(sent, byteLength, byte, all, byteLength, byte, world, request);
    this.#wait(1, request);
    return all;
  }

  sum(numbers: Float64Array): Float64Array {
    const { length } = numbers;
    const all = this.gather(numbers);
    const sums = all.slice(0, length);
    for (let rank = 1; rank < this.size; rank++)
      for (let k = 0; k < length; k++) sums[k]! += all[rank * length + k]!;
    return sums;
  }

  start(sent: readonly Message[], received: readonly Message[]): Transfer {
    const { byte, world, requestBytes } = this.#library.flavor;
    const ways = [
      { call: this.#irecv, parts: received.flatMap(partsOf) },
      { call: this.#isend, parts: sent.flatMap(partsOf) },
    ];
    const count = ways.reduce((total, { parts }) => total + parts.length, 0);
    if (count === 0) return { wait() {} };
    // Views of their own buffers: what is on the heap of JavaScript could be moved while MPI writes to it.
    const requests = new Uint8Array(new ArrayBuffer(requestBytes * count));
    let at = 0;
    for (const { call, parts } of ways)
      for (const { rank, bytes } of parts) {
        const request = requests.subarray(requestBytes * at++);
        call(bytes, bytes.length, byte, rank, TAG, world, request);
      }
    return {
      wait: () => {
        this.#wait(count, requests);
        ways.length = 0; // the bytes were kept until now
      },
    };
  }

  exchange(bytes: readonly Uint8Array[]): readonly Uint8Array[] {
    const { size, rank } = this;
    const lengths = this.gather(Float64Array.from(bytes, ({ length }) => length));
    const received = Array.from({ length: size }, (_, from) => ({
      rank: from,
      bytes: new Uint8Array(new ArrayBuffer(lengths[from * size + rank]!)),
    }));
    this.start(
      bytes.map((one, to) => ({ rank: to, bytes: one })),
      received,
    ).wait();
    return received.map((message) => message.bytes);
  }

  /** Waits until messages have arrived. */
  #wait(count: number, requests: Uint8Array): void {
    const { statusesIgnore } = this.#library.flavor;
    const begin = performance.now();
    for (let waited = 0; ; waited = performance.now() - begin) {
      if (waited > this.#patience) Atomics.wait(this.#never, 0, 0, Math.min(waited / 4, LONGEST));
      for (let look = 0; look < LOOKS; look++) {
        succeeded('MPI_Testall', this.#testall(count, requests, this.#done, statusesIgnore));
        if (this.#done[0] !== 0) return;
      }
    }
  }

  abort(code: number): never {
    this.#abort(this.#library.flavor.world, code);
    process.exit(code); // MPI_Abort ends this process too
  }

  close(): void {
    this.#finalize();
  }
}

/**
 * Whether a launcher has started more processes on this machine than it has cores. One that is bound to cores of its own sees these alone;
 * Open MPI 4 tells so.
 */
function isCrowded(environment: NodeJS.ProcessEnv): boolean {
  if (environment.OMPI_MCA_orte_bound_at_launch === '1') return false;
  const local = environment.OMPI_COMM_WORLD_LOCAL_SIZE ?? environment.MPI_LOCALNRANKS ?? '1';
  return Number(local) > availableParallelism();
}

/** A message in pieces whose lengths MPI can count; nothing for an empty one. */
function partsOf({ rank, bytes }: Message): Message[] {
  const parts: Message[] = [];
  for (let from = 0; from < bytes.length; from += MOST_BYTES)
    parts.push({ rank, bytes: bytes.subarray(from, from + MOST_BYTES) });
  return parts;
}

function succeeded(name: string, code: number): number {
  if (code === 0) return code;
  throw new CorpuscleError('NO_MPI', `${name} failed with code ${code}: see what MPI has printed`);
}

/**
 * Joins the processes that `mpirun` has started. Call it once in a process.
 *
 * @throws CorpuscleError NO_MPI where there is no MPI library, or it cannot start
 * @example
 * const ranks = await joinRanks();
 * const [total] = ranks.sum(Float64Array.of(1)); // as many as there are ranks
 * ranks.close();
 */
export async function joinRanks(): Promise<MpiCommunicator> {
  return new MpiCommunicator(await loadMpi());
}
