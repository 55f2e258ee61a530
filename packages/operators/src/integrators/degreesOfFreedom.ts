import {
  CorpuscleError,
  type GraphNode,
  operatorsOf,
  type Simulation,
  type SimulationState,
} from '@corpuscle/core';
import { gridKey } from '../run/stateKeys.js';

/** What is known of the total momentum and angular momentum of the particles. */
export interface MomentumConstraints {
  /** Whether the total momentum stays zero. */
  readonly linear: boolean;
  /** Whether the total angular momentum stays zero. */
  readonly angular: boolean;
}

/**
 * Degrees of freedom that N particles lack of 3N: 3 where the total momentum stays zero, and 3 where the total angular momentum
 * does. Two particles are always on one line, about which nothing turns: they lack 2 for it, and one particle lacks none. Thermo
 * and thermostats count with this number.
 */
export const removedDegrees = ({ linear, angular }: MomentumConstraints, total: number): number =>
  (linear ? 3 : 0) + (angular ? ([0, 0, 2][total] ?? 3) : 0);

/**
 * Degrees of freedom in a simulation. They are 3N − 3, as in LAMMPS also with walls and fields, unless noise changes the momentum and
 * `remove_momentum` does not take it away again.
 */
export function degreesOfFreedom(state: SimulationState): number {
  const { total } = state.get(gridKey);
  return Math.max(0, 3 * total - removedDegrees(constraintsOf(state.simulation), total));
}

/**
 * Refuses what keeps or measures a temperature of particles that have none. Before there are particles nothing is said.
 * @throws CorpuscleError INVALID_VALUE where no degree of freedom is left
 */
export function requireTemperature(
  name: string,
  { total, removed }: { readonly total: number; readonly removed: number },
): void {
  if (total === 0 || 3 * total > removed) return;
  const particles = total === 1 ? '1 particle has none' : `${total} particles have none`;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `${name} has no temperature to go by: ${particles} of 3N − ${removed} degrees of freedom; leave ${name} out, add particles, or take langevin, which changes the momentum`,
  );
}

/** The same of the particles of a simulation. @throws CorpuscleError INVALID_VALUE where no degree of freedom is left */
export function requireTemperatureOf(name: string, state: SimulationState): void {
  const { total } = state.get(gridKey);
  const removed = removedDegrees(constraintsOf(state.simulation), total);
  requireTemperature(name, { total, removed });
}

const found = new WeakMap<Simulation, MomentumConstraints>();

/** What the operators of a simulation leave of the total momentum. */
export function constraintsOf(simulation: Simulation): MomentumConstraints {
  const known = found.get(simulation);
  if (known) return known;
  const operators = [...operatorsOf(simulation.root)];
  const changes = operators.some(({ definition }) => definition.changesMomentum);
  const constraints = {
    linear: !changes || removes(simulation.root, 'linear', true),
    angular: removes(simulation.root, 'angular', changes),
  };
  found.set(simulation, constraints);
  return constraints;
}

/** Whether `remove_momentum` takes a motion away from all particles: again and again, or once. */
function removes(node: GraphNode, slot: 'linear' | 'angular', again: boolean): boolean {
  if (node.kind === 'batch') {
    const isAgain = again && node.loop === undefined;
    return node.body.some((child) => removes(child, slot, isAgain));
  }
  const given = (name: string): unknown => {
    const source = node.slots.get(name);
    return source?.kind === 'value' ? source.value : undefined;
  };
  if (again || node.definition.name !== 'remove_momentum') return false;
  return given(slot) === true && given('group') === 'all';
}
