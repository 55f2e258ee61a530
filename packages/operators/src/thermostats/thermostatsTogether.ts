import {
  knownSlots,
  type OperatorNode,
  type Simulation,
  type SimulationWarning,
} from '@corpuscle/core';
import { loopsIn, ofEveryPass } from '../run/loops.js';
import { onePerPlace } from '../run/places.js';
import { ledgerKey } from '../run/stateKeys.js';

/**
 * Thermostats of a step that act on the same particles: heat flows from one to the other, and the temperature is that of neither. Groups
 * of different names may have no particle in common. Forces that keep a temperature (DPD) act on relative velocities, and stand beside
 * any thermostat.
 */
export function thermostatsTogether({ root }: Simulation): readonly SimulationWarning[] {
  const found = loopsIn(root).flatMap((loop) => {
    const baths = onePerPlace(ofEveryPass(loop).filter(isThermostat));
    return baths.flatMap((bath, k): SimulationWarning[] => {
      const other = baths.slice(0, k).find((one) => share(groupOf(one), groupOf(bath)));
      const { location } = bath;
      return other && location
        ? [{ message: together(nameOf(other), nameOf(bath)), location }]
        : [];
    });
  });
  return onePerPlace(found);
}

const together = (one: string, other: string) =>
  `${one} and ${other} both keep the temperature of the same particles, so that it is that of neither: leave one out, or give each a group of its own`;

/** A barostat is one where it has a temperature. */
function isThermostat(node: OperatorNode): boolean {
  const { name, keepsTemperature, provides } = node.definition;
  if (name === 'nose_hoover_move') return knownSlots(node).temperature !== undefined;
  return keepsTemperature === true && !provides?.includes(ledgerKey);
}

const groupOf = (node: OperatorNode) => knownSlots(node).group ?? 'all';

const share = (a: unknown, b: unknown) => a === b || a === 'all' || b === 'all';

/** `langevin_1` and `nose_hoover_move` are `langevin` and `nose_hoover` to the user. */
const nameOf = ({ definition }: OperatorNode) => definition.name.replace(/_(move|\d+)$/, '');
