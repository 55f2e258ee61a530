import { CorpuscleError } from '@corpuscle/functor/error';
import { existsSync, path } from '#core/platform';
import { clearCheckpoints } from '../checkpoint/checkpointFiles.js';
import { checkpointFileOf, type RunCheckpoint } from '../checkpoint/RunCheckpoint.js';
import { OutputFolder } from '../io/OutputFolder.js';
import { refuseOutsideOutputs } from './outsideOutputs.js';
import { GraphRunner, type RunListeners } from './run/GraphRunner.js';
import { placedLate } from './run/placedLate.js';
import { operatorsOf, type Simulation } from './Simulation.js';
import { type Progress, SimulationState, type StopSignal } from './SimulationState.js';

/** What a run needs besides the simulation. */
export interface RunOptions extends RunListeners {
  /** The execution context of @corpuscle/patterns; operators find it as `state.context`. */
  readonly context?: unknown;
  /** Where relative output names go; default: the working directory. */
  readonly outputDirectory?: string;
  /** Whether files may be written outside of the output folder: absolute names, and names with `..`. Default false. */
  readonly allowOutside?: boolean;
  /** Whether this process writes the files of the run; of several that share a run one does. Default true. */
  readonly writes?: boolean;
  /** The checkpoint to go on from, as `findRestart` gives it; null and default: the run begins at the start. */
  readonly restart?: RunCheckpoint | null;
  /** Interrupts the run after the step it is in. */
  readonly signal?: StopSignal;
  /** Interrupts the run as the signal does, which it is asked for after this step. */
  readonly stopAfter?: number;
  /** Told the step and the simulated time, after a step or after several that were made as one. */
  readonly onProgress?: (progress: Progress) => void;
  /** Lines for the user, such as rows of the thermo table. */
  readonly onMessage?: (text: string) => void;
  /** Sentences about the run itself, such as what happened to the files of an earlier one. */
  readonly onNotice?: (text: string) => void;
  /** Told of a run that fails whether it has written files, `failed.xyz` among them. */
  readonly onFailure?: (what: { readonly hasWritten: boolean }) => void;
  /** What happens to files of an earlier run: `keep` (default) gives them numbered names, `replace` forgets them. */
  readonly older?: 'keep' | 'replace';
}

/**
 * How a run ended, and what its operators left. Its particles are in the memory of the context until the context is closed, or
 * `state.free()` is called, which `using` does: of many runs in one context each should.
 *
 * @example
 * for (const simulation of simulations) {
 *   using run = await runSimulation(simulation, { context });
 *   console.log(run.state.get(thermoKey).temperature);
 * }
 */
export interface RunResult extends Disposable {
  readonly status: 'completed' | 'interrupted';
  readonly state: SimulationState;
}

/**
 * Runs a loaded simulation.
 *
 *   outputs can be written? ─▶ operators ─▶ finish ─▶ dispose ─▶ files are closed
 *                                  └─ failure ─▶ dispose ─▶ files are closed: what was written stays
 *
 * An interrupted run ends with the next pass of the loop it is in and its epilog, and then like a completed one.
 *
 * @throws CorpuscleError UNWRITABLE, INVALID_VALUE (an output outside of the output folder) before anything runs; what operators throw, with their location; OUTPUT_FAILED when a file
 *   takes no more.
 */
export async function runSimulation(
  simulation: Simulation,
  options: RunOptions = {},
): Promise<RunResult> {
  const output = openOutput(options);
  if (!options.allowOutside) refuseOutsideOutputs(simulation);
  checkOutputs(simulation, output);
  if (simulation.outputs.some(({ name }) => output.isInside(name))) output.lock();
  const state = new SimulationState({
    simulation,
    context: options.context,
    output,
    signal: options.signal,
    stopAfter: options.stopAfter,
    onProgress: options.onProgress,
    onMessage: options.onMessage,
  });
  const runner = new GraphRunner(simulation.root, state, options);
  const work = async () => {
    if (options.restart) {
      output.resume();
      await runner.resume(options.restart.run);
    } else await runner.run();
    await runner.finish();
  };
  try {
    setAside(simulation, output, options);
    // Whoever waits for work without end must wait already when it is ended.
    await Promise.race([runner.endless(), Promise.resolve().then(work)]);
  } catch (error) {
    const failure = await rescued(placedLate(error, simulation.root), state);
    options.onFailure?.({ hasWritten: output.hasWritten });
    // The first error is the one to report: what disposing adds comes from it.
    await runner.dispose().catch(() => undefined);
    state.free(); // the caller does not get it
    throw await output.close().then(
      () => failure,
      (later: unknown) => bothErrors(failure, later),
    );
  }
  try {
    await runner.dispose();
  } finally {
    await output.close();
  }
  const status = state.signal.aborted || state.isInterrupted ? 'interrupted' : 'completed';
  return { status, state, [Symbol.dispose]: () => state.free() };
}

