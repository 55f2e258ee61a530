/** The bytes of a file, piece by piece. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Ends reading, and closes the file. */
  destroy(): void;
}

/** How a file is read. */
export interface ReadBytesOptions {
  /** Bytes of a piece. */
  readonly chunk: number;
  /** False for a pipe, which has no positions. */
  readonly isFile: boolean;
  /** Whether it is compressed with gzip. */
  readonly gzip: boolean;
}

/** Compressed bytes ended before the mark of their end, after all that they give; only Node tells it apart from damage. */
export class NoEnd extends Error {
  constructor() {
    super('unexpected end of file');
  }
}

/** Is given compressed bytes: in Node all between two calls of `flush` at once. */
export type OnCompressed = (bytes: readonly Uint8Array[]) => void;

/** Compression with gzip. */
export interface Compression {
  /** Takes a piece; waits where many wait already. */
  write(piece: string | Uint8Array): Promise<void>;
  /** What has been written can be read from the file so far, where the platform can do that. */
  flush(): void;
  /** Gives all that is left. */
  end(): Promise<void>;
}
