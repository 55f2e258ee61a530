import { type SimulationState, stateKey, uniform } from '@corpuscle/core';

const drawsKey = stateKey<{ step: number; count: number }>(
  'draws',
  'it exists once particles are drawn',
);

/**
 * Where the numbers of an operator begin: those that draw in the same step, with the same seed, draw different ones. Ids and numbers of
 * places stay below 2⁴⁰.
 */
export function nextDraw(state: SimulationState): number {
  const draws = state.obtain(drawsKey, () => ({ step: state.step, count: 0 }));
  if (draws.step !== state.step) Object.assign(draws, { step: state.step, count: 0 });
  return 2 ** 40 * draws.count++;
}

/** For checkpoints: the draws of the present step. */
export function savedDraws(state: SimulationState): number {
  const draws = state.find(drawsKey);
  return draws?.step === state.step ? draws.count : 0;
}
export const restoreDraws = (state: SimulationState, count: number): void =>
  state.set(drawsKey, { step: state.step, count });

/** Another stream in every step. */
export const streamOf = (stream: number, { step }: SimulationState): number =>
  stream + 2 ** 32 * (step % 2 ** 20);

/** Slots of operators that act on a random part of particles. */
export const fractionSlots = (what: string) =>
  ({
    fraction: {
      type: 'number',
      min: 0,
      max: 1,
      default: 1,
      doc: `probability with which each of them is ${what}`,
    },
    seed: { type: 'integer', min: 0, doc: 'default the seed of the configuration' },
  }) as const;

/** A random part of particles. */
export interface RandomPart {
  /** The probability of each. */
  readonly fraction: number;
  readonly seed?: number | undefined;
}

/** Tells by its id whether a particle is drawn. @param first of `nextDraw` */
export function drawsParticles(
  state: SimulationState,
  { fraction, seed = state.simulation.configuration.seed }: RandomPart,
  stream: number,
  first: number,
): (id: number) => boolean {
  const now = streamOf(stream, state);
  return (id) => fraction === 1 || uniform(seed, now, first + id) < fraction;
}