/** The folder of a run. One that goes on cuts its files where they were at the checkpoint, and replaces what came later. */
function openOutput({
  outputDirectory,
  older,
  onNotice,
  restart,
  writes = true,
}: RunOptions): OutputFolder {
  if (!writes) return new OutputFolder(outputDirectory, { use: 'nothing' });
  if (!restart) return new OutputFolder(outputDirectory, { older, onNotice });
  const names = Object.keys(restart.files).filter((name) => restart.files[name]! > 0);
  const isThere = (name: string) => existsSync(path.resolve(outputDirectory ?? '.', name));
  for (const name of names.filter((name) => !isThere(name)))
    onNotice?.(`${name} is not there any more: it begins anew`);
  const there = names.filter(isThere).map((name) => [name, restart.files[name]!] as const);
  return new OutputFolder(outputDirectory, {
    older: 'replace',
    resumeAt: Object.fromEntries(there),
    onNotice,
  });
}

/** Checkpoints of later steps are of another run than the one that begins, or goes on: it takes them out of the way. */
function setAside(
  simulation: Simulation,
  output: OutputFolder,
  { restart, older, onNotice, writes }: RunOptions,
): void {
  const name = checkpointFileOf(simulation);
  if (name === undefined || writes === false) return;
  const count = clearCheckpoints(output.resolve(name), restart ? restart.run.step : -1, older);
  if (count > 0 && older !== 'replace')
    onNotice?.(
      count === 1
        ? 'a later checkpoint was there: it has a numbered name now'
        : `${count} later checkpoints were there: they have numbered names now`,
    );
}

/** The error of a run with what became of its last good state. A run that has done no step has nothing to save. */
async function rescued(error: unknown, state: SimulationState): Promise<unknown> {
  if (!state.rescue || !(error instanceof CorpuscleError)) return error;
  const said = await state.rescue().catch((reason: Error) => `and ${reason.message}`);
  return said === null ? error : withMore(error, said);
}

const withMore = (error: CorpuscleError, more: string): CorpuscleError =>
  new CorpuscleError(error.code, `${error.message}; ${more}`, {
    ...(error.location && { location: error.location }),
    cause: error.cause ?? error,
  });

/** A run that failed, and a file that could not be completed for a reason of its own. */
function bothErrors(error: unknown, later: unknown): unknown {
  const [first, second] = [error as Error, later as Error];
  const { cause } = second;
  const each: readonly Error[] = cause instanceof AggregateError ? cause.errors : [second];
  const more = each.filter(({ message }) => !first.message.includes(message)); // told already
  if (more.length === 0) return error;
  if (more.length === each.length && second.message.includes(first.message)) return later;
  if (!(first instanceof CorpuscleError)) return error;
  return withMore(first, more.map(({ message }) => message).join('; '));
}

/**
 * Makes sure that every file the simulation will write can be written; leaves nothing behind.
 * @throws CorpuscleError UNWRITABLE with the place of the file's name, INVALID_VALUE when two names mean one file.
 */
export function checkOutputs(simulation: Simulation, output: OutputFolder): void {
  const writers = new Map<string, string>();
  const readers = inputsOf(simulation);
  for (const { name, operator, location } of simulation.outputs) {
    const file = output.resolve(name);
    const other = writers.get(file);
    if (other !== undefined) {
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${operator} and ${other} both write ${file}: give one of them another file`,
        { location },
      );
    }
    writers.set(file, operator);
    const reader = readers.get(file);
    if (reader !== undefined) {
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${operator} would overwrite ${file}, which ${reader} reads: choose another name, or another folder with --output`,
        { location },
      );
    }
    try {
      output.check(name);
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      throw new CorpuscleError(error.code, error.message, { location, cause: error });
    }
  }
}

/** Files that the simulation reads, and what reads them. */
function inputsOf(simulation: Simulation): Map<string, string> {
  const inputs = new Map(simulation.files.map((file) => [path.resolve(file), 'the simulation']));
  for (const { definition, slots } of operatorsOf(simulation.root)) {
    for (const [slot, spec] of Object.entries(definition.slots)) {
      const source = slots.get(slot);
      if (spec.type !== 'file' || spec.mode !== 'read' || source?.kind !== 'value') continue;
      inputs.set(path.resolve(source.value as string), definition.name);
    }
  }
  return inputs;
}
