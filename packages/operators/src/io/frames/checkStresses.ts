import {
  type BatchNode,
  CorpuscleError,
  type GraphNode,
  knownSlots,
  type OperatorNode,
  operatorsOf,
  type Simulation,
} from '@corpuscle/core';
import { stepsBetween } from '../../run/frameSlots.js';
import { noStresses } from './gridFrame.js';

/** An operator, and the innermost loop that it is in. */
interface Place {
  readonly node: OperatorNode;
  readonly loop: BatchNode | null;
}

/**
 * Writers of stresses that no operator before them leaves in particles: a run would end when it comes to them, such as after its last
 * step. And those in a loop that write in steps in which none computes them: frames would have those of an earlier step.
 */
export function checkStresses({ root }: Simulation): readonly CorpuscleError[] {
  if (![...operatorsOf(root)].every(({ isBuiltIn }) => isBuiltIn)) return [];
  const computed: Place[] = [];
  return placesOf(root, null).flatMap((place) => {
    const { node, loop } = place;
    if (node.definition.name === 'particle_stress') computed.push(place);
    if (!writesStresses(node)) return [];
    if (computed.length === 0) return [noStresses(node.location)];
    const isCurrent = computed.some((one) => one.loop === loop && isInStepsOf(one.node, node));
    return loop && !isCurrent ? [staleStresses(node)] : [];
  });
}

const placesOf = (node: GraphNode, loop: BatchNode | null): Place[] =>
  node.kind === 'operator'
    ? [{ node, loop }]
    : node.body.flatMap((child) => placesOf(child, node.loop === undefined ? loop : node));

function writesStresses(node: OperatorNode): boolean {
  const { fields } = knownSlots(node);
  const isWriter = node.definition.name.startsWith('write_') && Array.isArray(fields);
  return isWriter && fields.includes('stress');
}

/** Whether one acts whenever the other does, as far as the file says. */
const isInStepsOf = (one: OperatorNode, other: OperatorNode): boolean =>
  [one, other].some(followsValues) ||
  (stepsBetween(knownSlots(other)) ?? 1) % (stepsBetween(knownSlots(one)) ?? 1) === 0;

/** Whether only a run knows the steps. */
const followsValues = ({ slots }: OperatorNode): boolean =>
  ['every', 'frequency'].some((name) => slots.get(name)?.kind === 'output');

const staleStresses = ({ definition: { name }, location }: OperatorNode): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `${name} would write stresses of an earlier step: put particle_stress before it into the same list, with the same every`,
    { location },
  );
