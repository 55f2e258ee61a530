import type { IntegratorRun } from '../integrators/IntegratorSpec.js';

/** Parameters of functors that draw random numbers. */
export const noiseParams = {
  low: 'real',
  high: 'real',
  stream: 'u32',
  seed: 'u32',
  seedHigh: 'u32',
} as const;

/** Slots of thermostats that draw random numbers. */
export const seedSlot = {
  seed: { type: 'integer', min: 0, doc: 'default the seed of the configuration' },
} as const;

/** The key of random numbers: stream of the use, and seed in two halves of 32 bits. */
export function keyOfNoise(given: number | undefined, { stream, seed }: IntegratorRun) {
  const used = given ?? seed;
  return { stream, seed: used >>> 0, seedHigh: Math.floor(used / 2 ** 32) };
}
