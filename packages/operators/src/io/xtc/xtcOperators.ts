import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { frameWriterOperator } from '../frames/frameWriterOperator.js';
import { unwrapFields, unwrapSlot } from '../frames/unwrapSlot.js';
import { xtc } from './xtc.js';
import { xtcWriter } from './xtcWriter.js';

export const writeXtcOperator = frameWriterOperator({
  name: 'write_xtc',
  doc: 'Adds positions, box and time (in nm and ps), sorted by id, to an XTC file of GROMACS, rounded to 1/precision.',
  slots: {
    precision: {
      type: 'number',
      min: 1,
      max: 1e6,
      default: 1000,
      doc: 'positions are multiples of 1/precision nm',
    },
    ...unwrapSlot,
  },
  units: xtc.units,
  fields: unwrapFields,
  open: (target, { precision }) => xtcWriter(target, precision as number),
});

export const readXtcOperator = frameReaderOperator(xtc, {
  doc: 'Reads positions, box and time from an XTC file; types and ids are those of the particles that are there.',
  hasOnlyPositions: true,
});
