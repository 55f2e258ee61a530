import type { Bond } from '../../bonds/Bonds.js';
import { extendedXyzPieces } from '../extended_xyz/formatExtendedXyz.js';
import { type FrameOptions, frameOf, type WriteField } from '../extended_xyz/frameOf.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { type GridFrameOptions, gridFrame } from '../frames/gridFrame.js';
import { type ChosenGroup, rowsOfGroup } from '../frames/groupSlot.js';
import type { ParticleSource } from '../frames/ParticleSource.js';
import { scaleFrame } from '../frames/scaleFrame.js';
import { type EncoderCall, encoded } from './encoders.js';
import { type SoundTask, soundFrame } from './soundFrame.js';

/** What is made of particles for a file, in plain data: another thread can do it. */
export type FrameTask = TaskKind & {
  readonly step: number;
  readonly time: number;
  readonly group: ChosenGroup;
  /** The last good state of the run is made too. */
  readonly sound?: SoundTask | null;
};

export type TaskKind = ColumnTask | EncodingTask;

/** What became of particles. */
export interface MadeFrame {
  /** For the file. */
  readonly made: unknown;
  /** The last good state, where it was asked for and is good. */
  readonly sound: ParticleFrame | null;
}

/** Extended xyz with chosen columns, as pieces of bytes. */
export interface ColumnTask {
  readonly kind: 'extended_xyz';
  readonly species: readonly string[];
  readonly fields: readonly WriteField[];
  readonly options: Omit<FrameOptions, 'rows'>;
}

/** A frame, as what its format makes of it. */
export interface EncodingTask {
  readonly kind: 'frame';
  readonly options: Omit<GridFrameOptions, 'rows' | 'step' | 'time'>;
  /** Factors from the units of the run to those of the file. */
  readonly scale: { readonly length: number; readonly time: number };
  /** Those whose particles are in the frame are part of it. */
  readonly bonds: readonly Bond[] | null;
  /** Null for the frame itself. */
  readonly encoder: EncoderCall | null;
}

/** @throws CorpuscleError for a group, or a column, that is not there */
export function doTask(source: ParticleSource, task: FrameTask): MadeFrame {
  const sound = task.sound ? soundFrame(source, task.sound) : null;
  return { made: madeOf(source, task), sound };
}

function madeOf(source: ParticleSource, task: FrameTask): unknown {
  if (task.kind === 'frame') {
    const frame = frameFor(source, task);
    return task.encoder ? encoded(frame, task.encoder) : frame;
  }
  const { species, fields, options, group } = task;
  const rows = rowsOfGroup(group, source, species);
  return extendedXyzPieces(frameOf(source, species, fields, { ...options, rows }));
}

function frameFor(source: ParticleSource, task: FrameTask & EncodingTask): ParticleFrame {
  const { options, group, bonds, scale, step, time } = task;
  const rows = rowsOfGroup(group, source, options.species);
  const inRun = gridFrame(source, { ...options, rows, step, time });
  const frame = scaleFrame(inRun, scale.length, scale.time);
  if (!bonds) return frame;
  const present = new Set(frame.id);
  return { ...frame, bonds: bonds.filter(({ ids }) => ids.every((id) => present.has(id))) };
}
