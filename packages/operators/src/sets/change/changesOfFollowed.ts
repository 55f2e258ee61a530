import {
  knownSlots,
  type OperatorNode,
  type Simulation,
  type SimulationWarning,
} from '@corpuscle/core';
import { loopsIn, ofPasses } from '../../run/loops.js';
import { onePerPlace } from '../../run/places.js';

/** Operators of a loop that need the same particles in every frame, beside those that make or delete particles in it. */
export function changesOfFollowed({ root }: Simulation): readonly SimulationWarning[] {
  const found = loopsIn(root).flatMap((loop) => {
    const nodes = ofPasses(loop);
    const change = nodes.find(({ definition: { name } }) => changing.includes(name));
    if (!change) return [];
    return nodes.filter(needsSame).flatMap(({ definition, location }): SimulationWarning[] => {
      const message = ends(definition.name, change.definition.name);
      return location ? [{ message, location }] : [];
    });
  });
  return onePerPlace(found);
}

const ends = (name: string, change: string) =>
  `${name} needs the same number of particles in every frame, and ends the run when ${change} has changed it: ${remedy(name)}`;

const remedy = (name: string) =>
  name === 'write_dcd'
    ? 'write another format, such as XTC'
    : 'give it a group of particles that stay, or let particles be';

const changing: readonly string[] = ['create_particles', 'delete_particles'];

function needsSame(node: OperatorNode): boolean {
  const { name } = node.definition;
  if (name === 'mean_square_displacement' || name === 'velocity_autocorrelation')
    return knownSlots(node).group === 'all';
  return name === 'write_dcd';
}
