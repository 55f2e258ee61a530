import { CorpuscleError } from '@corpuscle/functor/error';
import { path } from '#core/platform';
import type { Simulation } from '../graph/Simulation.js';
import { newestCheckpoint } from './checkpointFiles.js';
import { checkpointFileOf, checkpointFor, type RunCheckpoint } from './RunCheckpoint.js';
import { readCheckpoint } from './readCheckpoint.js';

/** Which checkpoint a run goes on from. */
export interface RestartOptions {
  /** A checkpoint. Default: the newest good one among the files of the run. */
  readonly checkpoint?: string | undefined;
  /** Where relative output names go; default: the working directory. */
  readonly outputDirectory?: string;
  /** Told in a sentence of damaged checkpoints. */
  readonly note?: (text: string) => void;
}

/**
 * Finds the checkpoint that a simulation goes on from; null where it has not written one yet, so that it begins at the start.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT, CHECKPOINT_MISMATCH; MISSING_VALUE when the simulation writes none.
 * @example
 * const restart = await findRestart(simulation, { outputDirectory: 'results' });
 * await runSimulation(simulation, { context, outputDirectory: 'results', restart });
 */
export async function findRestart(
  simulation: Simulation,
  { checkpoint, outputDirectory = '.', note = () => {} }: RestartOptions = {},
): Promise<RunCheckpoint | null> {
  const name = checkpointFileOf(simulation);
  if (name === undefined)
    throw new CorpuscleError(
      'MISSING_VALUE',
      'the simulation writes no checkpoints, so that it cannot go on from one: add checkpoint to its loop, for instance to dump_data',
    );
  const found =
    checkpoint === undefined
      ? await newestCheckpoint(path.resolve(outputDirectory, name), note)
      : { path: checkpoint, saved: await readCheckpoint(checkpoint) };
  return found && checkpointFor(simulation, found.path, found.saved);
}
