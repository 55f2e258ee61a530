import { CorpuscleError, type FieldBlock, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { Device } from '../engine/Engine.js';
import type { Lane } from '../handles/Lanes.js';
import { notified } from '../handles/notified.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type { BackendName, DispatchOptions } from '../plan/chooseBackend.js';

/** What every pattern call takes besides its own options. */
export interface CallOptions extends Pick<DispatchOptions, 'backend' | 'enableGpu'> {
  /** Return before the work is done, where that is possible. Default false, or true in a lane. */
  readonly asynchronous?: boolean;
  /**
   * A queue of calls: those of one lane run in their order, those of different lanes may overlap; a call that uses in one lane
   * what another computes awaits that first. Default: the lane of the program, which has no name.
   */
  readonly lane?: Lane;
  /** Called once, when the work is done. What it throws comes out of the handle. */
  readonly onComplete?: () => void;
}

/** Brings something about that a call needs; it gives null, or is null, where nothing has to be awaited. */
export type Readying = (() => Promise<void> | null) | null;

/** What a call needs besides its engine. */
export interface DispatchExtras extends Pick<CallOptions, 'lane' | 'onComplete'> {
  /** What else must be there before the call starts. */
  readonly ready?: Readying;
}

/** Whether a call may return before its work is done. */
export const isAsynchronous = ({ asynchronous, lane }: CallOptions): boolean =>
  asynchronous ?? lane !== undefined;

/**
 * Hands a call to its engine, in the order of its lane and with the newest data: a CPU call first gets what the device has
 * written since (its handle is then pending), a call of another engine first lets background CPU jobs on the same blocks finish.
 */
export function dispatch<R>(
  ctx: ExecutionContext,
  backend: BackendName,
  blocks: readonly FieldBlock[],
  grid: Grid | undefined,
  start: () => PatternHandle<R>,
  { ready = null, lane, onComplete }: DispatchExtras = {},
): PatternHandle<R> {
  if (ctx.closed)
    throw new CorpuscleError('CLOSED', 'the execution context is closed: make a new one');
  ctx.enter();
  const handle = inOrder(ctx, backend, blocks, grid, start, ready ?? nothing, lane);
  if (!onComplete) return ctx.watched(handle);
  const { host, accelerator } = ctx.engines;
  const device = backend === host.name ? undefined : accelerator?.device;
  const onDevice = device ? () => device.finished() : null;
  return ctx.watched(notified(handle, onDevice, onComplete));
}

function inOrder<R>(
  ctx: ExecutionContext,
  backend: BackendName,
  blocks: readonly FieldBlock[],
  grid: Grid | undefined,
  start: () => PatternHandle<R>,
  ready: () => Promise<void> | null,
  lane: Lane | undefined,
): PatternHandle<R> {
  const { host, accelerator } = ctx.engines;
  const order = lane === undefined ? ctx.order : ctx.lanes.order(lane);
  if (backend !== host.name) {
    return order.run(ready, () => {
      host.finish(blocks);
      return start();
    });
  }
  const device = accelerator?.device;
  if (!device) return order.run(ready, () => start());
  return order.run(
    () => inTurn(ready, () => fetchNewest(device, blocks, grid)),
    () => start(),
  );
}

const nothing = (): null => null;

/** One wait after the other; null when there is nothing to wait for. */
export function inTurn(first: Readying, second: Readying): Promise<void> | null {
  const waiting = first?.() ?? null;
  if (waiting === null) return second?.() ?? null;
  return waiting.then(() => second?.() ?? undefined);
}

/** Starts to fetch the blocks that the device has written since the host last had them; null when there are none. */
export function fetchNewest(
  device: Device,
  blocks: readonly FieldBlock[],
  grid: Grid | undefined,
): Promise<void> | null {
  if (!device.idle)
    return device.started().then(() => fetchNewest(device, blocks, grid) ?? undefined);
  const stale = blocks.filter((block) => block.deviceVersion > block.hostVersion);
  return stale.length === 0 ? null : device.newestOnHost(stale, grid);
}
