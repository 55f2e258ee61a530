import type { RunCheckpoint } from '@corpuscle/core';
import type { RunOptions } from '../cli.js';
import { exitCode } from '../exitCodes.js';
import { formatWarning } from '../output/formatError.js';
import { Profile } from '../output/Profile.js';
import { ProgressLine } from '../output/ProgressLine.js';
import { formatSummary } from '../output/summary.js';
import type { Streams } from '../Streams.js';
import { Interruption } from './Interruption.js';
import { loadBackend } from './loadBackend.js';
import { loadOperators } from './loadOperators.js';

/** `corpuscle run`: loads, checks, runs, and sums up. */
export async function run(
  given: readonly string[],
  options: RunOptions,
  streams: Streams,
): Promise<number> {
  const { files, restart } = restartOf(given, options.restart);
  const [{ findRestart, loadSimulation, runSimulation }, { createExecutionContext }, operators] =
    await Promise.all([
      import('@corpuscle/core'),
      import('@corpuscle/patterns'),
      loadOperators(options.import),
    ]);
  const simulation = loadSimulation(files, { operators, set: options.set });
  for (const warning of simulation.warnings) streams.err(formatWarning(warning));
  const checkpoint = restart
    ? await findRestart(simulation, {
        checkpoint: restart === true ? undefined : restart,
        outputDirectory: options.output,
        note: (text) => streams.err(`${text}\n`),
      })
    : null;
  if (restart) streams.err(beginningOf(checkpoint));
  const progress = new ProgressLine(streams, options.progress);
  const interruption = new Interruption(() => {
    progress.clear();
    streams.err('interrupted: finishing the step and closing files\n');
  });
  const { configuration } = simulation;
  await loadBackend(options.backend ?? configuration.backend);
  try {
    await using context = await createExecutionContext({
      backend: options.backend ?? configuration.backend,
      threads: options.threads ?? configuration.threads,
      precision: options.precision ?? configuration.precision,
      lowering: options.lowering,
      deterministic: configuration.deterministic,
      kernelLimit: options.kernelLimit || Number.POSITIVE_INFINITY,
    });
    const profile = options.profile ? new Profile(context) : null;
    const { state, status } = await runSimulation(simulation, {
      context,
      outputDirectory: options.output,
      allowOutside: options.allowOutside,
      restart: checkpoint,
      older: options.overwrite ? 'replace' : 'keep',
      onNotice: (text) => {
        progress.clear();
        streams.err(`${text}\n`);
      },
      signal: interruption.signal,
      onOperator: profile ? (name, milliseconds) => profile.add(name, milliseconds) : undefined,
      onProgress: progress.isWatched ? (at) => progress.update(at) : undefined,
      onMessage: (text) => {
        progress.clear();
        streams.out(`${text}\n`);
      },
    });
    progress.clear();
    streams.out(formatSummary(state, context, options.threads ?? configuration.threads));
    if (profile) streams.out(await profile.format(simulation));
    return status === 'interrupted' ? exitCode.interrupted : exitCode.done;
  } finally {
    progress.clear();
    interruption.close();
  }
}

/** Which files are read, and which checkpoint: in `--restart melt.yaml` the file is no checkpoint. */
function restartOf(
  given: readonly string[],
  restart: string | true | undefined,
): { readonly files: readonly string[]; readonly restart: string | true | undefined } {
  const isInput = typeof restart === 'string' && /\.ya?ml$/i.test(restart);
  return isInput ? { files: [...given, restart], restart: true } : { files: given, restart };
}

const beginningOf = (checkpoint: RunCheckpoint | null): string =>
  checkpoint
    ? `going on from the checkpoint of step ${checkpoint.run.step}\n`
    : 'there is no checkpoint yet: beginning at the start\n';
