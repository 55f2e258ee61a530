import { CorpuscleError } from '../error/CorpuscleError.js';
import type { Simulation } from './Simulation.js';
import type { Progress, SimulationState } from './SimulationState.js';

export interface RunOptions {
  /** The execution context of @corpuscle/patterns; operators find it as `state.context`. */
  readonly context?: unknown;
  /** Where relative output names go; default: the working directory. */
  readonly outputDirectory?: string;
  /** Interrupts the run after the step it is in. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Lines for the user, such as rows of the thermo table. */
  readonly onMessage?: (text: string) => void;
  /** Told the time every operator took, for `--profile`. */
  readonly onOperator?: (name: string, milliseconds: number) => void;
}

export interface RunResult {
  readonly status: 'completed' | 'interrupted';
  readonly state: SimulationState;
}

/**
 * Runs a loaded simulation. Output files get their names when it completes or is interrupted, never when it fails.
 * @throws CorpuscleError UNWRITABLE before anything runs; what operators throw, with their location.
 */
export async function runSimulation(
  simulation: Simulation,
  options: RunOptions = {},
): Promise<RunResult> {
  throw new CorpuscleError('INTERNAL', `not yet ${simulation} ${options}`);
}
