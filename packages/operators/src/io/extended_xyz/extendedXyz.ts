import type { FrameFormat, FrameReadOptions } from '../frames/FrameFormat.js';
import { textWriter } from '../frames/textWriter.js';
import { extendedXyzFrames } from './readExtendedXyz.js';

/** Extended xyz, with all columns of a file. */
export const extendedXyz = {
  name: 'extended_xyz',
  extensions: ['.xyz', '.extxyz'],
  keepsColumn: () => true,
  read: readFrames,
  write: (target) => textWriter(target, 'extended_xyz'),
} satisfies FrameFormat;

/** Columns that have a place of their own in a frame, or follow from others. */
const PLACED = ['forces', 'force', 'energies', 'energy', 'molecule', 'image', 'momenta'];

async function* readFrames(file: string, { types = [], onNote }: FrameReadOptions = {}) {
  const wanted = { keep: 'all', onNote, ...(types.length > 0 && { types }) } as const;
  const frames = extendedXyzFrames(file, wanted);
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
      extra: new Map([...extra].filter(([name]) => !PLACED.includes(name))),
      step: number('step'),
      time: number('time'),
    };
  }
}
