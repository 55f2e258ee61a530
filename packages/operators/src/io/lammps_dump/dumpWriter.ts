import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameTarget, FrameWriter } from '../frames/FrameFormat.js';
import { TextFrameWriter } from '../text/TextFrameWriter.js';

/** Writes dumps of a run; the frames are given away. @param columns names of LAMMPS. */
export function dumpWriter(target: FrameTarget, columns: readonly string[]): FrameWriter {
  const writer = new TextFrameWriter(target);
  return {
    write: (frame: ParticleFrame) => writer.write({ format: 'lammps_dump', frame, columns }),
    save: () => writer.save(),
    close: () => writer.close(),
    abandon: () => writer.abandon(),
  };
}
