import type { FrameFormat } from '../frames/FrameFormat.js';
import { dcdWriter } from './dcdWriter.js';
import { readDcd } from './readDcd.js';

/** Trajectories of CHARMM and NAMD: positions and box, f32. */
export const dcd = {
  name: 'dcd',
  extensions: ['.dcd'],
  units: { length: 'ang', time: 'ps' },
  read: readDcd,
  write: dcdWriter,
} satisfies FrameFormat;
