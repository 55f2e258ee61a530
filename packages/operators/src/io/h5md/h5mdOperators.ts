import type { OperatorDefinition } from '@corpuscle/core';
import { missingForH5md } from '#operators/platform';
import { bondParticles } from '../../bonds/bondParticles.js';
import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { frameWriterOperator } from '../frames/frameWriterOperator.js';
import type { GridField } from '../frames/gridFrame.js';
import { h5md } from './h5md.js';
import { h5mdWriter } from './h5mdWriter.js';

const FIELDS = ['velocity', 'force', 'energy', 'mass', 'charge', 'image', 'stress'] as const;

/** What is not installed is told when a file is read, not after hours. */
const validate: OperatorDefinition['validate'] = ({ fail }) => {
  const missing = missingForH5md();
  if (missing) fail('', 'BACKEND_UNAVAILABLE', missing);
};

export const writeH5mdOperator = frameWriterOperator({
  name: 'write_h5md',
  doc: 'Adds positions, ids, types and box, sorted by id, to an H5MD file (HDF5); needs the optional package h5wasm.',
  slots: {
    fields: {
      type: 'list',
      of: { type: 'enum', values: FIELDS },
      default: ['velocity', 'mass'] as const,
      doc: 'what is written beside positions, ids and types; energy is that of each particle, image how often it has crossed the box',
    },
    precision: {
      type: 'enum',
      values: ['single', 'double'] as const,
      default: 'double',
      doc: 'bits of real numbers: 32 or 64',
    },
  },
  fields: ({ fields }) => fields as readonly GridField[],
  open: (target, { precision }) =>
    h5mdWriter(target, { precision: precision as 'single' | 'double', isGiven: true }),
  hasProperties: true,
  hasBonds: true,
  validate,
});

export const readH5mdOperator = frameReaderOperator(h5md, {
  doc: 'Reads particles, box, velocities and bonds from an H5MD file (HDF5); needs the optional package h5wasm.',
  placed: (grid, { bonds }) => {
    if (bonds) bondParticles(grid, bonds);
  },
  validate,
});
