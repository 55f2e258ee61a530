import {
  type FieldBlock,
  type Grid,
  type SimulationState,
  type SourceLocation,
  stateKey,
} from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';
import { contextOf, gridKey, planKey } from './stateKeys.js';

/**
 * Which positions lists and forces belong to. A stamp stands for the positions of one moment: whatever was made at
 * another stamp than the present one is stale.
 */
export interface Freshness {
  /** Frames put into the grid so far. */
  frames: number;
  /** Whether cutoffs and distances of the frame in the grid have been checked. */
  isChecked: boolean;
  /** Where the particles that are not checked yet were written. */
  locate?: (id: bigint) => SourceLocation | undefined;
  /** Stamp at which the neighbor lists were last made current, and the cutoff they reach. */
  lists: number;
  reach: number;
  /** Stamp at which the forces were last cleared. */
  forces: number;
  /** How many frames there had been then. */
  forcesOf: number;
  /** Whose positions stamps were last made of, and these positions: grids keep their blocks. */
  grid: Grid | null;
  positions: FieldBlock | null;
}

const freshnessKey = stateKey<Freshness>('freshness', 'it exists as soon as particles do');

export function freshnessOf(state: SimulationState): Freshness {
  return state.obtain(freshnessKey, newFreshness);
}

const newFreshness = (): Freshness => ({
  frames: 0,
  isChecked: false,
  lists: Number.NaN,
  reach: 0,
  forces: Number.NaN,
  forcesOf: 0,
  grid: null,
  positions: null,
});

/**
 * The stamp of the present positions. On the CPU every write to the positions counts. On a device
 * calls may still be queued: there the calls that move particles count, once `begin_run` has laid down
 * the scheme, and before that the queue is waited for (`settled`).
 */
export function stampOf(state: SimulationState): number {
  const ctx = contextOf(state);
  const freshness = freshnessOf(state);
  const positions = positionsOf(freshness, state.get(gridKey));
  if (ctx.backend === 'webgpu' && state.find(planKey))
    return -(freshness.frames + positions.writesAsked);
  return Math.max(positions.hostVersion, positions.deviceVersion);
}

function positionsOf(freshness: Freshness, grid: Grid): FieldBlock {
  if (freshness.grid !== grid || !freshness.positions) {
    freshness.positions = grid.block('position');
    freshness.grid = grid;
  }
  return freshness.positions;
}

/** A promise when stamps have to wait for queued calls, otherwise null. */
export function settled(state: SimulationState): Promise<void> | null {
  const ctx: ExecutionContext = contextOf(state);
  if (ctx.backend !== 'webgpu' || state.find(planKey) || !ctx.device) return null;
  if (ctx.order.idle && ctx.device.idle) return null;
  const { device } = ctx;
  return ctx.order.settled().then(() => device.started());
}

/** Notes that the lists are good for the present positions, up to a cutoff. */
export function stampLists(state: SimulationState, rcut: number): void {
  const freshness = freshnessOf(state);
  freshness.lists = stampOf(state);
  freshness.reach = rcut;
}

/**
 * Notes that other particles are in the grid: calls are prepared again, and cutoffs and distances are to be checked.
 * @param locate where they were written, if in a file
 */
export function noteOtherParticles(state: SimulationState, locate?: Freshness['locate']): void {
  const freshness = freshnessOf(state);
  freshness.frames++;
  freshness.isChecked = false;
  freshness.locate = locate;
  state.renewCalls();
}

/** Notes that the lists are no longer those that forces use. */
export function dropLists(state: SimulationState): void {
  freshnessOf(state).lists = Number.NaN;
}

/** Whether the box or the particles have changed so that the lists are of no use. Those of a device outlast a strain of the box. */
export const areListsUseless = (state: SimulationState): boolean =>
  contextOf(state).backend === 'webgpu'
    ? Number.isNaN(freshnessOf(state).lists)
    : listsReach(state) === 0;

/** Whether the particles, or the box, are others that no lists have been made for. */
export function areUnlisted(state: SimulationState): boolean {
  const { lists, isChecked } = freshnessOf(state);
  return Number.isNaN(lists) && !isChecked;
}

/** Notes that the forces no longer belong to the positions and the box there are. */
export function dropForces(state: SimulationState): void {
  freshnessOf(state).forces = Number.NaN;
}

/** Notes that forces are those of the present positions. */
export function stampForces(state: SimulationState): void {
  const freshness = freshnessOf(state);
  freshness.forces = stampOf(state);
  freshness.forcesOf = freshness.frames;
}

/** Whether other particles have come since the forces were computed. */
export function areForcesOfOthers(state: SimulationState): boolean {
  const { forcesOf, frames } = freshnessOf(state);
  return forcesOf !== frames;
}

/** Whether forces are those of the present positions and the present box. */
export const areForcesCurrent = (state: SimulationState): boolean =>
  freshnessOf(state).forces === stampOf(state);

/** The cutoff up to which the lists are good for the present positions; 0 where they are stale. */
export function listsReach(state: SimulationState): number {
  const { lists, reach } = freshnessOf(state);
  return lists === stampOf(state) ? reach : 0;
}

/** Notes that particles have been sorted and not moved: what belongs to the previous stamp still does. */
export function stampAgain(state: SimulationState, before: number): void {
  const freshness = freshnessOf(state);
  const now = stampOf(state);
  if (freshness.lists === before) freshness.lists = now;
  if (freshness.forces === before) freshness.forces = now;
}
