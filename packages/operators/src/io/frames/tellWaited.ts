import type { SimulationState } from '@corpuscle/core';

/** Milliseconds of waiting in a run that are worth telling. */
const WORTH_TELLING = 100;

/** Says for how long steps have waited for a file. */
export function tellWaited(operator: string, state: SimulationState, waited: number): void {
  if (waited > WORTH_TELLING)
    state.say(`${operator} waited ${(waited / 1000).toFixed(1)} s for its file`);
}
