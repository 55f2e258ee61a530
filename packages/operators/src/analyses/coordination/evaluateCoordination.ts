import type { SimulationState } from '@corpuscle/core';
import { currentLists } from '../../run/currentLists.js';
import { dropLists, stampAgain, stampOf } from '../../run/freshness.js';
import { gridKey, planKey } from '../../run/stateKeys.js';
import { type NeighborFrame, neighborsWithin } from '../define/neighborsWithin.js';
import type { CoordinationNumber, CoordinationValue } from './CoordinationNumber.js';
import type { CoordinationSlots } from './coordinationSlots.js';
import { listRange } from './ListSolver.js';

/** A value, and the particles that have their shares of it. */
export interface EvaluatedCoordination extends CoordinationValue {
  readonly near: Pick<NeighborFrame, 'grid' | 'close'>;
}

/**
 * Evaluates a coordination number for the particles of a run: for forces over the run's lists, which reach far enough from then
 * on; for an analysis over lists that leave the run alone. Without a run lists last as long as `list_cutoff` allows, or by
 * themselves. Close `near` when shares have been read.
 */
export async function evaluateCoordination(
  number: CoordinationNumber,
  slots: Pick<CoordinationSlots, 'list_cutoff'> & { readonly harmonic_bias?: unknown },
  state: SimulationState,
): Promise<EvaluatedCoordination> {
  const grid = state.get(gridKey);
  const ofRun = { grid, close: async () => {} };
  if (!state.find(planKey)) return { ...(await evaluateAlone(number, slots, state)), near: ofRun };
  if ((await number.explain(grid)).path === 'all_pairs')
    return { ...(await number.evaluate(grid)), near: ofRun };
  const rcut = listRange(number.switching);
  if (slots.harmonic_bias) {
    await currentLists(state, rcut);
    return { ...(await number.evaluate(grid, 'current')), near: ofRun };
  }
  const near = await neighborsWithin(state, rcut);
  return { ...(await number.evaluate(near.grid, 'current')), near };
}

async function evaluateAlone(
  number: CoordinationNumber,
  { list_cutoff: cutoff }: Pick<CoordinationSlots, 'list_cutoff'>,
  state: SimulationState,
): Promise<CoordinationValue> {
  const reach =
    cutoff === undefined ? undefined : { rcut: 0, skin: cutoff - number.switching.range };
  const before = stampOf(state);
  const result = await number.evaluate(state.get(gridKey), reach);
  stampAgain(state, before);
  if (result.path !== 'all_pairs') dropLists(state); // they may reach less far than those of forces
  return result;
}
