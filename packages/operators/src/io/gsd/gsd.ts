import type { FrameFormat } from '../frames/FrameFormat.js';
import { gsdWriter } from './gsdWriter.js';
import { readGsd } from './readGsd.js';

/** Trajectories of HOOMD-blue: f32, with types, masses, charges, images and bonds. */
export const gsd = {
  name: 'gsd',
  extensions: ['.gsd'],
  read: readGsd,
  write: gsdWriter,
} satisfies FrameFormat;
