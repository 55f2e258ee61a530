import { CorpuscleError } from '@corpuscle/functor/error';
import { type SavedRun, savedRunOf } from '../graph/run/SavedRun.js';
import { operatorsOf, type Simulation } from '../graph/Simulation.js';
import { describeRun, differenceOf, partsOfRun, type RunDescription } from './describeRun.js';
import type { Saved } from './Saved.js';

/** What a checkpoint file holds. */
export type RunCheckpoint = {
  /** Version of Corpuscle that wrote it, and when. */
  readonly corpuscle: string;
  readonly written: string;
  /** What the run is made of: every operator with the values of its slots, units, seed, particle types. */
  readonly simulation: RunDescription;
  /** Bytes of every growing file. */
  readonly files: Readonly<Record<string, number>>;
  readonly run: SavedRun;
};

/** The version of Corpuscle. */
const CORPUSCLE = '0.1.0';

/** A checkpoint of a run whose growing files have these lengths. */
export function runCheckpoint(
  simulation: Simulation,
  files: Readonly<Record<string, number>>,
  run: SavedRun,
): RunCheckpoint {
  const written = new Date().toISOString();
  return { corpuscle: CORPUSCLE, written, simulation: describeRun(simulation), files, run };
}

/**
 * What was read, as the checkpoint of a simulation.
 * @throws CorpuscleError FILE_FORMAT for other data; CHECKPOINT_MISMATCH naming what differs, also for one of an older or a newer Corpuscle.
 */
export function checkpointFor(simulation: Simulation, file: string, saved: Saved): RunCheckpoint {
  const checkpoint = (saved ?? {}) as Partial<RunCheckpoint>;
  const { corpuscle, simulation: description, files, run } = checkpoint;
  const isSound = typeof corpuscle === 'string' && isDescription(description) && isLengths(files);
  if (!isSound)
    throw new CorpuscleError('FILE_FORMAT', `the checkpoint ${file} says nothing about its run`);
  if (generationOf(corpuscle) !== generationOf(CORPUSCLE))
    throw new CorpuscleError(
      'CHECKPOINT_MISMATCH',
      `the checkpoint ${file} was written by Corpuscle ${corpuscle}, and this is ${CORPUSCLE}: operators may keep other things; go on with that version, or begin anew without --restart`,
    );
  const difference = differenceOf(description, partsOfRun(simulation));
  if (difference !== null)
    throw new CorpuscleError(
      'CHECKPOINT_MISMATCH',
      `the checkpoint ${file} is of another simulation: ${difference.clause}; correct the input, begin anew without --restart, or begin another simulation from its particles (corpuscle convert ${file} start.xyz)`,
      difference.location && { location: difference.location },
    );
  return { ...(checkpoint as RunCheckpoint), run: savedRunOf(run) };
}

/** The name that a simulation gives its checkpoints; undefined where it writes none. */
export function checkpointFileOf(simulation: Simulation): string | undefined {
  for (const { definition, slots } of operatorsOf(simulation.root)) {
    const file = definition.keeper && slots.get('file');
    if (file && file.kind === 'value') return file.value as string;
  }
  return undefined;
}

/** What versions have in common that read each other's checkpoints: `1` of 1.4.2, `0.3` of 0.3.1. */
const generationOf = (version: string): string => /^0\.\d+|^\d+/.exec(version)?.[0] ?? version;

const isDescription = (value: unknown): value is RunDescription =>
  Array.isArray(value) &&
  value.every((pair: unknown) => Array.isArray(pair) && pair.every((x) => typeof x === 'string'));

const isLengths = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((x: unknown) => Number.isSafeInteger(x) && (x as number) >= 0);
