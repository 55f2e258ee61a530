import { join } from 'node:path';
import {
  CorpuscleError,
  type OperatorListener,
  type RunCheckpoint,
  type Simulation,
  type StopSignal,
} from '@corpuscle/core';
import type { Communicator } from '@corpuscle/mpi';
import type { Engine, HostEngine } from '@corpuscle/patterns';
import type { Replicas } from '@corpuscle/patterns/replicas';
import { exitCode, exitCodeOf, failureOf } from '../exitCodes.js';
import { formatError } from '../output/formatError.js';
import { Profile } from '../output/Profile.js';
import { RunReport } from '../output/RunReport.js';
import { formatSummary, summaryOf } from '../output/summary.js';
import { Trace } from '../output/Trace.js';
import type { RunOptions } from '../program/options.js';
import type { Streams } from '../Streams.js';
import { endWithStarter } from '../signals/endWithStarter.js';
import { Interruption } from '../signals/Interruption.js';
import { backendFor, contextFor } from './contextFor.js';
import { isWorthRetrying } from './isWorthRetrying.js';
import { loadRun } from './loadRun.js';
import { mayShareDevice } from './mayShareDevice.js';

/** `corpuscle run`: loads, checks, runs, and sums up; where it is asked to, it goes on after losses. */
export async function run(
  given: readonly string[],
  options: RunOptions,
  streams: Streams,
  ranks?: Communicator,
): Promise<number> {
  const { simulations, restart } = await loadRun(given, options, streams, ranks !== undefined);
  if (ranks) {
    const { refuseOnCards } = await import('@corpuscle/operators');
    const { assertOneCard } = await import('../cards/onOneCard.js');
    for (const simulation of simulations) {
      if (backendFor(simulation, options, true) === 'cpu') continue;
      refuseOnCards(simulation);
      assertOneCard(process.env);
    }
  }
  const { matrix } = simulations[0]!;
  if (!matrix) {
    if (options.jobs !== undefined) throw noMatrix();
    return runOne(simulations[0]!, restart, options, streams, { ranks });
  }
  const { jobs = 1, point } = options;
  const outputOf = (k: number): string => join(options.output, matrix[k]!);
  const nameOf = (k: number): string => `${k + 1} of ${matrix.length}: ${outputOf(k)}\n`;
  const runPoint = (k: number): Promise<number> =>
    runOne(simulations[k]!, restart, { ...options, output: outputOf(k) }, streams, { ranks });
  if (point !== undefined && point < matrix.length) {
    endWithStarter();
    return runPoint(point);
  }
  if (jobs > 1)
    return (await import('./runJobs.js')).runJobs(matrix, { ...options, jobs }, streams);
  if (!ranks && !options.dryRun && mayShareDevice(simulations, options)) {
    const { runTogether } = await import('./runTogether.js');
    return runTogether(simulations.length, { ...options, nameOf }, streams, (k, shared, own) =>
      runOne(
        simulations[k]!,
        restart,
        { ...options, progress: false, output: outputOf(k) },
        own,
        shared,
      ),
    );
  }
  let worst: number = exitCode.done;
  for (const k of simulations.keys()) {
    streams.err(nameOf(k));
    try {
      const code = await runPoint(k);
      if (code === exitCode.interrupted) return code;
    } catch (error) {
      // One that fails does not keep the others from being run, but where ranks share it.
      if (ranks) throw error;
      streams.err(formatError(error));
      worst = Math.max(worst, exitCodeOf(error));
    }
  }
  return worst;
}

const noMatrix = () =>
  new CorpuscleError(
    'INVALID_VALUE',
    '--jobs runs the simulations of a matrix side by side, and there is no matrix: give one, or leave --jobs out',
  );

/** What a run shares with others. */
export interface SharedRun {
  /** The processes that share it, where there are several. */
  readonly ranks?: Communicator | undefined;
  /** The device of the replicas that it is one of, and what ends all of them. */
  readonly replicas?: Replicas;
  readonly interruption?: Interruption;
}

/** One simulation, of a sweep perhaps. */
async function runOne(
  loaded: Simulation,
  restart: string | true | undefined,
  options: RunOptions,
  streams: Streams,
  shared: SharedRun,
): Promise<number> {
  const { ranks, replicas } = shared;
  const [{ checkpointFileOf, withOneBackend }, { checkBackend, loadBackend }] = await Promise.all([
    import('@corpuscle/core'),
    import('./backends.js'),
  ]);
  checkBackend(options.backend);
  const simulation = options.backend || ranks ? withOneBackend(loaded) : loaded;
  if (options.retries > 0 && checkpointFileOf(simulation) === undefined)
    throw new CorpuscleError(
      'MISSING_VALUE',
      '--retries goes on from checkpoints, and the simulation writes none: add checkpoint to its loop, for instance to dump_data',
    );
  if (options.dryRun) {
    const { dryRun } = await import('./dryRun.js');
    await loadBackend(options.backend ?? simulation.configuration.backend);
    return dryRun(simulation, options, streams);
  }
  const report = new RunReport(streams, options, simulation);
  const interruption = shared.interruption ?? new Interruption(options.output, report.notice);
  const job: Job = { simulation, options, streams, report, interruption, ranks, replicas };
  try {
    for (const warning of simulation.warnings) report.warn(warning);
    const begin = restart ? await beginningOf(job, restart) : null;
    if (ranks) assertSameStep(ranks, begin);
    if (restart) report.notice(saidOf(begin));
    await loadBackend(options.backend ?? simulation.configuration.backend);
    return await retried(job, begin);
  } catch (error) {
    report.failed(error);
    throw error;
  } finally {
    report.close();
    if (!shared.interruption) interruption.close();
  }
}

