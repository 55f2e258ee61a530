import type { FrameFormat } from '../frames/FrameFormat.js';
import { formatLammpsData } from './formatLammpsData.js';
import { readLammpsData } from './readLammpsData.js';

/** Data files of LAMMPS: one frame each. */
export const lammpsData = {
  name: 'lammps_data',
  extensions: ['.data', '.lmp', '.lammps'],
  holdsOne: true,
  read: readLammpsData,
  write: (target) => ({
    write: (frame) => target.put(target.file, formatLammpsData(frame)),
    close: () => undefined,
  }),
} satisfies FrameFormat;
