import type { ExtraColumn } from '../extended_xyz/ParticleFrame.js';
import type { FrameFormat } from '../frames/FrameFormat.js';
import { keepsIdShift } from '../frames/firstId.js';
import { textWriter } from '../frames/textWriter.js';
import { readLammpsDump } from './readLammpsDump.js';

/** Dumps of LAMMPS in text. */
export const lammpsDump = {
  name: 'lammps_dump',
  extensions: ['.dump', '.lammpstrj', '.dump.gz', '.lammpstrj.gz'],
  keepsColumn: ({ width, values }: ExtraColumn) => width === 1 && values instanceof Float64Array,
  read: readLammpsDump,
  write: (target) => keepsIdShift(textWriter(target, 'lammps_dump')),
} satisfies FrameFormat;
