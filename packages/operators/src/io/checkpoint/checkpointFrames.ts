import {
  CorpuscleError,
  imageFlags,
  type RunCheckpoint,
  readCheckpoint,
  SharedHeap,
} from '@corpuscle/core';
import { gridOfCheckpoint } from '@corpuscle/patterns';
import { bondsIn } from '../../bonds/savedBonds.js';
import { savedParticlesOf } from '../../run/checkpoint/savedParticles.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameFormat } from '../frames/FrameFormat.js';
import { type GridField, gridFrame } from '../frames/gridFrame.js';
import type { OwnColumn } from '../frames/ownColumns.js';

/** What particles of a checkpoint have that a run with other settings may begin from. */
const FIELDS: Readonly<Partial<Record<GridField, string>>> = {
  velocity: 'velocity',
  mass: 'mass',
  charge: 'charge',
  image: imageFlags.name,
};

/** Checkpoints as files of particles, in the units of their run: another simulation can begin from them. */
export const checkpointFrames = {
  name: 'checkpoint',
  extensions: ['.ckpt'],
  read: readCheckpointFrame,
} satisfies FrameFormat;

/** @throws CorpuscleError FILE_NOT_FOUND; FILE_FORMAT for a file that is damaged, or has no particles. */
async function* readCheckpointFrame(file: string): AsyncGenerator<ParticleFrame> {
  const checkpoint = (await readCheckpoint(file)) as RunCheckpoint;
  let frame: ParticleFrame;
  try {
    frame = frameOf(checkpoint);
  } catch (cause) {
    if (cause instanceof CorpuscleError && cause.code === 'OUT_OF_MEMORY') throw cause;
    const message = `the checkpoint ${file} has no particles that make sense`;
    throw new CorpuscleError('FILE_FORMAT', message, { cause });
  }
  yield frame;
}

function frameOf({ run: { step, time, shared = null } }: RunCheckpoint): ParticleFrame {
  const { grid: saved, species, columns, bonds } = savedParticlesOf(step, shared);
  const grid = gridOfCheckpoint(saved, { heap: new SharedHeap() });
  const fields = Object.entries(FIELDS).flatMap(([field, block]) =>
    grid.blocks.has(block) ? [field as GridField] : [],
  );
  const properties = (columns?.columns ?? []).map(
    ({ name, ...column }): OwnColumn => ({
      name,
      parts: Array.from({ length: column.width }, (_, part) => part),
      file: { ...column, id: columns!.id },
    }),
  );
  const frame = gridFrame(grid, { species, fields, properties, step, time });
  return { ...frame, bonds: bonds && bondsIn(bonds) };
}
