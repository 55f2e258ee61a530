import { type AtomicFile, AtomicOutput } from '@corpuscle/core';
import type { FrameSink, FrameTarget, Piece } from './FrameFormat.js';

/** The files of a writer among those of a run. */
export function outputTarget(output: AtomicOutput, file: string): FrameTarget {
  return {
    file,
    grow: (name) => sinkOf(output.open(name)),
    put(name, pieces) {
      const one = new AtomicOutput(output.directory);
      try {
        addTo(one.open(name), pieces);
        one.commit();
      } catch (error) {
        one.discard();
        throw error;
      }
    },
  };
}

const sinkOf = (file: AtomicFile): FrameSink => ({
  position: 0,
  add: (pieces) => addTo(file, pieces),
  close: () => undefined, // The run gives the file its name when it ends.
});

function addTo(file: AtomicFile, pieces: Iterable<Piece>): void {
  for (const piece of pieces)
    if (typeof piece === 'string') file.write(piece);
    else file.writeBytes(piece);
}
