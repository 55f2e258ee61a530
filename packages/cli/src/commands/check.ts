import { exitCode } from '../exitCodes.js';
import type { Streams } from '../Streams.js';

/** `corpuscle check`: everything that can be said about the input without running it. */
export async function check(
  files: readonly string[],
  set: readonly string[],
  streams: Streams,
): Promise<number> {
  const [{ loadSimulation, operatorsOf }, { createRegistry }] = await Promise.all([
    import('@corpuscle/core'),
    import('@corpuscle/operators'),
  ]);
  const simulation = loadSimulation(files, { operators: createRegistry(), set });
  const names = [...operatorsOf(simulation.root)].map((node) => node.definition.name);
  const outputs = simulation.outputs.map((output) => output.name);
  streams.out(`${files.join(', ')}: correct, ${names.length} operators\n`);
  if (outputs.length > 0) streams.out(`a run writes ${outputs.join(', ')}\n`);
  return exitCode.done;
}
