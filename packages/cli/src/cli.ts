import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { exitCode, exitCodeOf } from './exitCodes.js';
import { formatError } from './output/formatError.js';
import { tellEarlyExit } from './output/tellEarlyExit.js';
import type { Streams } from './Streams.js';

/** Options of every command that reads simulation files. */
export interface InputOptions {
  readonly set: readonly string[];
  readonly import: readonly string[];
}

/** Options of `check`, as commander gives them. */
export interface CheckOptions extends InputOptions {
  readonly allowOutside: boolean;
  readonly json: boolean;
}

/** Options of `run`, as commander gives them. */
export interface RunOptions extends InputOptions {
  readonly allowOutside: boolean;
  readonly backend?: string;
  readonly threads?: number;
  readonly precision?: 'f64' | 'f32' | 'mixed';
  readonly lowering?: 'simd' | 'scalar' | 'javascript';
  readonly output: string;
  readonly overwrite: boolean;
  readonly profile: boolean;
  readonly progress: boolean;
  readonly kernelLimit: number;
  /** A checkpoint; `true`: the newest. */
  readonly restart?: string | true;
  readonly retries: number;
}

/** Options of `kernels`, as commander gives them. */
export interface KernelOptions extends InputOptions {
  readonly functor?: string;
  readonly target: 'wgsl' | 'wat' | 'js';
  readonly steps?: number;
  readonly threads?: number;
  readonly precision?: 'f64' | 'f32' | 'mixed';
}

const OVERWRITE = 'replace files that are there instead of keeping them as #name.1#';

/** Options of `convert`, as commander gives them. */
export interface ConvertOptions {
  readonly frames?: string;
  readonly from?: string;
  readonly to?: string;
  readonly unit: 'angstrom' | 'nanometer' | 'none';
  readonly overwrite: boolean;
}

/**
 * The `corpuscle` command. Commands load on demand: `--help` must not wait for an engine.
 * @returns the exit code.
 */
export async function main(argv: readonly string[], streams: Streams): Promise<number> {
  let result: number = exitCode.done;
  const program = new Command('corpuscle')
    .description('Particle simulations on every core and every GPU, from one YAML file')
    .version('0.1.0')
    .configureOutput({ writeOut: streams.out, writeErr: streams.err })
    .exitOverride();

  const ended: Ended = (code) => {
    result = code;
  };
  runCommand(program, streams, ended);
  checkCommand(program, streams, ended);
  graphCommand(program, streams, ended);
  operatorsCommand(program, streams, ended);
  kernelsCommand(program, streams, ended);
  convertCommand(program, streams, ended);
  schemaCommand(program, streams, ended);
  infoCommand(program, streams, ended);

  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Commander has printed its message: help and version are fine, anything else is a wrong command line.
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCode.done : exitCode.wrongInput;
    streams.err(formatError(error));
    return exitCodeOf(error);
  }
  return result;
}

/** Takes the exit code of a command. */
type Ended = (code: number) => void;

function runCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('run')
    .description('run a simulation; later files override earlier ones')
    .argument('<file...>', 'YAML files, merged in order')
    .addOption(setOption())
    .addOption(importOption())
    .option(
      '--backend <name>',
      'where functors run: auto, cpu, webgpu, webgl, or an engine that an --import brings; default auto',
    )
    .option('--threads <n>', 'CPU threads; default all cores', positiveInteger)
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
      'go on from the last checkpoint by itself, at most so often, when a device or a thread is lost, or the device has no memory left',
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
    .option('--profile', 'print time per operator and where functors ran', false)
    .option('--no-progress', 'no progress line, also on a terminal')
    .action(async (files: string[], options: RunOptions) => {
      const { run } = await import('./commands/run.js');
      const atEnd = tellEarlyExit();
      try {
        ended(await run(files, options, streams));
      } finally {
        atEnd();
      }
    });
}

function checkCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('check')
    .description('find every mistake in the input, run nothing')
    .argument('<file...>', 'YAML files, merged in order')
    .addOption(setOption())
    .addOption(importOption())
    .addOption(allowOutsideOption())
    .option('--json', 'print what is found as JSON, for editors and scripts', false)
    .action(async (files: string[], options: CheckOptions) => {
      const { check } = await import('./commands/check.js');
      ended(await check(files, options, streams));
    });
}

function graphCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('graph')
    .description('draw the operators of a simulation')
    .argument('<file...>', 'YAML files, merged in order')
    .addOption(setOption())
    .addOption(importOption())
    .addOption(
      new Option('--format <name>', 'text, or a drawing language')
        .choices(['text', 'mermaid', 'dot'])
        .default('text'),
    )
    .action(
      async (files: string[], options: InputOptions & { format: 'text' | 'mermaid' | 'dot' }) => {
        const { graph } = await import('./commands/graph.js');
        ended(await graph(files, options, streams));
      },
    );
}

function operatorsCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('operators')
    .description('list the operators, or describe one in full')
    .argument('[name]', 'an operator')
    .addOption(importOption())
    .action(async (name: string | undefined, options: Pick<InputOptions, 'import'>) => {
      const { operators } = await import('./commands/operators.js');
      ended(await operators(name, options.import, streams));
    });
}

function kernelsCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('kernels')
    .description('print the kernels of a run, commented; needs no GPU')
    .argument('<file...>', 'YAML files, merged in order')
    .addOption(setOption())
    .addOption(importOption())
    .option('--functor <name>', 'only kernels with this functor or step, for instance sort')
    .addOption(
      new Option('--target <language>', 'wgsl for the GPU; wat or js for the CPU')
        .choices(['wgsl', 'wat', 'js'])
        .default('wgsl'),
    )
    .option(
      '--steps <n>',
      'kernels that the first n steps need; default 200, on the CPU 20',
      positiveInteger,
    )
    .option('--threads <n>', 'CPU threads; default all cores', positiveInteger)
    .addOption(new Option('--precision <policy>', 'as for run').choices(['f64', 'f32', 'mixed']))
    .action(async (files: string[], options: KernelOptions) => {
      const { kernels } = await import('./commands/kernels.js');
      ended(await kernels(files, options, streams));
    });
}

function convertCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('convert')
    .description('write the frames of a file in another format')
    .argument('<from>', 'a file of particles')
    .argument('<to>', 'the file to write; endings of names tell the formats')
    .option(
      '--frames <a:b:c>',
      'from frame a to before b, every c-th; a alone is one; −1 is the last',
    )
    .option('--from <format>', 'format of the first file')
    .option('--to <format>', 'format of the second file')
    .addOption(
      new Option('--unit <length>', 'length of formats that have no unit; none: numbers stay')
        .choices(['angstrom', 'nanometer', 'none'])
        .default('angstrom'),
    )
    .option('--overwrite', OVERWRITE, false)
    .action(async (from: string, to: string, options: ConvertOptions) => {
      const { convert } = await import('./commands/convert.js');
      ended(await convert(from, to, options, streams));
    });
}

function schemaCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('schema')
    .description(
      'print the JSON Schema of input files, for completion and documentation in editors',
    )
    .addOption(importOption())
    .action(async (options: Pick<InputOptions, 'import'>) => {
      const { schema } = await import('./commands/schema.js');
      ended(await schema(options.import, streams));
    });
}

function infoCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('info')
    .description('threads, adapters, limits, precisions available, and why not')
    .action(async () => {
      const { info } = await import('./commands/info.js');
      ended(await info(streams));
    });
}

function setOption(): Option {
  return new Option(
    '--set <path=value>',
    'change a value, for instance --set global.dt=0.002; repeatable',
  )
    .argParser((value: string, before: readonly string[]) => [...before, value])
    .default([], 'none');
}

function allowOutsideOption(): Option {
  return new Option(
    '--allow-outside',
    'let the input write files outside of the output folder: absolute names, and names with ..',
  ).default(false, 'refused');
}

function importOption(): Option {
  return new Option(
    '--import <module>',
    'a JavaScript module with operators or engines of yours; its code runs with your rights, and nothing else that is read can run code; repeatable',
  )
    .argParser((value: string, before: readonly string[]) => [...before, value])
    .default([], 'none');
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('give a whole number from 0.');
  return Number(text);
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1)
    throw new InvalidArgumentError('give a whole number from 1.');
  return value;
}
