import type { SourceLocation } from '@corpuscle/core';
import { lineOf } from '../lineOf.js';
import { textLocation } from '../textLocation.js';
import type { ParticleFrame } from './ParticleFrame.js';

/** Says where in its file a particle of a frame stands; holds the frame's ids, and nothing else of it. */
export function particleLocation(
  frame: Pick<ParticleFrame, 'source' | 'id'>,
): (id: bigint) => SourceLocation | undefined {
  const { source, id: ids } = frame;
  return (id) => {
    const index = ids ? ids.indexOf(Number(id)) : Number(id);
    if (!source || index < 0) return undefined;
    const line = source.firstLine + index;
    return textLocation(source.file, line, 1, lineOf(source.file, line));
  };
}
