import type { FrameFormat } from '../frames/FrameFormat.js';
import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { readPoscar } from './readPoscar.js';

/** Structures of VASP. */
export const poscar: FrameFormat = {
  name: 'poscar',
  extensions: ['poscar', 'contcar', '.vasp'],
  units: { length: 'ang', time: 'ps' },
  read: readPoscar,
};

export const readPoscarOperator = frameReaderOperator({
  name: 'read_poscar',
  doc: 'Reads particles and box from a POSCAR or CONTCAR file of VASP.',
  units: poscar.units,
  read: readPoscar,
});
