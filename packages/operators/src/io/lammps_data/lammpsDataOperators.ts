import { bondParticles } from '../../bonds/bondParticles.js';
import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { frameWriterOperator } from '../frames/frameWriterOperator.js';
import { type WrittenStyle, writtenStyles } from './atomStyles.js';
import { formatLammpsData } from './formatLammpsData.js';
import { lammpsData } from './lammpsData.js';

export const writeLammpsDataOperator = frameWriterOperator({
  name: 'write_lammps_data',
  doc: 'Writes particles, masses, velocities and bonds to a data file of LAMMPS; a later frame replaces an earlier one.',
  slots: {
    style: {
      type: 'enum',
      values: writtenStyles,
      doc: 'the style of atoms; default: full with bonds or molecules, charge with charges, else atomic',
    },
    images: {
      type: 'boolean',
      default: false,
      doc: 'whether image flags say how often particles have crossed the box',
    },
  },
  fields: ({ images }) => ['velocity', 'mass', 'charge', ...(images ? (['image'] as const) : [])],
  open: (target, { style }) => ({
    write: (frame) => target.put(target.file, formatLammpsData(frame, style as WrittenStyle)),
    close: () => undefined,
  }),
  ownPlaces: ['molecule'],
  hasBonds: true,
});

export const readLammpsDataOperator = frameReaderOperator(lammpsData, {
  doc: 'Reads particles, box, masses, velocities and bonds from a data file of LAMMPS; says which sections it does not take.',
  placed: (grid, { bonds }) => {
    if (bonds) bondParticles(grid, bonds);
  },
});
