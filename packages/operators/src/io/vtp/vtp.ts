import type { FrameFormat, FrameTarget, FrameWriter } from '../frames/FrameFormat.js';
import { formatVtp } from './formatVtp.js';
import { PvdSeries } from './PvdSeries.js';

/** Writes a `.vtp` for each frame, named by its step, and the `.pvd` that lists them. */
export function vtpWriter(target: FrameTarget): FrameWriter {
  const series = new PvdSeries(target.file, target.put);
  let count = 0;
  return {
    async write(frame) {
      const name = series.member(frame.step ?? count, '.vtp');
      await target.put(name, formatVtp(frame));
      await series.add(name, frame.time ?? frame.step ?? count);
      count++;
    },
    close: () => series.write(),
  };
}

/** Series of VTK polygons for ParaView. */
export const vtp: FrameFormat = { name: 'vtp', extensions: ['.pvd'], write: vtpWriter };
