import type { FrameFormat } from '../frames/FrameFormat.js';
import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { readPdb } from './readPdb.js';

/** Files of the Protein Data Bank. */
export const pdb = {
  name: 'pdb',
  extensions: ['.pdb', '.ent', '.pdb.gz'],
  units: { length: 'ang', time: 'ps' },
  read: readPdb,
} satisfies FrameFormat;

export const readPdbOperator = frameReaderOperator(pdb, {
  doc: 'Reads particles and box from a PDB file; types are elements, frames are models.',
});
