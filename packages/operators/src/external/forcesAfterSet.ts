import type { OperatorNode, Simulation, SimulationWarning } from '@corpuscle/core';
import { zeroForce } from '../forces/zeroForceOperator.js';
import { loopsIn, ofEveryPass } from '../run/loops.js';
import { onePerPlace } from '../run/places.js';
import { ledgerKey } from '../run/stateKeys.js';
import { externalForces } from './forces/externalForces.js';
import { wallOperator } from './walls/wallOperator.js';

/**
 * Forces of particles on each other that come after `set_force` or `freeze`, and are added to what it has set. In LAMMPS fixes act after
 * all of them. External forces keep their order there too, so that one after `fix setforce` adds to it.
 */
export function forcesAfterSet({ root }: Simulation): readonly SimulationWarning[] {
  const found = loopsIn(root).flatMap((loop) => {
    const nodes = ofEveryPass(loop);
    return nodes.flatMap(({ definition: { name }, location }, k): SimulationWarning[] => {
      if (name !== 'set_force' && name !== 'freeze') return [];
      const later = nodes
        .slice(k + 1)
        .find((node) => isForce(node) || node.definition === zeroForce);
      if (!later || !isForce(later) || !location) return [];
      return [{ message: adds(later.definition.name, name), location }];
    });
  });
  return onePerPlace(found);
}

const adds = (force: string, set: string) =>
  `${force} comes after ${set} and adds its forces to those that ${set} has set: put ${set} after it in compute_force`;

const external: readonly unknown[] = [zeroForce, wallOperator, ...externalForces];

const isForce = ({ definition }: OperatorNode) =>
  definition.provides?.includes(ledgerKey) === true && !external.includes(definition);
