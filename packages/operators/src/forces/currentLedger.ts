import type { SimulationState, SourceLocation, StepCall } from '@corpuscle/core';
import { currentLists, listsAfterChange } from '../run/currentLists.js';
import { areForcesOfOthers, freshnessOf, settled, stampForces, stampOf } from '../run/freshness.js';
import { areSamePlace } from '../run/places.js';
import { contextOf, gridKey, ledgerKey, planKey } from '../run/stateKeys.js';
import { type ExpectedResults, ForceLedger } from './ForceLedger.js';
import type { ForceTerm } from './ForceTerm.js';

/** Clears the forces and opens the account of the present positions. */
export function beginForces(state: SimulationState): ForceLedger {
  const ledger = state.find(ledgerKey) ?? newLedger(state);
  ledger.begin(expectedIn(state));
  stampForces(state);
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
 * In molecular dynamics `update_neighbors` and `zero_force` have done both, and nothing is left to do. An operator that has added
 * its forces already begins a new evaluation: after `minimize`, or where other numbers than positions have changed.
 *
 * @param location where the operator is in the file, by which it is known wherever its batch is executed
 */
export function addForces(
  state: SimulationState,
  term: ForceTerm,
  location?: SourceLocation,
): void | Promise<void> {
  const before = state.find(ledgerKey);
  if (location) places.set(term, location);
  if (before?.hasTerm((other) => other === term || areSamePlace(places.get(other), location)))
    freshnessOf(state).forces = Number.NaN;
  const freshness = freshnessOf(state);
  if (settled(state) === null && freshness.isChecked) {
    const stamp = stampOf(state);
    const areListed = freshness.lists === stamp && freshness.reach >= term.rcut;
    if (before && areListed && freshness.forces === stamp) {
      before.add(term);
      return undefined;
    }
  }
  return prepareAndAdd(state, term);
}

/** Where the operators of terms are. */
const places = new WeakMap<ForceTerm, SourceLocation>();

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

/** Computes forces anew where other particles have come since: what has been added up of them is not theirs. */
export function forcesAfterChange(state: SimulationState): Promise<void> | undefined {
  return areForcesOfOthers(state) && state.find(ledgerKey) ? forcesOfPresent(state) : undefined;
}

async function forcesOfPresent(state: SimulationState): Promise<void> {
  await currentLists(state);
  const { terms } = state.get(ledgerKey).evaluation;
  const { reach: rcut } = freshnessOf(state);
  const skin = state.find(planKey)?.lists.skin ?? 'auto';
  for (const term of terms)
    await term.before?.(state.get(gridKey), contextOf(state), { rcut, skin });
  state.renewCalls();
  const ledger = beginForces(state);
  for (const term of terms) ledger.add(term);
}

/** Makes sure that `ep` holds the energy of every particle, where the box may have changed since the forces. */
export async function particleEnergies(state: SimulationState): Promise<void> {
  const ledger = state.get(ledgerKey);
  if (!ledger.hasEnergies) await listsAfterChange(state);
  await ledger.energies();
}
