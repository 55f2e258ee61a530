import type { Grid } from '@corpuscle/core';

/** A lookup of what an engine keeps for each grid: made on first use, given back with the grid. */
export function perGrid<State extends { free(): void }>(
  make: (grid: Grid) => State,
): (grid: Grid) => State {
  const states = new WeakMap<Grid, State>();
  return (grid) => {
    const present = states.get(grid);
    if (present) return present;
    const state = make(grid);
    states.set(grid, state);
    grid.onFree(() => {
      state.free();
      states.delete(grid);
    });
    return state;
  };
}
