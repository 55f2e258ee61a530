import { CorpuscleError } from '@corpuscle/core';
import type { FrameTarget, FrameWriter } from '../frames/FrameFormat.js';
import { encodingWriter } from '../thread/encoders.js';

/** Where the head counts frames, and says after how many steps they follow each other. */
const FRAMES_AT = 8;
const STRIDE_AT = 16;
const HEAD_BYTES = 196;
const frameBytes = (count: number) => 56 + 3 * (4 * count + 8);

/**
 * Writes DCD files, as CHARMM and NAMD do: little-endian, f32 positions, with a unit cell.
 *
 *   [ 84 | CORD, 20 integers | 84 ]  [ titles ]  [ 4 | N | 4 ]      head
 *   [ 48 | A cosγ B cosβ cosα C | 48 ]  [ 4N | x… ]  [ 4N | y… ]  [ 4N | z… ]      every frame
 *
 * @throws CorpuscleError INVALID_VALUE when the number of particles changes.
 */
export function dcdWriter(target: FrameTarget): FrameWriter {
  const sink = target.grow(target.file);
  let count: number | null = null;
  let frames = 0;
  let first: number | null = null;
  return encodingWriter('dcd', undefined, {
    add(frame, { onWritten }) {
      if (count !== null && count !== frame.count)
        throw new CorpuscleError(
          'INVALID_VALUE',
          `a DCD file has one number of particles: ${count} before, ${frame.count} now`,
        );
      const pieces = count === null && sink.position === 0 ? [frame.head] : [];
      // A run that goes on counts the frames that are there.
      if (count === null && sink.position > 0)
        frames = Math.floor((sink.position - HEAD_BYTES) / frameBytes(frame.count));
      count = frame.count;
      const added = sink.add([...pieces, ...frame.body], onWritten);
      if (frames === 0) first = frame.step ?? 0;
      else if (frames === 1 && first !== null)
        sink.patch?.(STRIDE_AT, integer((frame.step ?? 1) - first));
      frames++;
      sink.patch?.(FRAMES_AT, integer(frames));
      return added;
    },
    save: () => ({ count, frames, first }),
    restore(saved) {
      ({ count, frames, first } = saved as { count: number; frames: number; first: number | null });
      if (frames > 0) sink.patch?.(FRAMES_AT, integer(frames));
    },
    close: () => sink.close(),
  });
}

function integer(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value, true);
  return bytes;
}
