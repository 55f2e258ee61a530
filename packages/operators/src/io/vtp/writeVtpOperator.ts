import { frameWriterOperator } from '../frames/frameWriterOperator.js';
import type { GridField } from '../frames/gridFrame.js';
import { vtpWriter } from './vtp.js';

const FIELDS = ['velocity', 'force', 'energy', 'mass', 'charge', 'image', 'stress'] as const;

export const writeVtpOperator = frameWriterOperator({
  name: 'write_vtp',
  doc: 'Writes a frame as VTK polygons for ParaView: file is the series, a.pvd; frames are a.0.vtp, a.100.vtp and so on, by their steps.',
  slots: {
    fields: {
      type: 'list',
      of: { type: 'enum', values: FIELDS },
      default: ['velocity'],
      doc: 'what is written beside positions, ids and types; image is how often a particle has crossed the box, stress is what particle_stress left: xx yy zz xy xz yz',
    },
  },
  fields: ({ fields }) => fields as readonly GridField[],
  open: vtpWriter,
});
