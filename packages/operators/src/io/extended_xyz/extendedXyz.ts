import type { FrameFormat, FrameReader, FrameReadOptions } from '../frames/FrameFormat.js';
import { textWriter } from '../frames/textWriter.js';
import { extendedXyzPieces, type WriteColumn } from './formatExtendedXyz.js';
import type { ParticleFrame } from './ParticleFrame.js';
import { extendedXyzFrames } from './readExtendedXyz.js';

/** Extended xyz, with all columns that a frame can have. */
export const extendedXyz: FrameFormat = {
  name: 'extended_xyz',
  extensions: ['.xyz', '.extxyz'],
  read: (file, options) => xyzFrames(file, options, ALL),
  write: (target) => textWriter(target, formatFrame),
};

/** A frame as the bytes of its text, in pieces, with all columns that it has. */
export const formatFrame = (frame: ParticleFrame): Generator<Uint8Array, void> =>
  extendedXyzPieces(writeFrameOf(frame));

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

function writeFrameOf(frame: ParticleFrame) {
  const { step, time, species } = frame;
  const real = (name: string, width: number, values: ArrayLike<number> | null | undefined) =>
    values ? [{ name, type: 'R', width, values } as const] : [];
  const whole = (name: string, width: number, values: ArrayLike<number> | null | undefined) =>
    values ? [{ name, type: 'I', width, values } as const] : [];
  const columns: WriteColumn[] = [
    { name: 'species', type: 'S', width: 1, values: frame.type, names: species },
    ...real('pos', 3, frame.position),
    ...real('velo', 3, frame.velocity),
    ...whole('id', 1, frame.id),
    ...real('mass', 1, frame.mass),
    ...real('charge', 1, frame.charge),
    ...whole('molecule', 1, frame.molecule),
    ...whole('image', 3, frame.image),
    ...real('forces', 3, frame.force),
    ...real('energies', 1, frame.energy),
  ];
  return {
    ...frame,
    columns,
    properties: { ...(step !== undefined && { step }), ...(time !== undefined && { time }) },
  };
}
