import type { SimulationState, StateKeeper } from '@corpuscle/core';
import { gridOfCheckpoint, restoreGrid, saveGrid } from '@corpuscle/patterns';
import { restoreBonds, savedBonds } from '../../bonds/savedBonds.js';
import { forcesAfterChange } from '../../forces/currentLedger.js';
import { restoreColumns, savedColumns } from '../../io/frames/fileColumns.js';
import { restoreDraws, savedDraws } from '../../sets/change/draws.js';
import { setSpecies, speciesOf } from '../../system/placeParticles.js';
import { currentLists } from '../currentLists.js';
import {
  areForcesCurrent,
  areUnlisted,
  dropForces,
  dropLists,
  listsReach,
  stampForces,
  stampLists,
} from '../freshness.js';
import { contextOf, gridKey, ledgerKey, ownParticles, planKey } from '../stateKeys.js';
import { type SavedMachine, type SavedParticles, savedParticlesOf } from './savedParticles.js';

/** How checkpoints hold particles, lists and forces. */
export const particleKeeper: StateKeeper = {
  async save(state): Promise<SavedParticles> {
    const ctx = contextOf(state);
    // A run that goes on takes its particles as checked, and their forces as computed: those that have just come are so before they are saved.
    if (state.find(planKey)) {
      if (areUnlisted(state)) await currentLists(state);
      await forcesAfterChange(state);
    }
    const reach = listsReach(state);
    const forces = (await state.find(ledgerKey)?.save(areForcesCurrent(state))) ?? null;
    const grid = await saveGrid(state.get(gridKey), ctx);
    if (startsAnew(state)) {
      dropLists(state);
      await renewLists(state, reach);
    }
    const rcut = state.find(planKey)?.lists.rcut ?? 0;
    const [machine, species, columns] = [machineOf(state), speciesOf(state), savedColumns(state)];
    const draws = savedDraws(state);
    const bonds = savedBonds(state.get(gridKey));
    return { machine, species, grid, reach, rcut, forces, columns, draws, bonds };
  },

  create(state, saved) {
    const { species, grid, columns, bonds } = savedParticlesOf(state.step, saved);
    setSpecies(state, species);
    if (columns) restoreColumns(state, columns);
    const particles = gridOfCheckpoint(grid, contextOf(state));
    ownParticles(state, particles);
    if (bonds) restoreBonds(particles, bonds);
  },

  async restore(state, saved) {
    const { grid, reach, rcut, forces, machine, draws = 0 } = savedParticlesOf(state.step, saved);
    state.find(planKey)?.lists.serve(rcut);
    const hasLists = await restoreGrid(state.get(gridKey), contextOf(state), grid);
    dropLists(state);
    if (hasLists && reach > 0) stampLists(state, reach);
    else await renewLists(state, reach);
    dropForces(state);
    if (forces && forces.areCurrent !== false) stampForces(state);
    if (forces) state.find(ledgerKey)?.restore(forces);
    restoreDraws(state, draws);
    tellMachine(state, machine);
  },
};

/** On a device a deterministic run forgets at a checkpoint what it has learned: so does one that goes on from it. */
export function startsAnew(state: SimulationState): boolean {
  const { deterministic, device } = contextOf(state);
  return deterministic && device !== null;
}

/** Operators that come next in the same step find lists, where there were some. */
async function renewLists(state: SimulationState, reach: number): Promise<void> {
  if (reach === 0) return;
  await currentLists(state);
}

const machineOf = (state: SimulationState): SavedMachine => {
  const { backend, precision, threads } = contextOf(state);
  return { backend, precision, threads };
};

function tellMachine(state: SimulationState, machine: SavedMachine): void {
  const present = machineOf(state);
  const text = ({ backend, precision }: SavedMachine) => `${backend} ${precision}`;
  const isSame = text(present) === text(machine); // the number of threads changes no bits
  if (isSame || !state.simulation.configuration.deterministic) return;
  state.say(
    `the checkpoint was written on ${text(machine)}, and the run goes on with ${text(present)}: last digits will differ`,
  );
}
