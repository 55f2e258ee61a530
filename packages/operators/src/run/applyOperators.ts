import {
  defineOperator,
  type Grid,
  loadSimulation,
  type OperatorDefinition,
  type RunOptions,
  type RunResult,
  runSimulation,
} from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';
import { createRegistry } from '../createRegistry.js';
import { gridKey } from './stateKeys.js';

/** An operator by its name, alone or with its slots, as in a file. */
export type OperatorUse = string | Readonly<Record<string, unknown>>;

/** What operators find beside their slots. */
export interface ApplyOptions extends Omit<RunOptions, 'context' | 'restart'> {
  /** Other sections of a file, such as `configuration`, `global`, `particle_types` and `compute_force`. */
  readonly sections?: Readonly<Record<string, unknown>>;
  /** Operators of your own that may be named, beside all of this package. */
  readonly operators?: readonly OperatorDefinition[];
}

/**
 * Applies operators to the particles of a grid, in order, without a file: any that a YAML file can name, with the same slots, units,
 * checks and checkpoints. What they leave is in the state of the result; `gridKey` has the particles, also where they are others.
 *
 * @throws CorpuscleError as `loadSimulation` and `runSimulation`
 * @example
 * const { state } = await applyOperators(grid, ctx, [
 *   { group: { name: 'hot', types: ['A'] } },
 *   { displace_particles: { move: [0.1, 0, 0], group: 'hot' } },
 *   { run: { steps: 100, numerical_scheme: 'velocity_verlet' } },
 * ], {
 *   sections: {
 *     particle_types: { A: { mass: 1 } },
 *     global: { dt: 0.005 },
 *     compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }],
 *   },
 * });
 */
export async function applyOperators(
  grid: Grid,
  ctx: ExecutionContext,
  uses: readonly OperatorUse[],
  { sections = {}, operators = [], ...options }: ApplyOptions = {},
): Promise<RunResult> {
  const given = defineOperator({
    name: 'given_particles',
    doc: 'Hands over the particles of a program.',
    slots: {},
    provides: [gridKey],
    execute: ({ state }) => state.set(gridKey, grid),
  });
  const document = { ...sections, simulation: [given.name, ...uses] };
  const text = JSON.stringify(document, null, 2);
  const simulation = loadSimulation([{ name: 'applyOperators', text }], {
    operators: createRegistry().add(given, ...operators),
  });
  return runSimulation(simulation, { ...options, context: ctx });
}
