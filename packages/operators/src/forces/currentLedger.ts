import type { SimulationState, StepCall } from '@corpuscle/core';
import { currentLists, listsAfterChange } from '../run/currentLists.js';
import { freshnessOf, settled, stampOf } from '../run/freshness.js';
import { contextOf, gridKey, ledgerKey } from '../run/stateKeys.js';
import { type ExpectedResults, ForceLedger } from './ForceLedger.js';
import type { ForceTerm } from './ForceTerm.js';

/** Clears the forces and opens the account of the present positions. */
export function beginForces(state: SimulationState): ForceLedger {
  const ledger = state.find(ledgerKey) ?? newLedger(state);
  ledger.begin(expectedIn(state));
  freshnessOf(state).forces = stampOf(state);
  return ledger;
}

/** What operators that are due in this step read of forces. */
export function expectedIn(state: SimulationState): ExpectedResults {
  const needed = state.needsNow();
  const readsTotals = needed.has('energy') || needed.has('virial');
  const readsVirial = needed.has('virial_alone');
  return {
    totals: readsTotals || readsVirial || needed.has('virial_diagonal'),
    withoutEnergy: !readsTotals,
    isDiagonal: !readsTotals && !readsVirial,
    energies: needed.has('particle_energies'),
  };
}

function newLedger(state: SimulationState): ForceLedger {
  const grid = state.get(gridKey);
  const ledger = new ForceLedger(grid, contextOf(state));
  grid.onFree(() => ledger.close());
  state.set(ledgerKey, ledger);
  return ledger;
}

/**
 * Adds a term to the forces at the present positions. Lists that are stale, or do not reach its cutoff, are renewed, and forces that belong to other
 * positions cleared, so that a batch needs nothing but particles before its force operators:
 *
 *   simulation: [setup_system, compute_force, write_extended_xyz: { file: forces.xyz }]
 *
 * In molecular dynamics `update_neighbors` and `zero_force` have done both, and nothing is left to do.
 */
export function addForces(state: SimulationState, term: ForceTerm): void | Promise<void> {
  const freshness = freshnessOf(state);
  if (settled(state) === null && freshness.isChecked) {
    const stamp = stampOf(state);
    const ledger = state.find(ledgerKey);
    const areListed = freshness.lists === stamp && freshness.reach >= term.rcut;
    if (ledger && areListed && freshness.forces === stamp) {
      ledger.add(term);
      return undefined;
    }
  }
  return prepareAndAdd(state, term);
}

async function prepareAndAdd(state: SimulationState, term: ForceTerm): Promise<void> {
  await settled(state);
  await currentLists(state, term.rcut);
  if (!state.find(ledgerKey) || freshnessOf(state).forces !== stampOf(state)) beginForces(state);
  await settled(state);
  state.get(ledgerKey).add(term);
}

/** The calls that `addForces` makes in this step, for `calls` of a force operator; null for a term that cannot be prepared. */
export function forceCalls(state: SimulationState, term: ForceTerm): readonly StepCall[] | null {
  return state.find(ledgerKey)?.addCalls(term, expectedIn(state)) ?? null;
}

/** Makes sure that `ep` holds the energy of every particle, where the box may have changed since the forces. */
export async function particleEnergies(state: SimulationState): Promise<void> {
  const ledger = state.get(ledgerKey);
  if (!ledger.hasEnergies) await listsAfterChange(state);
  await ledger.energies();
}
