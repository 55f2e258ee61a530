import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { CorpuscleError } from '@corpuscle/core';
import type { Communicator } from '@corpuscle/mpi';
import { run } from '../commands/run.js';
import { exitCodeOf } from '../exitCodes.js';
import { formatError } from '../output/formatError.js';
import type { RunOptions } from '../program/options.js';
import type { Streams } from '../Streams.js';
import { launchedRanks } from './launchedRanks.js';

/** Milliseconds that ranks beside the first wait before they tell an error: mostly all have the same, and the first tells it. */
const TURN = 1000;
/** The same for a run that blew up: all find that in the same step, and the first writes the last good state. */
const RESCUE = 60_000;

/**
 * `corpuscle run` in one of several processes that `mpirun` has started. The first tells what happens; an error of one ends all.
 * @throws CorpuscleError NO_MPI where the package or MPI is missing
 */
export async function runOnRanks(
  files: readonly string[],
  options: RunOptions,
  streams: Streams,
): Promise<number> {
  const communicator = await join();
  const { rank } = communicator;
  try {
    const { local } = launchedRanks(process.env);
    const threads = options.threads ?? Math.max(1, Math.floor(availableParallelism() / local));
    const own = { ...options, threads };
    const code = await (rank === 0
      ? run(files, own, streams, communicator)
      : run(files, { ...own, ...nothingTold }, silent, communicator));
    communicator.close();
    return code;
  } catch (error) {
    const isFoundByAll = error instanceof CorpuscleError && error.code === 'NOT_FINITE';
    if (rank > 0) await sleep(isFoundByAll ? RESCUE : TURN);
    streams.err(`rank ${rank}: ${formatError(error, streams)}`);
    await sleep(50); // what was told goes through a pipe of the launcher
    return communicator.abort(exitCodeOf(error));
  }
}

const nothingTold = { log: undefined, trace: undefined, profile: false, progress: false };
const silent: Streams = { out() {}, err() {}, terminal: false };

async function join(): Promise<Communicator> {
  let joinRanks: typeof import('@corpuscle/mpi').joinRanks;
  try {
    ({ joinRanks } = await import('@corpuscle/mpi'));
  } catch (cause) {
    throw new CorpuscleError(
      'NO_MPI',
      'ranks need the package @corpuscle/mpi, which is not installed: npm install @corpuscle/mpi',
      { cause },
    );
  }
  return joinRanks();
}
