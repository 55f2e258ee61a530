import { exitCode } from '../exitCodes.js';
import type { Streams } from '../Streams.js';
import { loadOperators } from './loadOperators.js';

/** `corpuscle schema`: the JSON Schema of input files, with operators of one's own, for editors. */
export async function schema(modules: readonly string[], streams: Streams): Promise<number> {
  const { simulationSchema } = await import('@corpuscle/core');
  streams.out(`${JSON.stringify(simulationSchema(await loadOperators(modules)), null, 1)}\n`);
  return exitCode.done;
}
