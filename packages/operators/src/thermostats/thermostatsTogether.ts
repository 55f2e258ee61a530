import {
  knownSlots,
  type OperatorNode,
  type Simulation,
  type SimulationWarning,
} from '@corpuscle/core';
import { areSamePlace } from '../run/areSamePlace.js';
import { loopsIn, ofEveryPass } from '../run/checkLoops.js';
import { ledgerKey } from '../run/stateKeys.js';

/**
 * Thermostats of a step that act on the same particles: heat flows from one to the other, and the temperature is that of neither. Groups
 * of different names may have no particle in common. Forces that keep a temperature (DPD) act on relative velocities, and stand beside
 * any thermostat.
 */
export function thermostatsTogether({ root }: Simulation): readonly SimulationWarning[] {
  const found: SimulationWarning[] = [];
  for (const loop of loopsIn(root)) {
    const baths: OperatorNode[] = [];
    for (const node of ofEveryPass(loop).filter(isThermostat)) {
      const { location } = node;
      if (baths.some((bath) => areSamePlace(bath.location, location))) continue;
      const other = baths.find((bath) => share(groupOf(bath), groupOf(node)));
      baths.push(node);
      const isTold = found.some((warning) => areSamePlace(warning.location, location));
      if (!other || !location || isTold) continue;
      found.push({ message: together(nameOf(other), nameOf(node)), location });
    }
  }
  return found;
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
