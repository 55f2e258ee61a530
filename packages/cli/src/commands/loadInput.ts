import type { Simulation } from '@corpuscle/core';
import type { InputOptions, RunOptions } from '../program/options.js';
import type { Streams } from '../Streams.js';
import { inputFiles } from './inputFiles.js';
import { loadOperators } from './loadOperators.js';

/**
 * Reads the files of a simulation with the operators and engines of this installation, of `--import`, and of plugins that are allowed.
 * @throws CorpuscleError with the place of the first mistake; `more` has the others.
 */
export async function loadInput(
  files: readonly string[],
  options: InputOptions,
  streams: Streams,
): Promise<Simulation> {
  return (await loadPoints(files, options, streams))[0]!;
}

/** All simulations of a `matrix`; of other files the one. @throws CorpuscleError as loadInput, for the first that has a mistake */
export async function loadPoints(
  files: readonly string[],
  {
    set,
    import: imports,
    yes,
    allowOutside,
  }: InputOptions & Partial<Pick<RunOptions, 'allowOutside'>>,
  streams: Streams,
): Promise<readonly Simulation[]> {
  const [{ loadSimulation }, { knownBackends }, { allowedPlugins }] = await Promise.all([
    import('@corpuscle/core'),
    import('./backends.js'),
    import('./plugins.js'),
  ]);
  const names = inputFiles(files);
  const operators = await loadOperators(
    imports,
    await allowedPlugins(names, { set, yes }, streams),
  );
  const options = { operators, set, allowOutside, backends: knownBackends() };
  const first = loadSimulation(names, options);
  const others = (first.matrix ?? []).slice(1);
  return [first, ...others.map((_, k) => loadSimulation(names, { ...options, point: k + 1 }))];
}
