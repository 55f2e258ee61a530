import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { OutputFolder } from '@corpuscle/core';
import {
  type FrameFormat,
  frameFormats,
  outputTarget,
  type ParticleFrame,
} from '@corpuscle/operators';
import fc from 'fast-check';

/** A format by its name. */
export function formatOf(name: string): FrameFormat {
  const format = frameFormats.find((one) => one.name === name);
  if (!format) throw new Error(`there is no format ${name}`);
  return format;
}

/** Writes frames, and gives what is in the file. */
export async function writeFrames(
  format: FrameFormat,
  file: string,
  frames: readonly ParticleFrame[],
): Promise<Buffer> {
  const output = new OutputFolder(dirname(file), { older: 'replace' });
  const writer = format.write!(outputTarget(output, basename(file)));
  try {
    for (const frame of frames) await writer.write(frame);
    await writer.close();
  } finally {
    await writer.abandon?.();
    await output.close();
  }
  return readFileSync(file);
}

/** All frames of a file, and what the reader noted. */
export async function readFrames(format: FrameFormat, file: string, types?: readonly string[]) {
  const notes: string[] = [];
  const frames: ParticleFrame[] = [];
  const options = { onNote: (text: string) => notes.push(text), ...(types && { types }) };
  for await (const frame of format.read!(file, options)) frames.push(frame);
  return { frames, notes };
}

const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
const length = fc.double({ noNaN: true, min: 0.5, max: 1e3 });
const tilt = fc.double({ noNaN: true, min: -100, max: 100 });
/** As many numbers as particles, times `width`; or none. */
const column = (count: number, width: number, one: fc.Arbitrary<number> = number) =>
  fc.array(one, { minLength: count * width, maxLength: count * width });

/** Which parts a frame may have. */
export interface FrameParts {
  readonly tilted?: boolean;
  readonly columns?: readonly ('velocity' | 'force' | 'energy' | 'charge' | 'molecule' | 'image')[];
  /** Names of types. Default A, B, C. */
  readonly species?: readonly string[];
  /** Least id; null for ids in the order of the file, from 0. Default 1. */
  readonly ids?: number | null;
  readonly minimum?: number;
}

/** Frames with anything in them that a format can say; masses are those of the types. */
export function anyFrame(parts: FrameParts = {}): fc.Arbitrary<ParticleFrame> {
  const { tilted = true, columns = [], species = ['A', 'B', 'C'], ids = 1, minimum = 1 } = parts;
  return fc.integer({ min: minimum, max: 25 }).chain((count) => {
    const part = (name: (typeof columns)[number], width: number, one?: fc.Arbitrary<number>) =>
      columns.includes(name) ? column(count, width, one) : fc.constant(null);
    const whole = fc.integer({ min: -9, max: 9 });
    return fc
      .record({
        sides: fc.tuple(length, length, length),
        tilts: tilted ? fc.tuple(tilt, tilt, tilt) : fc.constant([0, 0, 0] as const),
        position: column(count, 3),
        type: column(count, 1, fc.integer({ min: 0, max: species.length - 1 })),
        order: fc.shuffledSubarray(
          Array.from({ length: count }, (_, k) => k),
          { minLength: count },
        ),
        velocity: part('velocity', 3),
        force: part('force', 3),
        energy: part('energy', 1),
        charge: part('charge', 1),
        molecule: part('molecule', 1, fc.integer({ min: 0, max: 5 })),
        image: part('image', 3, whole),
        step: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      })
      .map(({ sides: [lx, ly, lz], tilts: [xy, xz, yz], ...rest }): ParticleFrame => {
        const real = (values: readonly number[] | null) => values && Float64Array.from(values);
        const type = Uint32Array.from(rest.type);
        return {
          count,
          lattice: [lx, 0, 0, xy, ly, 0, xz, yz, lz],
          origin: [0, 0, 0],
          periodic: [true, true, true],
          species,
          type,
          position: Float64Array.from(rest.position),
          velocity: real(rest.velocity),
          force: real(rest.force),
          energy: real(rest.energy),
          id: ids === null ? null : Float64Array.from(rest.order, (k) => k + ids),
          mass: Float64Array.from(type, (t) => t + 1.5),
          charge: real(rest.charge),
          molecule: real(rest.molecule),
          image: rest.image && Int32Array.from(rest.image),
          extra: new Map(),
          properties: new Map(),
          step: rest.step,
        };
      });
  });
}
