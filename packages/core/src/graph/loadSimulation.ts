import { CorpuscleError } from '../error/CorpuscleError.js';
import type { Registry } from './Registry.js';
import type { Simulation } from './Simulation.js';

export interface LoadOptions {
  /** `path=value` options, merged behind the files. */
  readonly set?: readonly string[];
  readonly operators: Registry;
}

/**
 * Reads YAML files, merges them, resolves every name and checks every value. Runs nothing, writes nothing.
 * @throws CorpuscleError with the file, line and column of the first mistake.
 */
export function loadSimulation(files: readonly string[], options: LoadOptions): Simulation {
  throw new CorpuscleError('INTERNAL', `not yet ${files} ${options}`);
}
