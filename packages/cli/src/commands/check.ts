import type { CheckOptions } from '../cli.js';
import { exitCode } from '../exitCodes.js';
import { formatWarning } from '../output/formatError.js';
import type { Streams } from '../Streams.js';
import { loadInput } from './loadInput.js';

/** `corpuscle check`: everything that can be said about the input without running it. */
export async function check(
  files: readonly string[],
  options: CheckOptions,
  streams: Streams,
): Promise<number> {
  const { operatorsOf, refuseOutsideOutputs } = await import('@corpuscle/core');
  const simulation = await loadInput(files, options);
  if (!options.allowOutside) refuseOutsideOutputs(simulation);
  for (const warning of simulation.warnings) streams.err(formatWarning(warning));
  const names = [...operatorsOf(simulation.root)].map((node) => node.definition.name);
  const outputs = simulation.outputs.map((output) => output.name);
  streams.out(`${files.join(', ')}: correct, ${names.length} operators\n`);
  if (outputs.length > 0) streams.out(`a run writes ${outputs.join(', ')}\n`);
  return exitCode.done;
}
