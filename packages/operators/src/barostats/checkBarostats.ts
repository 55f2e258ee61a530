import {
  type BatchNode,
  type CorpuscleError,
  type GraphNode,
  knownSlots,
  type OperatorNode,
  operatorsOf,
  type Simulation,
  type SimulationWarning,
} from '@corpuscle/core';
import { bothMove } from '../box/bothMove.js';
import type { BoxPart } from '../box/claimBox.js';
import { areSamePlace } from '../run/areSamePlace.js';

/** The lengths and tilts that an operator moves, as far as its file says. */
const partsOf = (node: OperatorNode) =>
  (node.definition.movesBox?.(knownSlots(node)) ?? []) as readonly BoxPart[];

/** Loops that stand in no other: each makes the steps of a run. */
export const loopsOf = (node: GraphNode): BatchNode[] => {
  if (node.kind === 'operator') return [];
  return node.loop === undefined ? node.body.flatMap(loopsOf) : [node];
};

/** Operators of every pass. Those of a batch with a condition may stand in for each other. */
const always = (loop: BatchNode): OperatorNode[] =>
  loop.body.flatMap((node) => {
    if (node.kind === 'operator') return [node];
    return node.condition ? [] : always(node);
  });

/** Operators of a step that would move the same lengths and tilts of the box. */
export function checkBarostats({ root }: Simulation): readonly CorpuscleError[] {
  return loopsOf(root).flatMap((loop) => {
    const moving = always(loop).map((node) => ({ node, parts: partsOf(node) }));
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

/**
 * A barostat that gives a volume the fluctuations of a temperature that nothing keeps. Stages that use one scheme have it at
 * one place of the file, which is told once.
 */
export function barostatsAlone({ root }: Simulation): readonly SimulationWarning[] {
  const alone = loopsOf(root).flatMap((loop) => {
    const nodes = [...operatorsOf(loop)];
    const isKept = nodes.some(({ definition }) => definition.keepsTemperature);
    return isKept ? [] : nodes.filter(({ definition }) => definition.name === 'cell_rescale');
  });
  const first = alone.filter((node, k) => !alone.slice(0, k).some((other) => areOne(other, node)));
  return first.flatMap(({ location }) => (location ? [{ message: ALONE, location }] : []));
}

const ALONE =
  'cell_rescale has no thermostat beside it, so that the run samples no ensemble: add one of the same temperature to numerical_scheme, such as bussi';
