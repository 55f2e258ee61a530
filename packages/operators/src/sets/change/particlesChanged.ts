import { type SimulationState, stateKey } from '@corpuscle/core';
import { dropForces, dropLists, noteOtherParticles } from '../../run/freshness.js';
import { gridKey } from '../../run/stateKeys.js';

/** The ids that particles of the run have had, as far as it knows. */
interface KnownIds {
  /** The least that none of them has had. */
  next: number;
  /** Whether one of them has had id 0. */
  hasZero: boolean;
}

const knownIdsKey = stateKey<KnownIds>('known ids', 'they exist once particles are changed');
const knownIds = (state: SimulationState): KnownIds =>
  state.obtain(knownIdsKey, () => ({ next: 0, hasZero: false }));

/** Gives ids that no particle of the run has had, as far as the run knows; host copies must be current. */
export function newIds(state: SimulationState, count: number): number {
  noteIds(state);
  const known = knownIds(state);
  const first = known.next;
  known.next += count;
  return first;
}

/** Notes the ids that there are, before some of them go. */
export function noteIds(state: SimulationState): void {
  const known = knownIds(state);
  for (const id of state.get(gridKey).values('id')) {
    known.next = Math.max(known.next, id + 1);
    known.hasZero ||= id === 0;
  }
}

/** Whether a particle with id 0 may have gone: files without an id 0 go on as they began. */
export const hadIdZero = (state: SimulationState): boolean =>
  state.find(knownIdsKey)?.hasZero ?? false;

/** What checkpoints keep of them; those of older versions have `nextId` alone. */
export interface SavedIds {
  readonly nextId: number;
  readonly hadIdZero?: boolean;
}

export const savedIds = (state: SimulationState): Required<SavedIds> => ({
  nextId: state.find(knownIdsKey)?.next ?? 0,
  hadIdZero: hadIdZero(state),
});

/** Takes back what a checkpoint kept. */
export function restoreIds(state: SimulationState, saved: SavedIds): void {
  const known = knownIds(state);
  known.next = Math.max(known.next, saved.nextId);
  known.hasZero ||= saved.hadIdZero ?? false;
}

/** Other particles are in the grid: lists and forces belong to those before. Whoever needs them next makes them, and prepares calls again. */
export function particlesChanged(state: SimulationState): void {
  noteOtherParticles(state);
  dropLists(state);
  dropForces(state);
}
