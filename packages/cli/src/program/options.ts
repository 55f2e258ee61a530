import { Argument, InvalidArgumentError, Option } from 'commander';

/** Options of every command that reads simulation files. */
export interface InputOptions {
  readonly set: readonly string[];
  readonly import: readonly string[];
  /** Plugins that files name may run. */
  readonly yes: boolean;
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
  readonly ranks?: number;
  /** How many simulations of a matrix run side by side. */
  readonly jobs?: number;
  /** The one simulation of a matrix that is run, from 0. */
  readonly point?: number;
  readonly precision?: 'f64' | 'f32' | 'mixed';
  readonly lowering?: 'simd' | 'scalar' | 'javascript';
  readonly output: string;
  readonly overwrite: boolean;
  readonly profile: boolean;
  readonly progress: boolean;
  readonly quiet: boolean;
  /** Lines of JSON on standard output in place of text. */
  readonly json: boolean;
  /** A file that lines of JSON are appended to. */
  readonly log?: string;
  /** Seconds between lines of progress. */
  readonly logEvery?: number;
  /** The column of the thermo table that is drawn. */
  readonly plot?: string;
  readonly dryRun: boolean;
  /** A file for a trace. */
  readonly trace?: string;
  readonly kernelLimit: number;
  /** A checkpoint; `true`: the newest. */
  readonly restart?: string | true;
  readonly retries: number;
}

/** Options of `kernels`, as commander gives them. */
export interface KernelOptions extends InputOptions {
  readonly functor?: string;
  readonly target: 'wgsl' | 'wat' | 'js';
  readonly json: boolean;
  readonly steps?: number;
  readonly threads?: number;
  readonly precision?: 'f64' | 'f32' | 'mixed';
}

/** Takes the exit code of a command. */
export type Ended = (code: number) => void;

/** What `--overwrite` means. */
export const OVERWRITE = 'replace files that are there instead of keeping them as #name.1#';

/** The files of a simulation. */
export function inputArgument(): Argument {
  return new Argument('[file...]', 'YAML files, merged in order; default simulation.yaml');
}

/** `--set path=value`. */
export function setOption(): Option {
  return new Option(
    '--set <path=value>',
    'change a value, for instance --set global.dt=0.002; repeatable',
  )
    .argParser((value: string, before: readonly string[]) => [...before, value])
    .default([], 'none');
}

/** `--allow-outside`. */
export function allowOutsideOption(): Option {
  return new Option(
    '--allow-outside',
    'let the input write files outside of the output folder: absolute names, and names with ..',
  ).default(false, 'refused');
}

/** `--import module`. */
export function importOption(): Option {
  return new Option(
    '--import <module>',
    'a module of JavaScript or TypeScript with operators or engines of yours; its code runs with your rights; repeatable',
  )
    .argParser((value: string, before: readonly string[]) => [...before, value])
    .default([], 'none');
}

/** `--yes`. */
export function yesOption(): Option {
  return new Option(
    '--yes',
    'let the plugins that the files name run their code without being asked; it runs with your rights',
  ).default(false, 'asks the first time');
}

/** A whole number from 0, of a command line. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('give a whole number from 0.');
  return Number(text);
}

/** A whole number from 1, of a command line. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1)
    throw new InvalidArgumentError('give a whole number from 1.');
  return value;
}

/** A port of a server, of a command line; 0 is a free one. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('give a port, from 0 to 65535.');
  return port;
}

/** Any number, of a command line. */
export function anyNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError('give a number.');
  return value;
}
