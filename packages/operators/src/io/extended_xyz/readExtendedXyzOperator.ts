import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { readRunFrames } from './extendedXyz.js';

export const readExtendedXyzOperator = frameReaderOperator({
  name: 'read_extended_xyz',
  doc: 'Reads particles and box from an xyz or extended xyz file.',
  read: readRunFrames,
});
