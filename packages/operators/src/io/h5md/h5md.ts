import type { ExtraColumn } from '../extended_xyz/ParticleFrame.js';
import type { FrameFormat } from '../frames/FrameFormat.js';
import { h5mdWriter } from './h5mdWriter.js';
import { readH5md } from './readH5md.js';

/** H5MD 1.1 (P. de Buyl, P. H. Colberg, F. Höfling, 2014): trajectories in HDF5, f64. */
export const h5md = {
  name: 'h5md',
  extensions: ['.h5md', '.h5'],
  keepsColumn: ({ values }: ExtraColumn) => values instanceof Float64Array,
  read: readH5md,
  write: (target) => h5mdWriter(target),
} satisfies FrameFormat;
