import { CorpuscleError } from '@corpuscle/functor/error';
import { fstatSync, fsync, ftruncateSync, writev, writevSync } from '#core/platform';
import { type Chunk, restOf } from './WriteQueue.js';

/** A write that ended early: so many bytes went through. */
export interface PartialWrite {
  readonly count: number;
  readonly cause: unknown;
}

/** Gives a chunk to the system. @throws PartialWrite */
export function writeAll(
  descriptor: number,
  { pieces, size, at }: Chunk,
  isStream: boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const from = (count: number) => {
      const position = isStream ? null : at + count;
      writev(descriptor, restOf(pieces, count), position, (cause, more) => {
        if (cause) reject({ count, cause } satisfies PartialWrite);
        else if (count + more < size) from(count + more);
        else resolve();
      });
    };
    from(0);
  });
}

/** The same before it returns. @throws PartialWrite */
export function writeAllNow(
  descriptor: number,
  { pieces, size, at }: Chunk,
  isStream: boolean,
): void {
  let count = 0;
  try {
    while (count < size)
      count += writevSync(descriptor, restOf(pieces, count), isStream ? undefined : at + count);
  } catch (cause) {
    throw { count, cause } satisfies PartialWrite;
  }
}

/** Cuts a file after so many bytes. @throws CorpuscleError FILE_FORMAT where it has fewer. */
export function cutAt(file: string, descriptor: number, bytes: number): void {
  const { size } = fstatSync(descriptor);
  if (size < bytes)
    throw new CorpuscleError(
      'FILE_FORMAT',
      `cannot go on writing ${file}: it has ${size} bytes, and had ${bytes} when the checkpoint was written`,
    );
  ftruncateSync(descriptor, bytes);
}

/** Cuts a file after its last complete record, where `count` bytes of a chunk have been written. */
export function cutTorn(descriptor: number, { ends, at, lastEnd }: Chunk, count: number): void {
  try {
    ftruncateSync(descriptor, ends.findLast((end) => end <= at + count) ?? lastEnd);
  } catch {
    // A disk that fails leaves a torn record: readers skip it.
  }
}

/** Has the disk take what was written. */
export const sync = (descriptor: number): Promise<void> =>
  new Promise((resolve, reject) =>
    fsync(descriptor, (cause) => (cause ? reject(cause) : resolve())),
  );
