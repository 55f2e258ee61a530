import {
  type CorpuscleError,
  knownSlots,
  type OperatorNode,
  type Simulation,
  type SimulationWarning,
} from '@corpuscle/core';
import { bothMove } from '../box/bothMove.js';
import type { BoxPart } from '../box/claimBox.js';
import { loopsIn, ofEveryPass, ofPasses } from '../run/loops.js';
import { areSamePlace, onePerPlace } from '../run/places.js';

/** The lengths and tilts that an operator moves, as far as its file says. */
const partsOf = (node: OperatorNode) =>
  (node.definition.movesBox?.(knownSlots(node)) ?? []) as readonly BoxPart[];

/** Operators of a step that would move the same lengths and tilts of the box. */
export function checkBarostats({ root }: Simulation): readonly CorpuscleError[] {
  return loopsIn(root).flatMap((loop) => {
    const moving = ofEveryPass(loop).map((node) => ({ node, parts: partsOf(node) }));
    return moving.flatMap(({ node, parts }, k) => {
      const isShared = (part: BoxPart) => parts.includes(part);
      const other = moving
        .slice(0, k)
        .find((one) => !areOne(one.node, node) && one.parts.some(isShared));
      if (!other) return [];
      const names = [nameOf(other.node), nameOf(node)] as const;
      return [bothMove(names, other.parts.filter(isShared), node.location)];
    });
  });
}

/** Whether both are one operator of the file: steps within a step (respa) take it several times. */
const areOne = (a: OperatorNode, b: OperatorNode) => areSamePlace(a.location, b.location);

/** `nose_hoover_move` and `berendsen_box` are `nose_hoover` and `berendsen` to the user. */
const nameOf = ({ definition }: OperatorNode) => definition.name.replace(/_(move|box)$/, '');

/** A barostat that gives a volume the fluctuations of a temperature that nothing keeps. */
export function barostatsAlone({ root }: Simulation): readonly SimulationWarning[] {
  const alone = loopsIn(root).flatMap((loop) => {
    const nodes = ofPasses(loop);
    const isKept = nodes.some(({ definition }) => definition.keepsTemperature);
    return isKept ? [] : nodes.filter(({ definition }) => definition.name === 'cell_rescale');
  });
  return onePerPlace(alone).flatMap(({ location }) =>
    location ? [{ message: ALONE, location }] : [],
  );
}

const ALONE =
  'cell_rescale has no thermostat beside it, so that the run samples no ensemble: add one of the same temperature to numerical_scheme, such as bussi';
