import { CorpuscleError } from '@corpuscle/core';
import { strainNames } from '../../box/strainedBox.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { Findings } from './examine.js';
import { type SpeculationWindow, UNREAD } from './SpeculationWindow.js';
import type { WindowPool } from './WindowPool.js';

/** How windows are made again. */
interface Repetition {
  /** Of their intervals. */
  readonly limit: number;
  /** Whether the host plans builds in place, and counts them. */
  readonly isPlanned?: boolean;
  /** What is done before. */
  readonly prepare?: () => void;
  /** The first half of the oldest, where that was too long. */
  readonly early?: SpeculationWindow;
}

/**
 * How a window, the oldest, and all after it must be made again; null where its lists were good, or nothing is gained: longer lists,
 * rebuilds at shorter intervals, or, for a box that was deformed by more than lists allow for, another reference, wider lists, or a
 * shorter window.
 */
export async function whyRepeat(
  runner: CallRunner,
  pool: WindowPool,
  window: SpeculationWindow,
  found: Findings,
): Promise<Repetition | null> {
  const { neighbors } = runner;
  const { grid } = window;
  if (found.isStopped) return { limit: Infinity };
  const lists = neighbors.lists(grid);
  if (!lists || grid.count === 0) return null;
  if (found.longest > lists.capacity) {
    // Forces of lists that had no room tell nothing else: particles may go anywhere.
    await neighbors.makeRoom(grid, found.longest);
    return { limit: pool.rebuilds.repeat(window, { interval: window.interval, ages: [] }) };
  }
  if ((found.hasStrayed || found.hasLostVote) && window.mostVoted > 0) {
    if (found.hasStrayed) pool.rebuilds.length.strayed(window.updates);
    else pool.mayVote = false;
    return { limit: Infinity, isPlanned: true };
  }
  if (found.brokenAt < Infinity) return null;
  if (found.isStrained) {
    const prepare = await boxToTake(runner, window);
    return { limit: Infinity, ...(prepare ? { prepare } : { early: splitWindow(window, pool) }) };
  }
  if (found.interval >= window.interval) return null;
  const limit = pool.rebuilds.repeat(window, found);
  window.failed = true;
  return { limit };
}

/**
 * Puts the state before the first of some windows back and makes all their calls again.
 * @param windows in a row, of one grid.
 */
export function repeatWindows(
  { residency, gpu, strains }: CallRunner,
  windows: readonly SpeculationWindow[],
  { limit, prepare, isPlanned }: Repetition,
): void {
  const [first] = windows as [SpeculationWindow];
  const { grid } = first;
  // What the host has written since is for the calls after these.
  const written = [...grid.blocks.values()].filter((block) => residency.isStale(block));
  const box = residency.boxOf(grid);
  const strain = strainOf(grid);
  const present = strain?.state;
  const isReplaced = box !== windows.at(-1)!.box;
  residency.keepsHostRows = true; // what the host has written is needed yet
  first.snapshot.restore();
  residency.setBox(grid, first.box);
  if (strain && first.strain) strain.restore(first.strain);
  else if (strain) {
    // The snapshot is older than the strain: kernels that are made again look at its numbers before they are first written.
    strains.begin(strain);
    strain.rest(first.box);
  }
  prepare?.();
  for (const window of windows) {
    if (!strain) residency.setBox(grid, window.box);
    window.interval = Math.min(window.interval, limit);
    if (isPlanned) window.mostVoted = 0;
    window.begin();
    for (const entry of window.entries) entry.record();
    if (window.batch !== UNREAD) window.end(window.batch);
  }
  // The host may have given another box since.
  if (strain && isReplaced) strain.restore(present!);
  residency.setBox(grid, strain?.reference ?? box);
  for (const block of written) block.hostWritten();
  residency.keepsHostRows = false;
  gpu.stream.flush();
}

/**
 * What makes the box at the beginning of a window the reference, where the box was deformed by more than lists allow for.
 * Where it was the reference already, lists allow for more. @returns null where they cannot: the window is too long.
 */
async function boxToTake(
  { strains }: CallRunner,
  { grid, snapshot, strain: before }: SpeculationWindow,
): Promise<(() => void) | null> {
  const strain = strainOf(grid)!;
  const numbers = before
    ? (before.numbers ?? (await strains.readFrom(snapshot, strain)))
    : strainNames.map(() => 0);
  if (numbers.every((number) => number === 0) && !strain.widen()) return null;
  return () => {
    strain.isMoved = true; // as it was then
    strains.takeIn(grid, strain, numbers);
    strains.writeAllowance(strain);
  };
}

/**
 * Gives the first half of a window to another, which comes before it; the second half begins with an update too.
 * @returns the other.
 * @throws CorpuscleError INVALID_VALUE where a window of one update is too long.
 */
function splitWindow(window: SpeculationWindow, pool: WindowPool): SpeculationWindow {
  const { entries } = window;
  const starts = entries.flatMap(({ updates }, at) => (at > 0 && updates.length > 0 ? [at] : []));
  const at = starts[Math.floor(starts.length / 2)];
  if (at === undefined)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'the box changes its lengths by more than a tenth within a step: lower the time step, or let the pressure relax more slowly',
    );
  const early = pool.unused();
  early.takeFirst(window, at);
  return early;
}
