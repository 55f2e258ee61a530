import { CorpuscleError, type RunCheckpoint, type Simulation } from '@corpuscle/core';
import type { RunOptions } from '../cli.js';
import { exitCode } from '../exitCodes.js';
import { formatError, formatWarning } from '../output/formatError.js';
import { Profile } from '../output/Profile.js';
import { ProgressLine } from '../output/ProgressLine.js';
import { formatSummary } from '../output/summary.js';
import type { Streams } from '../Streams.js';
import { Interruption } from './Interruption.js';
import { isWorthRetrying } from './isWorthRetrying.js';
import { loadInput } from './loadInput.js';

/** `corpuscle run`: loads, checks, runs, and sums up; where it is asked to, it goes on after losses. */
export async function run(
  given: readonly string[],
  options: RunOptions,
  streams: Streams,
): Promise<number> {
  const { files, restart } = restartOf(given, options.restart);
  const [{ checkpointFileOf }, { checkBackend, loadBackend }, simulation] = await Promise.all([
    import('@corpuscle/core'),
    import('./backends.js'),
    loadInput(files, options),
  ]);
  checkBackend(options.backend);
  for (const warning of simulation.warnings) streams.err(formatWarning(warning));
  if (options.retries > 0 && checkpointFileOf(simulation) === undefined)
    throw new CorpuscleError(
      'MISSING_VALUE',
      '--retries goes on from checkpoints, and the simulation writes none: add checkpoint to its loop, for instance to dump_data',
    );
  const progress = new ProgressLine(streams, options.progress);
  const interruption = new Interruption(() => {
    progress.clear();
    streams.err('interrupted: finishing the step and closing files\n');
  });
  const job: Job = { simulation, options, streams, progress, interruption };
  try {
    const begin = restart ? await beginningOf(job, restart) : null;
    if (restart) streams.err(`${saidOf(begin)}\n`);
    await loadBackend(options.backend ?? simulation.configuration.backend);
    return await retried(job, begin);
  } finally {
    progress.clear();
    interruption.close();
  }
}

/** What all attempts at a run share. */
interface Job {
  readonly simulation: Simulation;
  readonly options: RunOptions;
  readonly streams: Streams;
  readonly progress: ProgressLine;
  readonly interruption: Interruption;
}

/** Attempts it again from the last checkpoint, as often as allowed, after losses that may not happen again. */
async function retried(job: Job, begin: RunCheckpoint | null): Promise<number> {
  const { options, streams, progress, interruption } = job;
  let older: 'keep' | 'replace' = options.overwrite ? 'replace' : 'keep';
  for (let tries = 0; ; tries++) {
    const from = tries === 0 ? begin : await beginningOf(job, true);
    if (tries > 0) streams.err(`retry ${tries} of ${options.retries}: ${saidOf(from)}\n`);
    try {
      return await attempt(job, from, older);
    } catch (error) {
      const mayRetry = tries < options.retries && !interruption.signal.aborted;
      if (!mayRetry || !isWorthRetrying(error)) throw error;
      progress.clear();
      streams.err(`${formatError(error).trimEnd()}\n`);
      older = 'replace'; // what is there now is of this run
    }
  }
}

/** One attempt at the run, in an execution context of its own. */
async function attempt(
  { simulation, options, streams, progress, interruption }: Job,
  restart: RunCheckpoint | null,
  older: 'keep' | 'replace',
): Promise<number> {
  const [{ runSimulation }, { createExecutionContext }] = await Promise.all([
    import('@corpuscle/core'),
    import('@corpuscle/patterns'),
  ]);
  const { configuration } = simulation;
  const threads = options.threads ?? configuration.threads;
  await using context = await createExecutionContext({
    backend: options.backend ?? configuration.backend,
    threads,
    precision: options.precision ?? configuration.precision,
    lowering: options.lowering,
    deterministic: configuration.deterministic,
    kernelLimit: options.kernelLimit || Number.POSITIVE_INFINITY,
  });
  const profile = options.profile ? new Profile(context) : null;
  const say = (show: (text: string) => void) => (text: string) => {
    progress.clear();
    show(`${text}\n`);
  };
  const { state, status } = await runSimulation(simulation, {
    context,
    outputDirectory: options.output,
    allowOutside: options.allowOutside,
    restart,
    older,
    onNotice: say(streams.err),
    signal: interruption.signal,
    onOperator: profile ? (name, milliseconds) => profile.add(name, milliseconds) : undefined,
    onProgress: progress.isWatched ? (at) => progress.update(at) : undefined,
    onMessage: say(streams.out),
  });
  progress.clear();
  streams.out(formatSummary(state, context, threads));
  if (profile) streams.out(await profile.format(simulation));
  return status === 'interrupted' ? exitCode.interrupted : exitCode.done;
}

/** Which files are read, and which checkpoint: in `--restart melt.yaml` the file is no checkpoint. */
function restartOf(
  given: readonly string[],
  restart: string | true | undefined,
): { readonly files: readonly string[]; readonly restart: string | true | undefined } {
  const isInput = typeof restart === 'string' && /\.ya?ml$/i.test(restart);
  return isInput ? { files: [...given, restart], restart: true } : { files: given, restart };
}

/** The checkpoint to go on from, the newest good one where none is named; null where there is none yet. */
async function beginningOf(
  { simulation, options, streams }: Job,
  restart: string | true,
): Promise<RunCheckpoint | null> {
  const { findRestart } = await import('@corpuscle/core');
  return findRestart(simulation, {
    checkpoint: restart === true ? undefined : restart,
    outputDirectory: options.output,
    note: (text) => streams.err(`${text}\n`),
  });
}

const saidOf = (checkpoint: RunCheckpoint | null): string =>
  checkpoint
    ? `going on from the checkpoint of step ${checkpoint.run.step}`
    : 'there is no checkpoint yet: beginning at the start';
