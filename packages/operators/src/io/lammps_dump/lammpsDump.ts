import type { FrameFormat } from '../frames/FrameFormat.js';
import { textWriter } from '../frames/textWriter.js';
import { readLammpsDump } from './readLammpsDump.js';

/** Dumps of LAMMPS in text. */
export const lammpsDump: FrameFormat = {
  name: 'lammps_dump',
  extensions: ['.dump', '.lammpstrj', '.dump.gz', '.lammpstrj.gz'],
  read: readLammpsDump,
  write: (target) => textWriter(target, 'lammps_dump'),
};
