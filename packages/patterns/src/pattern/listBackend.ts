import type { Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { BackendName } from '../plan/chooseBackend.js';

const known = new WeakMap<Grid, BackendName>();

/** Where a grid's lists are from now on. */
export function noteListBackend(grid: Grid, backend: BackendName): void {
  known.set(grid, backend);
}

/**
 * The backend to ask for by calls that go through a grid's lists: they run where these are, whatever their operator was given.
 * Before there are lists they run where these will be.
 */
export function listBackendOf(grid: Grid, ctx: ExecutionContext): 'auto' | BackendName | undefined {
  const backend = known.get(grid);
  if (backend === undefined) return ctx.operatorBackend;
  return backend === ctx.backend ? 'auto' : backend;
}
