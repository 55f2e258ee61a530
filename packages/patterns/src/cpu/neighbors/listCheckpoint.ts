import { Domain, type Grid, type Saved } from '@corpuscle/core';
import type { CpuServices } from '../CpuServices.js';
import { buildList } from './buildList.js';
import { cellGeometry, type Extent } from './cellGeometry.js';
import { neighborState } from './NeighborState.js';
import { SkinTuner } from './SkinTuner.js';
import { padRows, recordCoordinates } from './sortParticles.js';

const KINDS = ['half', 'full'] as const;

/**
 * The lists of a grid without their entries: what they were built from, so that they can be built again with the same entries
 * in the same order.
 */
export type SavedLists = {
  readonly parts: number;
  /** Slabs of the order of cells; absent for one of each layer. */
  readonly slabs?: number;
  readonly rcut: number;
  readonly skin: number;
  readonly requested: { readonly rcut: number; readonly skin: number };
  /** The skin that the engine has chosen; null where it does not. */
  readonly tunedSkin: number | null;
  readonly extent: { readonly lower: Extent['lower']; readonly upper: Extent['upper'] };
  /** The box at the build; absent where it is that of the checkpoint. */
  readonly box?: { readonly matrix: readonly number[]; readonly origin: readonly number[] };
  /** Whether they are good for the box of the checkpoint; otherwise an update will tell. */
  readonly isOfThisBox?: boolean;
  /** First row of each cell. */
  readonly start: Uint32Array;
  /** Positions at the build, rows of four. */
  readonly positions: Float64Array;
  /** Ranges of cells of each part; null for a kind that is not built. */
  readonly bounds: Readonly<Record<'half' | 'full', readonly number[] | null>>;
  /** Work of each row in the last search of a kind; null where there was none. */
  readonly slots: Readonly<Record<'half' | 'full', Int32Array | null>>;
};

/** The lists of a grid; null if there are none, or if they are stale. */
export function saveLists({ parts }: CpuServices, grid: Grid): SavedLists | null {
  const state = neighborState(grid);
  const { lists, requested, tuner, extent, backup } = state;
  const { count, heap, domain } = grid;
  const isCurrent =
    lists.sortVersion === grid.sortVersion &&
    grid.cells.sortVersion === grid.sortVersion &&
    state.sorted?.count === count;
  if (!isCurrent || !extent) return null;
  const bounds = { half: boundsOf('half'), full: boundsOf('full') };
  const slots = { half: slotsOf('half'), full: slotsOf('full') };
  function boundsOf(kind: 'half' | 'full') {
    return lists.get(kind) ? state.bounds[kind] : null;
  }
  function slotsOf(kind: 'half' | 'full') {
    return state.slotCount[kind] === count ? heap.i32(state.slots[kind].address, count) : null;
  }
  return {
    parts,
    slabs: state.lines.lines.slabs,
    rcut: lists.rcut,
    skin: lists.skin,
    requested,
    tunedSkin: tuner?.skin ?? null,
    extent: { ...extent },
    isOfThisBox: state.box === domain,
    ...(state.sorted!.domain === domain ? {} : { box: boxOf(state.sorted!.domain) }),
    start: grid.cells.start,
    positions: heap.f64(backup.address, 4 * count),
    bounds,
    slots,
  };
}

/**
 * Builds the lists of a checkpoint again for particles that are back in their places.
 * @returns false where they were made in other parts, or there are none: then the grid has no lists.
 */
export function restoreLists(services: CpuServices, grid: Grid, saved: Saved): boolean {
  const state = neighborState(grid);
  const { lists } = state;
  lists.drop();
  if (!isFor(services, grid, saved)) return false;
  lists.rcut = saved.rcut;
  lists.skin = saved.skin;
  const domain = builtIn(grid.domain, saved);
  const geometry = cellGeometry(domain, saved.extent, grid.count, lists.radius);
  const [nx, ny, nz] = geometry.dims;
  if (nx * ny * nz + 1 !== saved.start.length) return false;
  state.requested = saved.requested;
  state.tuner = saved.tunedSkin === null ? null : new SkinTuner(saved.rcut, saved.tunedSkin);
  state.extent = saved.extent;
  state.geometry = geometry;
  // Before there were slabs, each was of one layer.
  const { line } = state.lines.order(geometry.dims, saved.slabs ?? geometry.dims[2]);
  grid.cells.resize(geometry.dims, line);
  grid.cells.start.set(saved.start);
  const position = grid.block('position');
  const present = (position.array as Float64Array).slice(0, 4 * grid.count);
  (position.array as Float64Array).set(saved.positions);
  padRows(grid);
  recordCoordinates(services, state, grid);
  grid.cells.sortVersion = lists.sortVersion = ++grid.sortVersion;
  state.sorted = { domain, count: grid.count };
  state.box = saved.isOfThisBox === false ? null : grid.domain;
  for (const kind of KINDS) {
    const bounds = saved.bounds[kind];
    if (bounds) buildList(services, state, grid, kind, bounds);
    const slots = saved.slots[kind];
    if (!slots) continue;
    const address = state.slots[kind].reserve(4 * grid.count);
    grid.heap.i32(address, grid.count).set(slots);
    state.slotCount[kind] = grid.count;
  }
  (position.array as Float64Array).set(present);
  position.hostWritten();
  return true;
}

const boxOf = ({ matrix, origin }: Domain) => ({ matrix, origin: [...origin] });

/** The box that lists were built in. */
function builtIn(domain: Domain, { box }: SavedLists): Domain {
  if (!box) return domain;
  const origin = box.origin as [number, number, number];
  return Domain.triclinic(box.matrix, { origin, periodic: domain.periodic });
}

/** Whether saved data are lists of this grid in these parts. */
function isFor(services: CpuServices, grid: Grid, saved: Saved): saved is SavedLists {
  const lists = (saved ?? {}) as Partial<SavedLists>;
  const { parts, slabs, rcut, skin, start, positions, bounds, slots, requested, extent, box } =
    lists;
  const { count } = grid;
  return (
    parts === services.parts &&
    (slabs === undefined || (Number.isInteger(slabs) && slabs > 0)) &&
    [rcut, skin, requested?.rcut, requested?.skin].every((x) => Number.isFinite(x) && x! >= 0) &&
    rcut! > 0 &&
    [extent?.lower, extent?.upper].every((x) => x?.length === 3 && x.every(Number.isFinite)) &&
    start instanceof Uint32Array &&
    ascends(start, count) &&
    positions instanceof Float64Array &&
    positions.length === 4 * count &&
    (box === undefined || [box?.matrix, box?.origin].every(Array.isArray)) &&
    KINDS.every((kind) => {
      const [limits, work] = [bounds?.[kind], slots?.[kind]];
      const isDivided =
        !limits || (limits.length === parts + 1 && ascends(limits, start.length - 1));
      return isDivided && (!work || (work instanceof Int32Array && work.length === count));
    })
  );
}

/** Whether numbers go from 0 to an end and never down. */
function ascends(values: ArrayLike<number>, end: number): boolean {
  if (values[0] !== 0 || values[values.length - 1] !== end) return false;
  for (let k = 1; k < values.length; k++) if (!(values[k]! >= values[k - 1]!)) return false;
  return true;
}
