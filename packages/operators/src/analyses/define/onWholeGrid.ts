import { type FieldBlock, type Grid, imageFlags, type SimulationState } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { freshnessOf } from '../../run/freshness.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { copyById } from './copyById.js';

/** Blocks that sorts of the copy change, as they bring particles back into the box: those of the run stay as they are. */
const unmoved: ReadonlySet<string> = new Set(['position', imageFlags.name]);

/**
 * Does something with all particles. On several ranks each of them does it, with a copy of the particles of all, which stands for
 * those of the run meanwhile; what it leaves in fields the particles of the rank get. On one process it is called with the grid.
 */
export async function onWholeGrid<T>(
  state: SimulationState,
  work: (grid: Grid) => Promise<T>,
): Promise<T> {
  const ctx = contextOf(state);
  const { host } = ctx.engines;
  const grid = state.get(gridKey);
  if (!host.copyWhole) return work(grid);
  await newestOnHost(grid, ctx);
  return onCopy(state, host.copyWhole(grid), work);
}

/** Grows when a block is written, by the host or a device. */
const versionOf = ({ hostVersion, deviceVersion }: FieldBlock): number =>
  Math.max(hostVersion, deviceVersion);

async function onCopy<T>(
  state: SimulationState,
  whole: Grid,
  work: (grid: Grid) => Promise<T>,
): Promise<T> {
  const ctx = contextOf(state);
  const grid = state.get(gridKey);
  const freshness = freshnessOf(state);
  const { lists, reach, forces } = freshness;
  const versions = new Map([...whole.blocks].map(([name, block]) => [name, versionOf(block)]));
  try {
    state.set(gridKey, whole);
    freshness.lists = Number.NaN;
    const result = await work(whole);
    ctx.engines.host.finish();
    await ctx.device?.started(); // calls that wait for others have still to be made
    for (const [name, block] of whole.blocks)
      if (!unmoved.has(name) && versionOf(block) !== versions.get(name))
        await copyById(name, whole, grid, ctx);
    return result;
  } finally {
    state.set(gridKey, grid);
    Object.assign(freshness, { lists, reach, forces });
    whole.free();
  }
}
