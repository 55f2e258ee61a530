import type { FrameFormat, FrameTarget, FrameWriter } from '../frames/FrameFormat.js';
import { encodingWriter } from '../thread/encoders.js';
import { PvdSeries } from './PvdSeries.js';

/** Writes a `.vtp` for each frame, named by its step, and the `.pvd` that lists them. */
export function vtpWriter(target: FrameTarget): FrameWriter {
  const series = new PvdSeries(target.file, target.put);
  let count = 0;
  return encodingWriter('vtp', undefined, {
    async add({ step = count, time = step, pieces }) {
      const name = series.member(step, '.vtp');
      await target.put(name, pieces);
      await series.add(name, time);
      count++;
    },
    save: async () => ({ count, entries: await series.save() }),
    restore(saved) {
      const { count: before, entries } = saved as SavedSeries;
      count = before;
      series.restore(entries);
    },
    close: () => series.write(),
    abandon: () => series.write(),
  });
}

type SavedSeries = { readonly count: number; readonly entries: readonly string[] };

/** Series of VTK polygons for ParaView. */
export const vtp: FrameFormat = { name: 'vtp', extensions: ['.pvd'], write: vtpWriter };
