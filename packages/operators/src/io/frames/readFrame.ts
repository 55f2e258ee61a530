import { CorpuscleError } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/**
 * One of the frames that a reader gives: `number` counts from 0, and from the end below it (the last is −1).
 * @throws CorpuscleError FILE_FORMAT when there is none of that number.
 */
export async function readFrame(
  frames: AsyncIterable<ParticleFrame>,
  file: string,
  number = 0,
): Promise<ParticleFrame> {
  let count = 0;
  /** The last frames, as many as `number` asks for. */
  const last: ParticleFrame[] = [];
  for await (const frame of frames) {
    if (count++ === number) return frame;
    if (number >= 0) continue;
    last.push(frame);
    if (last.length > -number) last.shift();
  }
  if (number < 0 && last.length === -number) return last[0]!;
  throw new CorpuscleError(
    'FILE_FORMAT',
    `'${file}' has ${count} frames: there is no frame ${number} (the first is 0)`,
    { location: { file, line: 1, column: 1 } },
  );
}
