import {
  type BatchNode,
  CorpuscleError,
  type GraphNode,
  knownSlots,
  type OperatorNode,
  type Simulation,
} from '@corpuscle/core';
import { known } from '../../run/cutoffs.js';
import { stepsBetween } from '../../run/frameSlots.js';
import { onlyRun } from '../../run/onlyRun.js';
import { noMade } from './gridFrame.js';
import { type Made, madeFields } from './madeFields.js';

/** An operator, and the innermost loop that it is in. */
interface Place {
  readonly node: OperatorNode;
  readonly loop: BatchNode | null;
}

/** Operators that may give particles fields or columns of any names. */
const HAVING = /^(?:read_|particle_properties$)/;

/**
 * Writers of what no analysis before them leaves in particles, such as stresses: a run would end when it comes to them, after its last
 * step perhaps. And those that write when none has made it in the same step: frames would have that of an earlier step.
 */
export function checkMade({ root }: Simulation): readonly CorpuscleError[] {
  const places = placesOf(root, null);
  if (!places.every(({ node }) => node.isBuiltIn)) return [];
  const end = endOf(places.map(({ node }) => node));
  const mayHave = ({ slot }: Made) =>
    slot === 'properties' && places.some(({ node }) => HAVING.test(node.definition.name));
  return places.flatMap((place, k) => {
    const { name } = place.node.definition;
    if (!name.startsWith('write_')) return [];
    return madeFields(knownSlots(place.node)).flatMap((made) => {
      const isMaker = ({ node }: Place) => node.definition.name === made.maker;
      const makers = places.slice(0, k).filter(isMaker);
      const { location } = known(place.node, made.slot) ?? {};
      const at = location ?? place.node.location;
      if (makers.length === 0) return mayHave(made) ? [] : [noMade(made, at)];
      const isCurrent = place.loop
        ? makers.some(({ node, loop }) => loop === place.loop && isInStepsOf(node, place.node))
        : isOfEnd(
            places,
            places.findLastIndex((one, j) => j < k && isMaker(one)),
            { k, end },
          );
      return isCurrent ? [] : [stale(name, made, place, at)];
    });
  });
}

const placesOf = (node: GraphNode, loop: BatchNode | null): Place[] =>
  node.kind === 'operator'
    ? [{ node, loop }]
    : node.body.flatMap((child) => placesOf(child, node.loop === undefined ? loop : node));

/** Whether what place j has made is that of place k, which is in no loop: nothing loops between, or the loop ends in a step of place j. */
function isOfEnd(
  places: readonly Place[],
  j: number,
  { k, end }: { readonly k: number; readonly end: number | null },
): boolean {
  const { node, loop } = places[j]!;
  const isBetween = places.slice(j + 1, k).some((one) => one.loop && one.loop !== loop);
  if (isBetween || !loop) return !isBetween;
  if (followsValues(node) || end === null) return true;
  const { from, every } = stepsOf(node);
  return end >= from && (end - from) % every === 0;
}

/** Whether one acts whenever the other does, as far as the file says. */
function isInStepsOf(one: OperatorNode, other: OperatorNode): boolean {
  if ([one, other].some(followsValues)) return true;
  const [made, written] = [stepsOf(one), stepsOf(other)];
  const since = written.from - made.from;
  return since >= 0 && since % made.every === 0 && written.every % made.every === 0;
}

function stepsOf(node: OperatorNode): { readonly every: number; readonly from: number } {
  const slots = knownSlots(node);
  return { every: stepsBetween(slots) ?? 1, from: (slots.from as number | undefined) ?? 0 };
}

/** Whether only a run knows the steps. */
const followsValues = ({ slots }: OperatorNode): boolean =>
  ['every', 'frequency', 'from'].some((name) => slots.get(name)?.kind === 'output');

/** The step at which a run ends that is the only one; null where only it knows. */
function endOf(nodes: readonly OperatorNode[]): number | null {
  const { steps, duration } = onlyRun(nodes) ?? {};
  return duration === undefined ? (steps ?? null) : null;
}

const stale = (
  writer: string,
  { what, maker }: Made,
  { loop }: Place,
  location: CorpuscleError['location'],
): CorpuscleError => {
  const where = loop ? 'the same list, with the same every and from' : 'the same list';
  return new CorpuscleError(
    'INVALID_VALUE',
    `${writer} would write ${what} of an earlier step: put ${maker} before it into ${where}`,
    { location },
  );
};
