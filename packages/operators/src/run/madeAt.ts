import { type SimulationState, stateKey } from '@corpuscle/core';

const madeAtKey = stateKey<Map<string, number>>(
  'steps of analyses',
  'analyses note when they have looked at particles',
);

/** Notes that an analysis has left in particles what is of the present step. */
export const noteMade = (state: SimulationState, analysis: string): void => {
  state.obtain(madeAtKey, () => new Map()).set(analysis, state.step);
};

/** The step whose particles an analysis has looked at last; undefined where it has not, since the run went on. */
export const madeAt = (state: SimulationState, analysis: string): number | undefined =>
  state.find(madeAtKey)?.get(analysis);
