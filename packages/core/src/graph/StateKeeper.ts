import type { Saved } from '../checkpoint/Saved.js';
import type { SimulationState } from './SimulationState.js';

/** How a checkpoint holds what operators share: particles, box, lists. The operator that writes checkpoints has one. */
export interface StateKeeper {
  /** What is to be saved. Arrays must stay as they are until they have been written. */
  save(state: SimulationState): Saved | Promise<Saved>;
  /** A run goes on: makes the entries of the state that operators need to be prepared. */
  create(state: SimulationState, saved: Saved): void | Promise<void>;
  /** All operators have been restored: makes everything as it was. */
  restore(state: SimulationState, saved: Saved): void | Promise<void>;
}
