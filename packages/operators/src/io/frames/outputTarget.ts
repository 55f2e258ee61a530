import type { GrowingFile, OutputFolder } from '@corpuscle/core';
import type { FrameSink, FrameTarget } from './FrameFormat.js';

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
  add(pieces) {
    if (!Array.isArray(pieces) || pieces.length !== 1) return file.writePieces(pieces);
    file.write(pieces[0]);
    return undefined;
  },
  patch: (position, bytes) => file.patch(position, bytes),
  close: () => file.flush(), // The run closes it when it ends.
});
