import type { FrameFormat } from '../frames/FrameFormat.js';
import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { readGro } from './readGro.js';

/** Configurations of GROMACS. */
export const gro = {
  name: 'gro',
  extensions: ['.gro', '.gro.gz'],
  units: { length: 'nm', time: 'ps' },
  read: readGro,
} satisfies FrameFormat;

export const readGroOperator = frameReaderOperator(gro, {
  doc: 'Reads particles, box and velocities from a GRO file of GROMACS; types are called as atoms.',
});
