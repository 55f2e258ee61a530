import type { Saved } from '@corpuscle/core';
import type { ExtraColumn, ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { EncoderCall } from '../thread/encoders.js';

/** What readers of all formats are told. */
export interface FrameReadOptions {
  /** Names of the particle types, for files that number them from 1. */
  readonly types?: readonly string[];
  /** Told what a reader leaves out, and that a file ends within a frame; without it the latter is an error. */
  readonly onNote?: (text: string) => void;
}

/** Gives the frames of a file in turn, one in memory at a time. */
export type FrameReader = (
  file: string,
  options?: FrameReadOptions,
) => AsyncIterable<ParticleFrame>;

/** A piece of a file. */
export type Piece = string | Uint8Array;

/** A file that frames are added to. */
export interface FrameSink {
  /**
   * Adds a complete frame in pieces. It waits only where memory is short of what the disk has not taken.
   * @param onWritten may be told that the pieces may change again
   */
  add(pieces: Iterable<Piece>, onWritten?: () => void): void | Promise<void>;
  /** Bytes that are in the file already: 0 for a new one, which needs a header. */
  readonly position: number;
  /** Replaces bytes that were added before; absent where the file only grows. */
  patch?(position: number, bytes: Uint8Array): void;
  /** All that was added is in the file. */
  close(): void | Promise<void>;
}

/** Where a writer puts its files. */
export interface FrameTarget {
  /** The file that the user named; formats of many files add to it. */
  readonly file: string;
  /** A file that grows by frames. */
  grow(name: string): FrameSink;
  /**
   * The path of a file that the writer makes itself; an older one gets a numbered name, unless the run goes on with it.
   * @throws CorpuscleError UNWRITABLE; INVALID_VALUE for a device or a pipe
   */
  claim(name: string, options: { readonly goesOn: boolean }): string;
  /** A file of one frame, complete at once. */
  put(name: string, pieces: Iterable<Piece>): void | Promise<void>;
}

/** Takes frames one after the other. A frame may be used after `write` has returned, and must not change. */
export interface FrameWriter {
  /** Adds a frame; waits only where the sink does. */
  write(frame: ParticleFrame): void | Promise<void>;
  /** The two halves of `write`, where the first can be done in another thread. */
  readonly encoding?: FrameEncoding;
  /** Makes the files complete so far, and says what a run needs that goes on adding to them. */
  save?(): Saved | Promise<Saved>;
  /** Takes back what `save` gave, before the first frame; the files are cut where they were. */
  restore?(saved: Saved): void;
  /** Makes sure that all frames are in their files. */
  close(): void | Promise<void>;
  /** A run ends, also by a failure, or after `close`: frames on their way go to their files, and threads end. */
  abandon?(): Promise<void>;
}

/** How a writer takes frames that have been encoded elsewhere. */
export interface FrameEncoding {
  readonly call: EncoderCall;
  add(made: unknown, how: AddOptions): void | Promise<void>;
}

/** How a frame is added. */
export interface AddOptions {
  /** Maybe it is the only one, such as the last configuration. */
  readonly isAlone: boolean;
  /** May be told that nothing of it is needed any more: its memory is used again. */
  readonly onWritten?: (() => void) | undefined;
}

/** Units of formats that say which they have; all others have those of the run. */
export interface FrameUnits {
  readonly length: 'ang' | 'nm';
  readonly time: 'ps';
}

/** A format of files with particles: what operators and `corpuscle convert` know of it. */
export interface FrameFormat {
  /** As in `read_NAME`, `write_NAME` and `--from NAME`. */
  readonly name: string;
  /** Endings of file names, with the dot. */
  readonly extensions: readonly string[];
  readonly units?: FrameUnits;
  /** Whether a file has one frame only: another one replaces it. */
  readonly holdsOne?: true;
  /** Whether files have a place for a column beside those of particles; without it they have for none. */
  readonly keepsColumn?: (column: ExtraColumn) => boolean;
  readonly read?: FrameReader;
  readonly write?: (target: FrameTarget) => FrameWriter;
}
