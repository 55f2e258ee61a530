import type {
  BatchNode,
  CorpuscleError,
  GraphNode,
  OperatorNode,
  Simulation,
  SimulationWarning,
} from '@corpuscle/core';
import { bothMove } from '../box/bothMove.js';
import type { BoxPart } from '../box/claimBox.js';
import { couplingOf, movedBy } from '../box/coupling.js';
import { type DeformOptions, deformedParts } from '../box/deform/DeformRun.js';
import { known } from '../run/cutoffs.js';

/** What keeps a temperature, as operators of a step. */
const THERMOSTATS = /^(langevin|bussi|andersen|berendsen|rescale|nose_hoover|brownian|dpd_force)/;
const BAROSTATS = ['nose_hoover_move', 'berendsen_box', 'cell_rescale'];

const given = (node: OperatorNode, slot: string) => known(node, slot)?.value;

/** The lengths and tilts that an operator moves, as far as its file says. */
function partsOf(node: OperatorNode): readonly BoxPart[] {
  const { name } = node.definition;
  if (name === 'cell_rescale') return movedBy('iso');
  if (BAROSTATS.includes(name)) {
    const slots = { coupling: given(node, 'coupling'), axes: given(node, 'axes') };
    return movedBy(couplingOf(slots as Parameters<typeof couplingOf>[0]));
  }
  if (name !== 'deform') return [];
  const [rate, trueRate, strain] = ['rate', 'true_rate', 'strain'].map((k) => given(node, k));
  const [wiggle, table] = [given(node, 'wiggle'), given(node, 'table')];
  return deformedParts({ rate, trueRate, strain, wiggle, table } as DeformOptions);
}

/** Loops that stand in no other: each makes the steps of a run. */
const loopsOf = (node: GraphNode): BatchNode[] => {
  if (node.kind === 'operator') return [];
  return node.loop === undefined ? node.body.flatMap(loopsOf) : [node];
};

/** Operators of every pass. Those of a batch with a condition may stand in for each other. */
const always = (loop: BatchNode): OperatorNode[] =>
  loop.body.flatMap((node) => {
    if (node.kind === 'operator') return [node];
    return node.condition ? [] : always(node);
  });

const all = (node: GraphNode): OperatorNode[] =>
  node.kind === 'operator' ? [node] : node.body.flatMap(all);

/** Operators of a step that would move the same lengths and tilts of the box. */
export function checkBarostats({ root }: Simulation): readonly CorpuscleError[] {
  return loopsOf(root).flatMap((loop) => {
    const moving = always(loop).filter((node) => partsOf(node).length > 0);
    return moving.flatMap((node, k) => {
      const parts = partsOf(node);
      const other = moving
        .slice(0, k)
        .find((one) => partsOf(one).some((part) => parts.includes(part)));
      if (!other) return [];
      const both = partsOf(other).filter((part) => parts.includes(part));
      return [bothMove([nameOf(other), nameOf(node)], both, node.location)];
    });
  });
}

/** `nose_hoover_move` and `berendsen_box` are `nose_hoover` and `berendsen` to the user. */
const nameOf = ({ definition }: OperatorNode) => definition.name.replace(/_(move|box)$/, '');

/** A barostat that gives a volume the fluctuations of a temperature that nothing keeps. */
export function barostatsAlone({ root }: Simulation): readonly SimulationWarning[] {
  return loopsOf(root).flatMap((loop) => {
    const nodes = all(loop);
    // An operator of one's own may be a thermostat.
    const isKept = nodes.some(
      ({ definition, isBuiltIn }) =>
        !isBuiltIn || (THERMOSTATS.test(definition.name) && definition.name !== 'berendsen_box'),
    );
    return nodes.flatMap(({ definition, location }) =>
      isKept || definition.name !== 'cell_rescale' || !location
        ? []
        : [{ message: ALONE, location }],
    );
  });
}

const ALONE =
  'cell_rescale has no thermostat beside it, so that the run samples no ensemble: add one of the same temperature to numerical_scheme, such as bussi';
