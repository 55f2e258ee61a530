import { encodeDcd } from '../dcd/encodeDcd.js';
import { formatFrame } from '../extended_xyz/formatFrame.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { AddOptions, FrameEncoding, FrameWriter } from '../frames/FrameFormat.js';
import { chunksOf } from '../gsd/chunksOf.js';
import { formatLammpsDump } from '../lammps_dump/formatLammpsDump.js';
import { quantizedFrame } from '../stream/quantized.js';
import { formatVtp } from '../vtp/formatVtp.js';
import { encodeXtc } from '../xtc/encodeXtc.js';

/** What formats make of a frame before it is added to a file: most of the work, which needs nothing but the frame. */
const encoders = {
  extended_xyz: (frame: ParticleFrame) => formatFrame(frame),
  lammps_dump: formatLammpsDump,
  gsd: chunksOf,
  dcd: encodeDcd,
  xtc: encodeXtc,
  quantized: quantizedFrame,
  vtp: (frame: ParticleFrame) => ({
    step: frame.step,
    time: frame.time,
    pieces: [...formatVtp(frame)],
  }),
} as const;

type Encoders = typeof encoders;

/** Which encoder, and what it is told beside the frame. */
export interface EncoderCall {
  readonly name: keyof Encoders;
  readonly option?: unknown;
}

/** What an encoder makes of a frame. */
export function encoded(frame: ParticleFrame, { name, option }: EncoderCall): unknown {
  return (encoders[name] as (frame: ParticleFrame, option: unknown) => unknown)(frame, option);
}

/** A writer that adds what an encoder makes. */
export function encodingWriter<N extends keyof Encoders>(
  name: N,
  option: Parameters<Encoders[N]>[1],
  {
    add,
    ...parts
  }: Omit<FrameWriter, 'write' | 'encoding'> & {
    add(made: ReturnType<Encoders[N]>, how: AddOptions): void | Promise<void>;
  },
): FrameWriter {
  const call = { name, option };
  const encoding = { call, add: add as FrameEncoding['add'] };
  const write = (frame: ParticleFrame) => encoding.add(encoded(frame, call), { isAlone: false });
  return { ...parts, encoding, write };
}
