import { type BlockSpec, FieldBlock } from '@corpuscle/core';
import type { DeviceNeeds } from '../../engine/DeviceMemory.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { SPARE } from '../neighbors/Neighbors.js';
import { deviceType } from './DeviceBlock.js';

/** Bytes of a particle in lists: its count, and its position at the build. */
const LISTED = 4 + 16;
/** Of one in a sort: its chain, its place among the members of its cell, and a candidate; half a cell. */
const SORTED = 4 + 4 + 8 + 6;

/**
 * What particles take at least: every block twice, because sorts move rows from one buffer to the other; a copy of the state, to
 * which speculation goes back; and lists.
 *
 * @param specs of the blocks. @param neighbors within the cutoff, of a particle
 */
export function deviceNeeds(
  { mostBytes, reals }: GpuDevice,
  specs: readonly BlockSpec[],
  count: number,
  neighbors: number,
): DeviceNeeds {
  let state = 0;
  let widest = 0;
  let block = '';
  for (const spec of specs) {
    const isPosition = spec.name === 'position';
    const row = 4 * deviceType({ spec }, isPosition, reals.state).words;
    const low = isPosition && reals.state === 'f64' ? row : 0;
    state += row + low;
    if (row > widest) [widest, block] = [row, spec.name];
  }
  const lists = count * (LISTED + 4 * SPARE * neighbors);
  return {
    bytes: count * (3 * state + SORTED) + lists,
    lists,
    block: { name: block, bytes: count * widest, limit: mostBytes },
    mostParticles: Math.floor(mostBytes / widest) - FieldBlock.PADDING,
  };
}
