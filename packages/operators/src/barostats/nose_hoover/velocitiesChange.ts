import {
  type BatchNode,
  type GraphNode,
  type OperatorNode,
  operatorsOf,
  type Simulation,
} from '@corpuscle/core';

const FIELDS = ['velocity', 'vx', 'vy', 'vz', 'mass'];

/**
 * Whether operators change velocities after the second half of a barostat's step, and before the first half of the next one. The
 * barostat measures them at the end of its step, and must do so again.
 */
export function velocitiesChange({ root }: Simulation): boolean {
  return stepsIn(root).some((steps) => {
    let isWithin = false;
    for (const node of operatorsOf(steps)) {
      const { name } = node.definition;
      if (name === 'nose_hoover_move') isWithin = true;
      else if (name === 'nose_hoover_kick') isWithin = false;
      else if (!isWithin && changesVelocities(node)) return true;
    }
    return false;
  });
}

/** Loops with a barostat that stand in no other; where there is none, steps that are written one by one. */
function stepsIn(root: BatchNode): readonly GraphNode[] {
  const loops = loopsOf(root).filter((loop) =>
    [...operatorsOf(loop)].some(({ definition }) => definition.name === 'nose_hoover_move'),
  );
  return loops.length > 0 ? loops : [root];
}

const loopsOf = (node: GraphNode): readonly BatchNode[] => {
  if (node.kind === 'operator') return [];
  return node.loop === undefined ? node.body.flatMap(loopsOf) : [node];
};

function changesVelocities({ definition, slots }: OperatorNode): boolean {
  const known: Record<string, unknown> = {};
  for (const [name, source] of slots) if (source.kind === 'value') known[name] = source.value;
  const { changesVelocities: changes, writes } = definition;
  if (typeof changes === 'function' ? changes(known) : changes) return true;
  const written = typeof writes === 'function' ? writes(known) : writes;
  return written?.some((field) => FIELDS.includes(field)) ?? false;
}
