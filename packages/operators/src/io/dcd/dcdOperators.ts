import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { frameWriterOperator } from '../frames/frameWriterOperator.js';
import { unwrapFields, unwrapSlot } from '../frames/unwrapSlot.js';
import { dcd } from './dcd.js';
import { dcdWriter } from './dcdWriter.js';

export const writeDcdOperator = frameWriterOperator({
  name: 'write_dcd',
  doc: 'Adds positions (f32, in ångström) and box, sorted by id, to a DCD file.',
  slots: unwrapSlot,
  units: dcd.units,
  fields: unwrapFields,
  open: dcdWriter,
});

export const readDcdOperator = frameReaderOperator(dcd, {
  doc: 'Reads positions and box from a DCD file; types and ids are those of the particles that are there.',
  hasOnlyPositions: true,
});
