import type { FrameFormat } from '../frames/FrameFormat.js';
import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { readPoscar } from './readPoscar.js';

/** Structures of VASP. */
export const poscar = {
  name: 'poscar',
  extensions: ['poscar', 'contcar', '.vasp'],
  units: { length: 'ang', time: 'ps' },
  read: readPoscar,
} satisfies FrameFormat;

export const readPoscarOperator = frameReaderOperator(poscar, {
  doc: 'Reads particles and box from a POSCAR or CONTCAR file of VASP.',
});
