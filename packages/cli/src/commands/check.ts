import type { CorpuscleError, Simulation, SimulationWarning } from '@corpuscle/core';
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

async function load(
  files: readonly string[],
  options: CheckOptions,
  streams: Streams,
): Promise<Simulation> {
  const { refuseOutsideOutputs } = await import('@corpuscle/core');
  const simulations = await loadPoints(files, options, streams);
  if (!options.allowOutside) for (const one of simulations) refuseOutsideOutputs(one);
  return simulations[0]!;
}

/** Names of the operators, in the order of the graph, and of the files that a run writes. */
async function contentOf({ root, outputs }: Simulation) {
  const { operatorsOf } = await import('@corpuscle/core');
  return {
    operators: [...operatorsOf(root)].map(({ definition }) => definition.name),
    outputs: outputs.map(({ name }) => name),
  };
}

async function checkAsText(
  files: readonly string[],
  options: CheckOptions,
  streams: Streams,
): Promise<number> {
  const simulation = await load(files, options, streams);
  for (const warning of simulation.warnings) streams.err(formatWarning(warning, streams));
  const { operators, outputs } = await contentOf(simulation);
  streams.out(`${inputFiles(files).join(', ')}: correct, ${operators.length} operators\n`);
  if (simulation.matrix)
    streams.out(`a run makes ${simulation.matrix.length} simulations, each in its folder\n`);
  if (outputs.length > 0) streams.out(`a run writes ${outputs.join(', ')}\n`);
  return exitCode.done;
}

/** Prints `{ correct, mistakes, warnings }`, and for a right input `operators` and `outputs`. Places count from 1. */
async function checkAsJson(
  files: readonly string[],
  options: CheckOptions,
  streams: Streams,
): Promise<number> {
  const print = (found: object) => streams.out(`${JSON.stringify(found, null, 2)}\n`);
  try {
    const simulation = await load(files, options, streams);
    const warnings = simulation.warnings.map(asRecord);
    print({ correct: true, mistakes: [], warnings, ...(await contentOf(simulation)) });
    return exitCode.done;
  } catch (error) {
    const code = exitCodeOf(error);
    if (code !== exitCode.wrongInput) throw error;
    const first = error as CorpuscleError;
    print({ correct: false, mistakes: [first, ...first.more].map(asRecord), warnings: [] });
    return code;
  }
}

function asRecord({
  message,
  location,
  ...rest
}: SimulationWarning | Pick<CorpuscleError, 'code' | 'message' | 'location'>) {
  const code = 'code' in rest ? { code: rest.code } : {};
  const { file, line, column } = location ?? {};
  return { file, line, column, ...code, message };
}
