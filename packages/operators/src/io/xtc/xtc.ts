import type { FrameFormat } from '../frames/FrameFormat.js';
import { readXtc } from './readXtc.js';
import { xtcWriter } from './xtcWriter.js';

/** Trajectories of GROMACS: positions to a thousandth of a nanometer, and box. */
export const xtc = {
  name: 'xtc',
  extensions: ['.xtc'],
  units: { length: 'nm', time: 'ps' },
  read: readXtc,
  write: (target) => xtcWriter(target),
} satisfies FrameFormat;
