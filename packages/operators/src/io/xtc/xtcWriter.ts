import type { FrameTarget, FrameWriter } from '../frames/FrameFormat.js';
import { encodingWriter } from '../thread/encoders.js';

/** Writes XTC files of GROMACS. */
export function xtcWriter(target: FrameTarget, precision?: number): FrameWriter {
  const sink = target.grow(target.file);
  return encodingWriter('xtc', precision, {
    add: (pieces, { onWritten }) => sink.add(pieces, onWritten),
    close: () => sink.close(),
  });
}