/** What all attempts at a run share. */
interface Job {
  readonly simulation: Simulation;
  readonly options: RunOptions;
  readonly streams: Streams;
  readonly report: RunReport;
  readonly interruption: Interruption;
  /** The processes that share the run, where there are several. */
  readonly ranks?: Communicator | undefined;
  readonly replicas?: Replicas | undefined;
}

/** Attempts it again from the last checkpoint, as often as allowed, after losses that may not happen again. */
async function retried(job: Job, begin: RunCheckpoint | null): Promise<number> {
  const { options, streams, report, interruption } = job;
  let older: 'keep' | 'replace' = options.overwrite ? 'replace' : 'keep';
  for (let tries = 0; ; tries++) {
    const from = tries === 0 ? begin : await beginningOf(job, true);
    if (tries > 0) report.notice(`retry ${tries} of ${options.retries}: ${saidOf(from)}`);
    try {
      return await attempt(job, from, older);
    } catch (error) {
      const mayRetry = tries < options.retries && !interruption.signal.aborted;
      if (!mayRetry || !isWorthRetrying(error)) throw error;
      report.clear();
      report.failed(error);
      streams.err(`${formatError(error, streams).trimEnd()}\n`);
      older = 'replace'; // what is there now is of this run
    }
  }
}

/** One attempt at the run, in an execution context of its own. */
async function attempt(
  { simulation, options, streams, report, interruption, ranks, replicas }: Job,
  restart: RunCheckpoint | null,
  older: 'keep' | 'replace',
): Promise<number> {
  const { runSimulation } = await import('@corpuscle/core');
  const began = performance.now();
  const { deterministic } = simulation.configuration;
  const shared = ranks && (await shareRun(ranks, interruption.signal, deterministic));
  await using context = replicas
    ? await replicas.context(options)
    : await contextFor(simulation, options, shared?.around);
  const first = restart?.run.step ?? 0;
  let [from, to]: (number | undefined)[] = [];
  let hasBegun = false;
  await interruption.ready();
  const profile = options.profile ? new Profile(context, began) : null;
  using trace = options.trace ? new Trace(options.trace, context, report.warnOfFile) : null;
  const { state, status } = await runSimulation(simulation, {
    context,
    outputDirectory: options.output,
    allowOutside: options.allowOutside,
    restart,
    older,
    onNotice: report.notice,
    writes: (ranks?.rank ?? 0) === 0,
    signal: shared?.signal ?? interruption.signal,
    onOperator: listenersOf(profile, trace),
    onEventLoop: profile?.addEventLoop,
    onProgress(at) {
      from ??= at.time;
      to = at.time;
      hasBegun ||= at.step > first;
      if (hasBegun) interruption.beginSteps();
      if (report.isWatched) report.update(at);
    },
    onMessage: report.message,
    onFailure({ hasWritten }) {
      hasBegun ||= hasWritten;
    },
  }).catch((error: unknown) => {
    throw hasBegun ? failureOf(error) : error;
  });
  await trace?.finish();
  const { units, threads } = simulation.configuration;
  const text = formatSummary(state, context, {
    threadsAsked: options.threads ?? threads,
    simulated: { units, time: (to ?? 0) - (from ?? 0) },
  });
  report.summary(text, { status, ...summaryOf(state, context) });
  if (profile) (options.json ? streams.err : streams.out)(await profile.format(simulation));
  return status === 'interrupted' ? exitCode.interrupted : exitCode.done;
}

/** What puts ranks around an engine. They end together: at the step at which all know that one of them was asked to. */
async function shareRun(ranks: Communicator, asked: StopSignal, deterministic: boolean) {
  const { CardsEngine, RanksEngine } = await import('@corpuscle/mpi');
  let engine: InstanceType<typeof RanksEngine> | undefined;
  return {
    around: {
      around(below: HostEngine): HostEngine {
        engine = new RanksEngine(below, ranks, () => asked.aborted, deterministic);
        return engine;
      },
      aroundDevice: (below: Engine) => new CardsEngine(below, engine!, ranks),
    },
    signal: {
      get aborted() {
        return engine?.mustStop ?? false;
      },
    },
  };
}

/** What is told of calls of operators; undefined without a listener, since telling takes time. */
function listenersOf(profile: Profile | null, trace: Trace | null): OperatorListener | undefined {
  if (!profile && !trace) return undefined;
  return (name, milliseconds, path, times) => {
    profile?.add(name, milliseconds, path, times);
    trace?.add(name, milliseconds, path);
  };
}

/** The checkpoint to go on from, the newest good one where none is named; null where there is none yet. */
async function beginningOf(
  { simulation, options, report }: Job,
  restart: string | true,
): Promise<RunCheckpoint | null> {
  const { findRestart } = await import('@corpuscle/core');
  return findRestart(simulation, {
    checkpoint: restart === true ? undefined : restart,
    outputDirectory: options.output,
    note: report.notice,
  });
}

/** All ranks have read the checkpoint before the first changes files, and all have read the same. */
function assertSameStep(ranks: Communicator, begin: RunCheckpoint | null): void {
  const steps = ranks.gather(Float64Array.of(begin?.run.step ?? -1));
  if (steps.every((step) => step === steps[0])) return;
  throw new CorpuscleError(
    'CHECKPOINT_MISMATCH',
    `ranks found checkpoints of steps ${[...new Set(steps)].join(' and ')}: put the output folder where all of them see it, or name a checkpoint`,
  );
}

const saidOf = (checkpoint: RunCheckpoint | null): string =>
  checkpoint
    ? `going on from the checkpoint of step ${checkpoint.run.step}`
    : 'there is no checkpoint yet: beginning at the start';
