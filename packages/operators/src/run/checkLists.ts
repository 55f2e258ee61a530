import {
  type BatchNode,
  CorpuscleError,
  type Domain,
  knownSlots,
  type OperatorNode,
  operatorFailure,
  operatorsOf,
  type Simulation,
} from '@corpuscle/core';
import { writtenCutoffs } from './cutoffs.js';
import { divisionOf } from './listBackend.js';
import { planKey } from './stateKeys.js';

/**
 * What is wrong with the neighbor lists of a simulation as far as its file says: cutoffs that the box is too thin for, where a
 * lattice or `domain` makes the box and nothing that runs before the first lists changes it; and forces that would need
 * lists on two engines.
 */
export function checkLists(simulation: Simulation): readonly CorpuscleError[] {
  const mistakes: CorpuscleError[] = [];
  const cutoffs = [...operatorsOf(simulation.root)].flatMap(writtenCutoffs);
  const divided = divisionOf(cutoffs.map(({ node }) => node));
  if (divided) mistakes.push(divided);
  const domain = firstBox(simulation.root);
  if (!domain) return mistakes;
  for (const { rcut, location } of cutoffs) {
    try {
      domain.checkReach(rcut);
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      mistakes.push(
        new CorpuscleError(error.code, error.message, { ...(location && { location }) }),
      );
    }
  }
  return mistakes;
}

/** The box in which the first lists are built; null where only a run knows it. */
function firstBox(root: BatchNode): Domain | null {
  let domain: Domain | null = null;
  for (const node of operatorsBefore(root)) {
    if (node === null) return null;
    const beginsRun = node.definition.provides?.includes(planKey);
    if (beginsRun || writtenCutoffs(node).length > 0) return domain;
    if (keepsBox(node)) continue;
    if (domain) return null;
    domain = boxOf(node);
    if (!domain) return null;
  }
  return null;
}

/** Whether an operator says that it keeps the box. */
export function keepsBox(node: OperatorNode): boolean {
  const { box, hostOnly, writes } = node.definition;
  if (box) return box === 'kept';
  return (
    hostOnly === true ||
    (typeof writes === 'function' ? writes(knownSlots(node)) : writes) !== undefined
  );
}

/** The box that an operator makes; null where it does not say. @throws CorpuscleError where there is no such box, at the operator */
export function boxOf(node: OperatorNode): Domain | null {
  const { box } = node.definition;
  if (typeof box !== 'function') return null;
  try {
    return box(knownSlots(node));
  } catch (error) {
    throw operatorFailure(error, node);
  }
}

/** Operators in their order; null for a batch that may not run, or run again. */
function* operatorsBefore(batch: BatchNode): Generator<OperatorNode | null> {
  for (const node of batch.body) {
    if (node.kind === 'operator') yield node;
    else if (node.condition || node.loop) yield null;
    else yield* operatorsBefore(node);
  }
}
