import { type Grid, imageFlags, type SimulationState } from '@corpuscle/core';
import { freshnessOf } from '../../run/freshness.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { copyById } from './copyById.js';

/** Blocks that sorts of the copy change, as they bring particles back into the box: those of the run stay as they are. */
const unmoved: ReadonlySet<string> = new Set(['position', imageFlags.name]);

/**
 * Does something with all particles. On several ranks each of them does it, with a copy of the particles of all, which stands for
 * those of the run meanwhile; what it leaves in fields the particles of the rank get. On one process it is called with the grid.
 */
export function onWholeGrid<T>(
  state: SimulationState,
  work: (grid: Grid) => Promise<T>,
): Promise<T> {
  const { host } = contextOf(state).engines;
  const grid = state.get(gridKey);
  return host.copyWhole ? onCopy(state, host.copyWhole(grid), work) : work(grid);
}

async function onCopy<T>(
  state: SimulationState,
  whole: Grid,
  work: (grid: Grid) => Promise<T>,
): Promise<T> {
  const ctx = contextOf(state);
  const grid = state.get(gridKey);
  const freshness = freshnessOf(state);
  const { lists, reach, forces } = freshness;
  const versions = new Map([...whole.blocks].map(([name, block]) => [name, block.hostVersion]));
  try {
    state.set(gridKey, whole);
    freshness.lists = Number.NaN;
    const result = await work(whole);
    ctx.engines.host.finish();
    for (const [name, block] of whole.blocks)
      if (!unmoved.has(name) && block.hostVersion !== versions.get(name))
        await copyById(name, whole, grid, ctx);
    return result;
  } finally {
    state.set(gridKey, grid);
    Object.assign(freshness, { lists, reach, forces });
    whole.free();
  }
}
