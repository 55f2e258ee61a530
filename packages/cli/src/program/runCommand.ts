import { type Command, Option } from 'commander';
import { tellEarlyExit } from '../output/tellEarlyExit.js';
import { launchedRanks } from '../ranks/launchedRanks.js';
import type { Streams } from '../Streams.js';
import { loadCommand } from './loadCommand.js';
import {
  allowOutsideOption,
  type Ended,
  importOption,
  inputArgument,
  OVERWRITE,
  positiveInteger,
  type RunOptions,
  setOption,
  wholeNumber,
  yesOption,
} from './options.js';
import { withoutOption } from './withoutOption.js';

/** `corpuscle run` and its options. */
export function runCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('run')
    .description('run a simulation; later files override earlier ones')
    .addArgument(inputArgument())
    .addOption(setOption())
    .addOption(importOption())
    .addOption(yesOption())
    .option(
      '--backend <name>',
      'where functors run: auto, cpu, webgpu, webgl, or an engine that an --import brings; default auto',
    )
    .option(
      '--threads <n>',
      'CPU threads, of each rank; default all cores, shared between ranks',
      positiveInteger,
    )
    .option(
      '--ranks <n>',
      'divide the particles between so many processes, which mpirun starts; default 1',
      positiveInteger,
    )
    .option(
      '--jobs <n>',
      'run so many simulations of a matrix side by side, each in a process; default 1',
      positiveInteger,
    )
    .addOption(new Option('--point <k>').argParser(wholeNumber).hideHelp())
    .addOption(
      new Option(
        '--precision <policy>',
        'precision of the run; default f64, on WebGPU f32',
      ).choices(['f64', 'f32', 'mixed']),
    )
    .addOption(
      new Option('--lowering <name>', 'what functors become on the CPU; default simd').choices([
        'simd',
        'scalar',
        'javascript',
      ]),
    )
    .option('--output <dir>', 'where files go that have a relative name', '.')
    .option(
      '--restart [checkpoint]',
      'go on from a checkpoint, and append to the files; default the newest good one in the output folder',
    )
    .option(
      '--retries <n>',
      'go on from the last checkpoint by itself, at most so often, when a device, a thread or a rank is lost, or the device has no memory left',
      wholeNumber,
      0,
    )
    .option('--overwrite', OVERWRITE, false)
    .addOption(allowOutsideOption())
    .option(
      '--kernel-limit <seconds>',
      'end the run when a functor works on one piece for so long; 0: never',
      wholeNumber,
      10,
    )
    .option('--profile', 'print time by path through the graph, and where functors ran', false)
    .option('--trace <file>', 'write a trace for Perfetto (ui.perfetto.dev) or chrome://tracing')
    .option('--no-progress', 'no progress line, also on a terminal')
    .option('--quiet', 'print warnings and errors only', false)
    .option(
      '--json',
      'print lines of JSON in place of text: rows, messages, and the summary as the last',
      false,
    )
    .option(
      '--log <file>',
      'append lines of JSON: rows, notices, warnings, progress, errors and the summary, with their time',
    )
    .option(
      '--log-every <seconds>',
      'print progress as plain lines, for logs of batch systems; for --log default 10',
      positiveInteger,
    )
    .addOption(
      new Option(
        '--plot <column>',
        'draw a column of the thermo table in place of its rows',
      ).choices(['temperature', 'potential_energy', 'kinetic_energy', 'total_energy', 'pressure']),
    )
    .option(
      '--dry-run',
      'run for two seconds, keep no files, and tell memory, steps, lists and the time that the run would take',
      false,
    )
    .action(async (files: string[], options: RunOptions) => {
      ended(await runHereOrOnRanks(files, options, streams));
    });
}

/** Runs, or starts the ranks that do. @returns the exit code */
async function runHereOrOnRanks(
  files: readonly string[],
  options: RunOptions,
  streams: Streams,
): Promise<number> {
  const { size } = launchedRanks(process.env);
  if (size === 1 && (options.ranks ?? 1) > 1) {
    const [{ startRanks }, { loadRun }] = await Promise.all([
      import('../ranks/startRanks.js'),
      import('../commands/loadRun.js'),
    ]);
    // Each rank would tell a mistake of the input, and the launcher that they ended.
    await loadRun(files, { ...options, retries: 0 }, streams, true);
    const argv = withoutOption(withoutOption(process.argv.slice(2), '--ranks'), '--retries');
    return startRanks(options.ranks!, argv, options.retries, streams);
  }
  const { onOneCard } = await import('../cards/onOneCard.js');
  const code = await onOneCard(options.backend, size, process.env);
  if (code !== null) return code;
  const run =
    size > 1
      ? (await loadCommand(() => import('../ranks/runOnRanks.js'))).runOnRanks
      : (await loadCommand(() => import('../commands/run.js'))).run;
  const atEnd = tellEarlyExit();
  try {
    return await run(files, options, streams);
  } finally {
    atEnd();
  }
}
