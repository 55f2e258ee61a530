import { CorpuscleError, type Simulation } from '@corpuscle/core';
import type { RunOptions } from '../program/options.js';
import type { Streams } from '../Streams.js';
import { loadPoints } from './loadInput.js';

/** What `corpuscle run` reads. */
interface LoadedRun {
  readonly simulations: readonly Simulation[];
  /** The checkpoint that is named, or whether the run goes on from the newest. */
  readonly restart: string | true | undefined;
}

/**
 * Reads the simulations of a run.
 * @param onRanks whether several processes share it
 * @throws CorpuscleError as `loadPoints`, and for what ranks cannot do
 */
export async function loadRun(
  given: readonly string[],
  options: RunOptions,
  streams: Streams,
  onRanks: boolean,
): Promise<LoadedRun> {
  if (onRanks) refuseOptions(options);
  const { files, restart } = restartOf(given, options.restart);
  const simulations = await loadPoints(files, options, streams);
  if (onRanks) {
    const { refuseOnRanks } = await import('@corpuscle/operators');
    for (const simulation of simulations) refuseOnRanks(simulation);
  }
  return { simulations, restart };
}

/** Which files are read, and which checkpoint: in `--restart melt.yaml` the file is no checkpoint. */
function restartOf(
  given: readonly string[],
  restart: string | true | undefined,
): { readonly files: readonly string[]; readonly restart: string | true | undefined } {
  const isInput = typeof restart === 'string' && /\.ya?ml$/i.test(restart);
  return isInput ? { files: [...given, restart], restart: true } : { files: given, restart };
}

const RANK_BACKENDS: readonly string[] = ['auto', 'cpu', 'webgpu'];

/** @throws CorpuscleError INVALID_VALUE */
function refuseOptions({ retries, dryRun, jobs, backend }: RunOptions): void {
  if (retries > 0)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'mpirun cannot start ranks again, as --retries asks: let corpuscle start them with --ranks, or leave it out',
    );
  const given = [
    dryRun && '--dry-run',
    jobs !== undefined && '--jobs',
    backend && !RANK_BACKENDS.includes(backend) && `--backend ${backend}`,
  ].find(Boolean);
  if (given)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${given} cannot be used on several ranks yet: leave it out, or run on one rank`,
    );
}
