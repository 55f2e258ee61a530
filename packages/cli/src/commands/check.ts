import type { CorpuscleError } from '@corpuscle/core';
import { exitCode, exitCodeOf } from '../exitCodes.js';
import { formatWarning } from '../output/formatError.js';
import type { CheckOptions } from '../program/options.js';
import type { Streams } from '../Streams.js';
import { inputFiles } from './inputFiles.js';
import { loadPoints } from './loadInput.js';

/** `corpuscle check`: everything that can be said about the input without running it. */
export async function check(
  files: readonly string[],
  options: CheckOptions,
  streams: Streams,
): Promise<number> {
  return options.json ? checkAsJson(files, options, streams) : checkAsText(files, options, streams);
}

async function checkAsText(
  files: readonly string[],
  options: CheckOptions,
  streams: Streams,
): Promise<number> {
  const { operatorsOf } = await import('@corpuscle/core');
  const { root, matrix, outputs, warnings } = (await loadPoints(files, options, streams))[0]!;
  for (const warning of warnings) streams.err(formatWarning(warning, streams));
  const count = [...operatorsOf(root)].length;
  streams.out(`${inputFiles(files).join(', ')}: correct, ${count} operators\n`);
  if (matrix) streams.out(`a run makes ${matrix.length} simulations, each in its folder\n`);
  if (outputs.length > 0)
    streams.out(`a run writes ${outputs.map(({ name }) => name).join(', ')}\n`);
  return exitCode.done;
}

/** Prints the list of mistakes, which is empty for a right input; warnings go where errors go. Places count from 1. */
async function checkAsJson(
  files: readonly string[],
  options: CheckOptions,
  streams: Streams,
): Promise<number> {
  const print = (found: readonly object[]) => streams.out(`${JSON.stringify(found, null, 2)}\n`);
  try {
    const { warnings } = (await loadPoints(files, options, streams))[0]!;
    for (const warning of warnings) streams.err(formatWarning(warning, streams));
    print([]);
    return exitCode.done;
  } catch (error) {
    const code = exitCodeOf(error);
    if (code !== exitCode.wrongInput) throw error;
    const first = error as CorpuscleError;
    print([first, ...first.more].map(asRecord));
    return code;
  }
}

function asRecord({ code, message, location, suggestion }: CorpuscleError): object {
  const { file, line, column } = location ?? {};
  return { code, file, line, column, message, ...(suggestion !== undefined && { suggestion }) };
}
