import { extendedXyzPieces, type WriteColumn } from './formatExtendedXyz.js';
import type { ExtraColumn, ParticleFrame } from './ParticleFrame.js';

/** A frame as the bytes of its text, in pieces, with all columns that it has. */
export const formatFrame = (frame: ParticleFrame): Generator<Uint8Array, void> =>
  extendedXyzPieces(writeFrameOf(frame));

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
    ...[...frame.extra].map(([name, column]) => writeColumnOf(name, column)),
  ];
  return {
    ...frame,
    columns,
    properties: { ...(step !== undefined && { step }), ...(time !== undefined && { time }) },
  };
}

/** Words are numbered, as columns have names for numbers. */
export function writeColumnOf(name: string, { type, width, values }: ExtraColumn): WriteColumn {
  if (values instanceof Float64Array)
    return { name, type: type === 'I' ? 'I' : 'R', width, values };
  const names = [...new Set(values)];
  const numbers = new Map(names.map((word, k) => [word, k]));
  return { name, type, width, names, values: values.map((word) => numbers.get(word)!) };
}
