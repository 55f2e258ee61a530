import { bondParticles } from '../../bonds/bondParticles.js';
import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { frameWriterOperator } from '../frames/frameWriterOperator.js';
import { gsd } from './gsd.js';
import { gsdWriter } from './gsdWriter.js';

export const writeGsdOperator = frameWriterOperator({
  name: 'write_gsd',
  doc: 'Adds positions, velocities, masses, charges and bonds (f32), sorted by id, to a GSD file in the schema of HOOMD.',
  slots: {
    images: {
      type: 'boolean',
      default: false,
      doc: 'whether images count how often particles have crossed the box, so that positions unwrap',
    },
  },
  fields: ({ images }) => ['velocity', 'mass', 'charge', ...(images ? (['image'] as const) : [])],
  open: gsdWriter,
  hasBonds: true,
});

export const readGsdOperator = frameReaderOperator(gsd, {
  doc: 'Reads particles, box, velocities and bonds from a GSD file in the schema of HOOMD.',
  placed: (grid, { bonds }) => {
    if (bonds) bondParticles(grid, bonds);
  },
});
