import { CorpuscleError, type SimulationState } from '@corpuscle/core';
import { updateNeighbors } from '@corpuscle/patterns';
import { checkOverlap } from '../system/checkOverlap.js';
import { usedCutoffs } from './cutoffs.js';
import {
  areListsUseless,
  freshnessOf,
  settled,
  stampAgain,
  stampLists,
  stampOf,
} from './freshness.js';
import { listBackendOf } from './listBackend.js';
import { contextOf, gridKey, planKey } from './stateKeys.js';

/** Skin where `begin_run` has not said one, as a part of the cutoff. */
const SKIN = 0.1;

/**
 * Checks the frame in the grid against all cutoffs of the simulation and builds its neighbor lists.
 *
 * @returns the largest cutoff; 0 when nothing looks at neighbors.
 * @throws CorpuscleError NO_PARTICLES, BOX_TOO_THIN (at the cutoff in the file), OVERLAP.
 */
export async function firstLists(state: SimulationState, skin?: number | 'auto'): Promise<number> {
  const grid = state.get(gridKey);
  const ctx = contextOf(state);
  const freshness = freshnessOf(state);
  const rcut = checkedCutoff(state);
  if (rcut > 0) {
    const backend = listBackendOf(state.simulation, ctx.backend);
    await updateNeighbors(grid, ctx, { rcut, skin: skin ?? SKIN * rcut, force: true, backend });
    await checkOverlap(grid, ctx, rcut, freshness.locate);
  }
  freshness.isChecked = true;
  freshness.locate = undefined;
  stampLists(state, rcut);
  return rcut;
}

/**
 * Makes the lists good for the present positions, where no operator of the scheme has done so. Particles may be sorted, and
 * are not moved: forces that belong to them still do.
 *
 * @param rcut how far the lists must reach, from now on in every step. Default: the largest cutoff of the simulation.
 */
export async function currentLists(state: SimulationState, rcut = 0): Promise<void> {
  const plan = state.find(planKey);
  if (plan?.lists.serve(rcut)) state.renewCalls();
  const before = stampOf(state);
  if (!freshnessOf(state).isChecked) {
    await firstLists(state, plan?.lists.skin);
    if (plan) plan.lists.updates.rebuilds++;
    stampAgain(state, before);
  }
  const { lists, reach: reached } = freshnessOf(state);
  if (lists === stampOf(state) && reached >= (plan?.lists.rcut ?? rcut)) return;
  const reach = plan?.lists.rcut ?? Math.max(rcut, checkedCutoff(state));
  const skin = plan?.lists.skin ?? SKIN * reach;
  const ctx = contextOf(state);
  const backend = listBackendOf(state.simulation, ctx.backend);
  if (reach > 0) await updateNeighbors(state.get(gridKey), ctx, { rcut: reach, skin, backend });
  await settled(state);
  stampAgain(state, before);
  stampLists(state, reach);
}

/** The same where another box, or other particles, have made the lists useless since they were built. */
export const listsAfterChange = (state: SimulationState): Promise<void> | undefined =>
  areListsUseless(state) ? currentLists(state) : undefined;

function checkedCutoff(state: SimulationState): number {
  const grid = state.get(gridKey);
  if (grid.total === 0)
    throw new CorpuscleError('NO_PARTICLES', 'there are no particles: a run needs at least one');
  let rcut = 0;
  for (const used of usedCutoffs(state.simulation)) {
    try {
      grid.domain.checkReach(used.rcut);
    } catch (error) {
      throw located(error, used.location);
    }
    rcut = Math.max(rcut, used.rcut);
  }
  return rcut;
}

/** The same error with the place the user can change. */
function located(error: unknown, location: CorpuscleError['location']): unknown {
  if (!(error instanceof CorpuscleError) || !location) return error;
  return new CorpuscleError(error.code, error.message, { location, cause: error });
}
