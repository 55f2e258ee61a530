import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameWriter } from './FrameFormat.js';

/** What is added to ids for programs whose ids are positive: 1 where a particle has or had id 0, else 0. */
export function firstIdShift({ id, count, hasIdZero }: ParticleFrame): 0 | 1 {
  if (hasIdZero) return 1;
  if (!id) return count > 0 ? 1 : 0;
  return id.includes(0) ? 1 : 0;
}

/** A writer of frames of one file: ids stay what they were when the particle with id 0 has gone. */
export function keepsIdShift<W extends Pick<FrameWriter, 'write'>>(writer: W): W {
  let hasIdZero = false;
  return {
    ...writer,
    write(frame: ParticleFrame) {
      hasIdZero ||= firstIdShift(frame) === 1;
      return writer.write(hasIdZero ? { ...frame, hasIdZero } : frame);
    },
  };
}
