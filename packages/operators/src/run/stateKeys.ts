import { CorpuscleError, type Grid, type SimulationState, stateKey } from '@corpuscle/core';
import type { ExecutionContext, PreparedCall } from '@corpuscle/patterns';
import type { ForceLedger } from '../forces/ForceLedger.js';
import type { RunLists } from './RunLists.js';
import type { RunUpdates } from './RunUpdates.js';
import type { ThermoRow } from './thermo/thermoRow.js';

/** The particles. */
export const gridKey = stateKey<Grid>(
  'particles',
  'put lattice or read_extended_xyz before the operators that use them, for instance into setup_system',
);

/** Makes a grid the particles of a run, which frees it when its state is freed. */
export function ownParticles(state: SimulationState, grid: Grid): void {
  state.set(gridKey, grid);
  state.onFree(() => grid.free());
}

/** The forces of the present step. */
export const ledgerKey = stateKey<ForceLedger>(
  'forces',
  'put zero_force and compute_force before the operators that use them',
);

/** What `begin_run` found out about the run. */
export interface RunPlan {
  readonly lists: RunLists;
  readonly dt: number;
  readonly firstStep: number;
  /** Where an integrator chooses its time steps and there is an `endTime`, an estimate. */
  readonly endStep: number;
  /** When the run ends, if it is told a time. */
  readonly endTime: number | null;
  /** The step after which it ends in any case. */
  readonly lastStep: number;
  /** Calls that take particles which have left a deforming box to the opposite face, before lists and forces of a step. */
  crossFaces?: (() => readonly PreparedCall[]) | undefined;
}

/** The plan of the run, which `begin_run` makes. */
export const planKey = stateKey<RunPlan>(
  'run',
  'put it where a run makes steps: integrators and thermostats into numerical_scheme, or into a loop after begin_run',
);

/** Counters of a run, for its summary. */
export interface RunStatistics {
  steps: number;
  /** Updates of the neighbor lists; the first build counts. */
  readonly updates: RunUpdates;
  /** Wall time of the steps, in milliseconds, set-up excluded. */
  startedAt: number;
  endedAt: number;
}

/** The counters of the run. */
export const statisticsKey = stateKey<RunStatistics>('statistics', 'they exist after begin_run');

/** The last row of the thermo table. */
export const thermoKey = stateKey<ThermoRow>(
  'thermo',
  'put thermo before the operators that use it',
);

/**
 * The execution context of a run.
 * @throws CorpuscleError MISSING_VALUE where `runSimulation` was given none
 */
export function contextOf(state: SimulationState): ExecutionContext {
  if (!state.context)
    throw new CorpuscleError(
      'MISSING_VALUE',
      'the run has no execution context: give runSimulation(simulation, { context }), made by createExecutionContext',
    );
  return state.context as ExecutionContext;
}
