import type { SimulationState } from '@corpuscle/core';
import { freshnessOf, stampOf } from './freshness.js';

/**
 * Does something that may sort particles, such as building lists, and moves none: rows change, and what belongs to them goes
 * with them, so lists and forces that were good for the positions still are.
 */
export async function keepStamps<R>(
  state: SimulationState,
  action: () => R | Promise<R>,
): Promise<R> {
  const before = stampOf(state);
  const result = await action();
  const freshness = freshnessOf(state);
  const now = stampOf(state);
  if (freshness.lists === before) freshness.lists = now;
  if (freshness.forces === before) freshness.forces = now;
  return result;
}
