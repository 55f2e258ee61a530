import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { extendedXyz } from './extendedXyz.js';

export const readExtendedXyzOperator = frameReaderOperator(extendedXyz, {
  doc: 'Reads particles and box from an xyz or extended xyz file.',
});
