import type { SimulationState } from '@corpuscle/core';
import { contextOf } from './stateKeys.js';

/**
 * A number that the process which writes files finds, in all processes that share a run, which all of them call: clocks and folders of
 * others are not the same.
 */
export function toldByWriter(state: SimulationState, find: () => number): number {
  const { host } = contextOf(state).engines;
  if (!host.sumShared) return find();
  return host.sumShared(Float64Array.of(state.output.writes ? find() : 0))[0]!;
}
