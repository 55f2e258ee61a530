import type { FrameFormat, FrameReader, FrameReadOptions } from '../frames/FrameFormat.js';
import { textWriter } from '../frames/textWriter.js';
import { extendedXyzFrames } from './readExtendedXyz.js';

/** Extended xyz, with all columns that a frame can have. */
export const extendedXyz: FrameFormat = {
  name: 'extended_xyz',
  extensions: ['.xyz', '.extxyz'],
  read: (file, options) => xyzFrames(file, options, ALL),
  write: (target) => textWriter(target, 'extended_xyz'),
};

/** The frames of a file, for runs: without columns that these have no use for, except images. */
export const readRunFrames: FrameReader = (file, options) => xyzFrames(file, options, ['image']);

const ALL = ['forces', 'force', 'energies', 'energy', 'molecule', 'image'];

/** @param keep columns that are kept besides those that make particles. */
async function* xyzFrames(
  file: string,
  { types = [] }: FrameReadOptions = {},
  keep: readonly string[],
) {
  const frames = extendedXyzFrames(file, { keep, ...(types.length > 0 && { types }) });
  for (const frame of frames) {
    const { extra, properties } = frame;
    const column = (width: number, ...names: readonly string[]): Float64Array | null => {
      for (const name of names) {
        const found = extra.get(name);
        if (found?.width === width && found.values instanceof Float64Array) return found.values;
      }
      return null;
    };
    const image = column(3, 'image');
    const number = (name: string): number | undefined => {
      const text = properties.get(name);
      return text !== undefined && Number.isFinite(Number(text)) ? Number(text) : undefined;
    };
    yield {
      ...frame,
      force: column(3, 'forces', 'force'),
      energy: column(1, 'energies', 'energy'),
      molecule: column(1, 'molecule'),
      image: image && Int32Array.from(image),
      step: number('step'),
      time: number('time'),
    };
  }
}
