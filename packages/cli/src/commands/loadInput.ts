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
  options: InputOptions,
): Promise<Simulation> {
  return (await loadPoints(files, options))[0]!;
}

/** All simulations of a `matrix`; of other files the one. @throws CorpuscleError as loadInput, for the first that has a mistake */
export async function loadPoints(
  files: readonly string[],
  { set, import: modules }: InputOptions,
): Promise<readonly Simulation[]> {
  const [{ loadSimulation }, { knownBackends }, operators] = await Promise.all([
    import('@corpuscle/core'),
    import('./backends.js'),
    loadOperators(modules),
  ]);
  const options = { operators, set, backends: knownBackends() };
  const names = inputFiles(files);
  const first = loadSimulation(names, options);
  const others = (first.matrix ?? []).slice(1);
  return [first, ...others.map((_, k) => loadSimulation(names, { ...options, point: k + 1 }))];
}
