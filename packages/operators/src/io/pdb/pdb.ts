import type { FrameFormat } from '../frames/FrameFormat.js';
import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { readPdb } from './readPdb.js';

/** Files of the Protein Data Bank. */
export const pdb: FrameFormat = {
  name: 'pdb',
  extensions: ['.pdb', '.ent', '.pdb.gz'],
  units: { length: 'ang', time: 'ps' },
  read: readPdb,
};

export const readPdbOperator = frameReaderOperator({
  name: 'read_pdb',
  doc: 'Reads particles and box from a PDB file; types are elements, frames are models.',
  units: pdb.units,
  read: readPdb,
});
