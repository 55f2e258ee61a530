import type { GrowingFile, OutputFolder } from '@corpuscle/core';
import type { FrameSink, FrameTarget } from './FrameFormat.js';

/** A piece of so many bytes may wait for the disk without holding up the run. */
const LARGE = 1 << 20;

/** The files of a writer among those of a run. */
export function outputTarget(output: OutputFolder, file: string): FrameTarget {
  return {
    file,
    grow: (name) => {
      const file = output.open(name);
      file.isWaitTold = true;
      return sinkOf(file);
    },
    claim: (name, options) => output.claim(name, options),
    put: (name, pieces) => output.writeWhole(name, pieces),
  };
}

const sinkOf = (file: GrowingFile): FrameSink => ({
  get position() {
    return file.position;
  },
  add(pieces, onWritten) {
    if (!Array.isArray(pieces) || pieces.length !== 1 || pieces[0].length > LARGE)
      return file.writePieces(pieces, onWritten);
    file.write(pieces[0], onWritten);
    return undefined;
  },
  patch: (position, bytes) => file.patch(position, bytes),
  close: () => file.flush(), // The run closes it when it ends.
});
