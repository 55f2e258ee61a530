import type { Simulation } from '@corpuscle/core';
import type { InputOptions } from '../program/options.js';
import { inputFiles } from './inputFiles.js';
import { loadOperators } from './loadOperators.js';

/**
 * Reads the files of a simulation with the operators and engines of this installation and of `--import`.
 * @throws CorpuscleError with the place of the first mistake; `more` has the others.
 */
export async function loadInput(
  files: readonly string[],
  { set, import: modules }: InputOptions,
): Promise<Simulation> {
  const [{ loadSimulation }, { knownBackends }, operators] = await Promise.all([
    import('@corpuscle/core'),
    import('./backends.js'),
    loadOperators(modules),
  ]);
  return loadSimulation(inputFiles(files), { operators, set, backends: knownBackends() });
}
