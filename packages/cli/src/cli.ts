import { Command, CommanderError, Option } from 'commander';
import type { GraphOptions } from './commands/graph.js';
import type { InitOptions } from './commands/init/init.js';
import type { OperatorsOptions } from './commands/operators.js';
import { exitCode, exitCodeOf } from './exitCodes.js';
import { formatError } from './output/formatError.js';
import { loadCommand } from './program/loadCommand.js';
import { machineCommands } from './program/machineCommands.js';
import {
  allowOutsideOption,
  type CheckOptions,
  type Ended,
  type InputOptions,
  importOption,
  inputArgument,
  type KernelOptions,
  OVERWRITE,
  positiveInteger,
  setOption,
  yesOption,
} from './program/options.js';
import { plotCommand } from './program/plotCommand.js';
import { renderCommand } from './program/renderCommand.js';
import { runCommand } from './program/runCommand.js';
import { version } from './program/version.js';
import { viewCommand } from './program/viewCommand.js';
import type { Streams } from './Streams.js';

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
    .version(version)
    .configureOutput({ writeOut: streams.out, writeErr: streams.err })
    .exitOverride();

  const ended: Ended = (code) => {
    result = code;
  };
  initCommand(program, streams, ended);
  runCommand(program, streams, ended);
  checkCommand(program, streams, ended);
  graphCommand(program, streams, ended);
  operatorsCommand(program, streams, ended);
  kernelsCommand(program, streams, ended);
  convertCommand(program, streams, ended);
  plotCommand(program, streams, ended);
  renderCommand(program, streams, ended);
  viewCommand(program, streams, ended);
  schemaCommand(program, streams, ended);
  machineCommands(program, streams, ended);

  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Commander has printed its message: help and version are fine, anything else is a wrong command line.
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCode.done : exitCode.wrongInput;
    streams.err(formatError(error, streams));
    return exitCodeOf(error);
  }
  return result;
}

function initCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('init')
    .description('write a simulation to begin with; in an empty directory a whole project')
    .argument('[template]', 'melt, argon, metal, silicon, coordination or own; asks on a terminal')
    .option('--directory <dir>', 'where files go', '.')
    .option('--no-install', 'do not install the packages of a new project')
    .action(async (template: string | undefined, options: InitOptions) => {
      const { init } = await import('./commands/init/init.js');
      ended(await init(template, options, streams));
    });
}

function checkCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('check')
    .description('find every mistake in the input, run nothing')
    .addArgument(inputArgument())
    .addOption(setOption())
    .addOption(importOption())
    .addOption(yesOption())
    .addOption(allowOutsideOption())
    .option('--json', 'print what is found as JSON, for editors and scripts', false)
    .action(async (files: string[], options: CheckOptions) => {
      const { check } = await loadCommand(() => import('./commands/check.js'));
      ended(await check(files, options, streams));
    });
}

function graphCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('graph')
    .description('draw the operators of a simulation')
    .addArgument(inputArgument())
    .addOption(setOption())
    .addOption(importOption())
    .addOption(yesOption())
    .addOption(
      new Option('--format <name>', 'text, or a drawing language')
        .choices(['text', 'mermaid', 'dot'])
        .default('text'),
    )
    .option('--json', 'print the tree of batches and operators as JSON', false)
    .action(async (files: string[], options: GraphOptions) => {
      const { graph } = await loadCommand(() => import('./commands/graph.js'));
      ended(await graph(files, options, streams));
    });
}

function operatorsCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('operators')
    .description('list the operators, describe one in full, or find those that speak of a word')
    .argument('[name]', 'an operator, or a word such as viscosity')
    .option(
      '--input <file>',
      'also the operators of plugins that a simulation names; default simulation.yaml, where it is',
    )
    .addOption(importOption())
    .addOption(yesOption())
    .option('--json', 'print names, descriptions and slots as JSON', false)
    .action(async (name: string | undefined, options: OperatorsOptions) => {
      const { operators } = await loadCommand(() => import('./commands/operators.js'));
      ended(await operators(name, options, streams));
    });
}

function kernelsCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('kernels')
    .description('print the kernels of a run, commented; needs no GPU')
    .addArgument(inputArgument())
    .addOption(setOption())
    .addOption(importOption())
    .addOption(yesOption())
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
    .option('--json', 'print label, operators and text of each kernel as JSON', false)
    .action(async (files: string[], options: KernelOptions) => {
      const { kernels } = await loadCommand(() => import('./commands/kernels.js'));
      ended(await kernels(files, options, streams));
    });
}

function convertCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('convert')
    .description(
      'write the frames of a file in another format, or a LAMMPS script or an exaNBody input as a simulation file',
    )
    .argument('<from>', 'a file of particles, a script (in.*, *.lammps) or an input (*.msp)')
    .argument(
      '[to]',
      'the file to write; endings of names tell the formats. Simulation files are printed without it',
    )
    .option(
      '--frames <a:b:c>',
      'from frame a to before b, every c-th; a alone is one; −1 is the last',
    )
    .option('--from <format>', 'format of the first file; lammps or exanbody for inputs')
    .option('--to <format>', 'format of the second file')
    .addOption(
      new Option('--unit <length>', 'length of formats that have no unit; none: numbers stay')
        .choices(['angstrom', 'nanometer', 'none'])
        .default('angstrom'),
    )
    .option('--overwrite', OVERWRITE, false)
    .action(async (from: string, to: string | undefined, options: ConvertOptions) => {
      const { convert } = await loadCommand(() => import('./commands/convert.js'));
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
