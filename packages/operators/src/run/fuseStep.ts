import type { FusedStep, SimulationState, StepCall } from '@corpuscle/core';
import { type PreparedCall, prepareStep } from '@corpuscle/patterns';
import { areForcesCurrent, freshnessOf, listsReach, stampLists, stampOf } from './freshness.js';
import { contextOf, ledgerKey, planKey } from './stateKeys.js';

/**
 * Fuses the calls of a pass that has just been made one by one. What that pass left, every replay leaves: the same force terms,
 * and lists and forces that belong to the present positions, or do not.
 */
export function fuseStep(state: SimulationState, calls: readonly StepCall[]): FusedStep {
  const step = prepareStep(contextOf(state), calls as readonly PreparedCall[]);
  const { lists } = state.get(planKey);
  const updates = lists.rcut > 0 ? calls.filter((call) => call === lists.call).length : 0;
  const ledger = state.find(ledgerKey);
  const evaluation = ledger?.evaluation;
  const reach = listsReach(state);
  const hasForces = areForcesCurrent(state);
  const note = (): void | Promise<void> => {
    if (evaluation) ledger!.noteReplay(evaluation);
    if (hasForces) freshnessOf(state).forces = stampOf(state);
    if (reach > 0) stampLists(state, reach);
    return lists.updates.check();
  };
  return {
    mayWait: step.isSame,
    get isShared() {
      return step.isShared;
    },
    isCurrent: () => !evaluation || ledger!.isCurrent(evaluation),
    run(first, last) {
      for (let at = first; at <= last; at++)
        for (let k = 0; k < updates; k++) lists.updates.asked(at);
      const waiting = step.run(last - first + 1);
      return waiting ? waiting.then(note) : note();
    },
    close: () => step.close(),
  };
}
