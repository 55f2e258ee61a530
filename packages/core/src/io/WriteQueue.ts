import { byteLength, joinBytes, utf8 } from './bytes.js';

/** Pieces of so many bytes are written from where they are: to join them would take longer than to give them to the system. */
const LARGE = 1 << 16;

/** Bytes on their way to a file, and where records end in them. */
export interface Chunk {
  readonly pieces: readonly Uint8Array[];
  /** All of them together. */
  readonly size: number;
  /** Position in the file of the first byte. */
  readonly at: number;
  /** Positions in the file at which records end, in order. */
  readonly ends: readonly number[];
  /** Where the last record before these bytes ends: before `at` where they go on with a record. */
  readonly lastEnd: number;
}

/**
 * What has been given to a file and not yet to the system, in order.
 *
 *   … written | complete record | complete record | open record …
 *             ^ begin                             ^ complete     ^ end
 *
 * The first pieces of a long record may be taken before it is complete; then `complete` lies before `begin`.
 */
export class WriteQueue {
  #pieces: (string | Uint8Array)[] = [];
  #ends: number[] = [];
  /** Pieces of complete records. */
  #completePieces = 0;
  /** Positions in the file, see the drawing. */
  #begin: number;
  #complete: number;
  #end: number;
  /** Where the last record that has been taken ends. */
  #lastEnd: number;

  constructor(begin: number) {
    this.#begin = this.#complete = this.#end = this.#lastEnd = begin;
  }

  get begin(): number {
    return this.#begin;
  }

  get complete(): number {
    return this.#complete;
  }

  /** Bytes that wait. */
  get size(): number {
    return this.#end - this.#begin;
  }

  /** Whether a complete record, or the end of one, waits. */
  get hasComplete(): boolean {
    return this.#completePieces > 0;
  }

  add(piece: string | Uint8Array): void {
    this.#pieces.push(piece);
    this.#end += typeof piece === 'string' ? byteLength(piece) : piece.byteLength;
  }

  /** What has been added is a complete record. */
  endRecord(): void {
    this.#complete = this.#end;
    this.#completePieces = this.#pieces.length;
    this.#ends.push(this.#end);
  }

  /** Takes the complete records, or all there is; null when there are none. */
  take(what: 'complete' | 'all'): Chunk | null {
    const count = what === 'all' ? this.#pieces.length : this.#completePieces;
    if (count === 0) return null;
    const size = (what === 'all' ? this.#end : this.#complete) - this.#begin;
    const chunk: Chunk = {
      pieces: joined(this.#pieces.slice(0, count)),
      size,
      at: this.#begin,
      ends: this.#ends,
      lastEnd: this.#lastEnd,
    };
    this.#lastEnd = this.#ends.at(-1) ?? this.#lastEnd;
    this.#pieces = this.#pieces.slice(count);
    this.#ends = [];
    this.#completePieces = 0;
    this.#begin += size;
    return chunk;
  }

  /** Forgets the open record; what of it has been taken must be cut off the file at `complete`. */
  dropOpen(): void {
    this.#pieces.length = this.#completePieces;
    this.#end = this.#complete;
    this.#begin = Math.min(this.#begin, this.#complete);
  }
}

/** The same bytes, small pieces as one. */
function joined(pieces: readonly (string | Uint8Array)[]): Uint8Array[] {
  const out: Uint8Array[] = [];
  let small: (string | Uint8Array)[] = [];
  const joinSmall = () => {
    if (small.length > 0) out.push(bytesOf(small));
    small = [];
  };
  for (const piece of pieces) {
    if (typeof piece === 'string' || piece.byteLength < LARGE) small.push(piece);
    else {
      joinSmall();
      out.push(piece);
    }
  }
  joinSmall();
  return out;
}

/** What is left of pieces after so many bytes of them. */
export function restOf(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let before = bytes;
  return pieces.flatMap((piece) => {
    const skipped = Math.min(before, piece.length);
    before -= skipped;
    return skipped < piece.length ? [piece.subarray(skipped)] : [];
  });
}

function bytesOf(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  if (pieces.every((piece) => typeof piece === 'string')) return utf8(pieces.join(''));
  return joinBytes(pieces.map((piece) => (typeof piece === 'string' ? utf8(piece) : piece)));
}
