import type { SimulationState } from '@corpuscle/core';
import { computeCellParticles } from '@corpuscle/patterns';
import { newBox } from '../box/newBox.js';
import { strainBox } from '../box/strainBox.js';
import { scaleVelocity } from '../integrators/scaleVelocity.js';
import { contextOf, gridKey } from '../run/stateKeys.js';

/**
 * Multiplies the lengths of the box, and positions with them, about its center.
 * @param velocity factor of all velocities
 */
export function rescaleBox(
  state: SimulationState,
  [x, y, z]: readonly [number, number, number],
  velocity = 1,
): void {
  const grid = state.get(gridKey);
  const strain = { xx: x - 1, yy: y - 1, zz: z - 1, xy: 0, xz: 0, yz: 0 };
  newBox(state, strainBox(grid.domain, strain), 'positions');
  if (velocity !== 1)
    computeCellParticles(grid, scaleVelocity, contextOf(state), { params: { scale: velocity } });
}
