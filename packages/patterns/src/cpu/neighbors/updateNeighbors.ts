import type { Grid, NeighborList, NeighborListKind, NeighborLists } from '@corpuscle/core';
import type { NeighborUpdate } from '../../plan/calls.js';
import { noNeighborLists } from '../../plan/refusals.js';
import { checkImages } from '../../plan/singleImages.js';
import type { CpuServices } from '../CpuServices.js';
import { mostRanges } from '../controlBlock.js';
import { buildList } from './buildList.js';
import { displacementKernel, strainedDisplacementKernel } from './kernels/displacementKernels.js';
import { putOff } from './launch.js';
import { type NeighborState, neighborState } from './NeighborState.js';
import { SkinTuner } from './SkinTuner.js';
import { lostParticle, sortParticles } from './sortParticles.js';
import { noStrain, type Strain, strainOf, strainShare } from './strain.js';

export interface NeighborRequest {
  readonly grid: Grid;
  readonly rcut: number;
  readonly skin: number;
  /** Whether the skin is adapted to what lists and pairs cost; `skin` is then not looked at. */
  readonly tuned?: boolean;
  readonly force: boolean | 'never';
}

/**
 * Makes the neighbor lists of a grid good for its present positions. When a particle has moved more than half the
 * skin since the last build (or the box, the cutoff or the number of particles is another), particles are wrapped and
 * sorted and older lists are dropped; lists of each kind are then built when a pattern first needs them.
 *
 * Call it after positions have changed and before pairs are computed. With `force: 'never'` the caller decides by
 * `maxDisplacement`, which is beyond any skin where lists cannot serve.
 *
 * @throws CorpuscleError BOX_TOO_THIN, NOT_FINITE naming the particle.
 */
export function updateNeighbors(services: CpuServices, request: NeighborRequest): NeighborUpdate {
  const { grid, rcut } = request;
  checkImages(grid, grid.domain, rcut);
  const state = neighborState(grid);
  const { lists } = state;
  const strain = state.sorted ? strainOf(state.sorted.domain, grid.domain) : noStrain;
  const needed = needForRebuild(state, request, strain);
  const maxDisplacement = needed.comparable
    ? displacement(services, state, grid, strain) + strainShare(lists, strain)
    : 0;
  if (request.force === 'never') {
    state.box = grid.domain;
    const far = needed.comparable ? maxDisplacement : rcut + request.skin;
    return { rebuilt: false, reason: needed.reason, maxDisplacement: far };
  }
  if (!(maxDisplacement < Infinity)) throwNotFinite(grid);
  let reason = needed.reason;
  const moved = reason === '' && maxDisplacement > lists.skin / 2;
  if (moved) {
    reason = `a particle moved ${maxDisplacement.toPrecision(3)}, more than half the skin of ${lists.skin}`;
  }
  const tuner = tunerOf(state, request);
  const shrinks = needed.comparable && tuner?.step(maxDisplacement) === true && reason === '';
  if (shrinks) reason = 'a smaller skin is faster';
  if (reason === '') {
    reason = 'no particle moved more than half the skin';
    state.box = grid.domain;
    return { rebuilt: false, reason, maxDisplacement, ...tunedSkin(tuner, lists) };
  }
  const started = tuner ? performance.now() : 0;
  const skin = tuner ? tuner.next(moved || shrinks) : request.skin;
  lists.drop();
  lists.rcut = rcut;
  lists.skin = usableSkin(grid, rcut, skin);
  state.requested = { rcut, skin: request.skin };
  if (lists.skin < skin && tuner) tuner.limit(lists.skin);
  else if (lists.skin < skin) reason += `; the box allows a skin of ${lists.skin} only`;
  sortParticles(services, state, grid, lists.radius);
  lists.sortVersion = grid.sortVersion;
  tuner?.built(performance.now() - started);
  return { rebuilt: true, reason, maxDisplacement, ...tunedSkin(tuner, lists) };
}

const tunedSkin = (tuner: SkinTuner | null, { skin }: NeighborLists) =>
  tuner ? { tunedSkin: skin } : {};

function tunerOf(state: NeighborState, { rcut, tuned = false }: NeighborRequest) {
  if (!tuned) state.tuner = null;
  else if (!state.tuner || state.requested.rcut !== rcut) state.tuner = new SkinTuner(rcut);
  return state.tuner;
}

/**
 * The list of a kind, built now if this is its first use since the last sort.
 * @throws CorpuscleError NO_NEIGHBOR_LISTS when there is none for this cutoff.
 */
export function neighborList(
  services: CpuServices,
  grid: Grid,
  kind: NeighborListKind,
  rcut: number,
): NeighborList {
  const state = neighborState(grid);
  const { lists } = state;
  if (lists.sortVersion !== grid.sortVersion)
    throw noNeighborLists(lists.sortVersion < 0 ? 'none' : 'resized or sorted', rcut);
  if (state.box !== grid.domain) throw noNeighborLists('another box', rcut);
  if (rcut > lists.rcut * (1 + 1e-12)) throw noNeighborLists({ reach: lists.rcut }, rcut);
  const built = lists.get(kind);
  if (built) return built;
  const started = performance.now();
  const list = buildList(services, state, grid, kind);
  state.tuner?.built(performance.now() - started);
  return list;
}

function needForRebuild(
  state: NeighborState,
  { grid, rcut, skin, force }: NeighborRequest,
  strain: Strain,
): { reason: string; comparable: boolean } {
  const { lists } = state;
  if (lists.sortVersion < 0) return { reason: 'first build', comparable: false };
  if (lists.sortVersion !== grid.sortVersion || state.sorted?.count !== grid.count) {
    return { reason: 'particles were added, removed or sorted', comparable: false };
  }
  if (!(strain.least > 0.5)) return { reason: 'the box changed', comparable: false };
  const { requested } = state;
  if (requested.rcut !== rcut || requested.skin !== skin) {
    return { reason: 'the cutoff or the skin changed', comparable: true };
  }
  return { reason: force === true ? 'asked for' : '', comparable: true };
}

// Images as far as twice the cutoff are enough, whatever skin is asked for.
function usableSkin({ domain }: Grid, rcut: number, skin: number): number {
  const most = Math.max(rcut, domain.widestRadius(rcut) * (1 - 1e-9));
  return rcut + skin <= most ? skin : most - rcut;
}

function displacement(
  services: CpuServices,
  state: NeighborState,
  grid: Grid,
  { map }: Strain,
): number {
  const ranges = mostRanges(services.pool.threads);
  const largest = state.scratch.reserve(8 * ranges);
  const results = services.heap.f64(largest, ranges);
  results.fill(0);
  const position = grid.block('position');
  const values = { position: position.place, backup: state.backup.address, largest };
  const kernel = map ? strainedDisplacementKernel() : displacementKernel();
  const all = map ? Object.assign(values, map) : values;
  putOff(services, state.displacement, kernel, all, { grid, blocks: [position] });
  services.rows.flush();
  return Math.sqrt(results.reduce((a, b) => Math.max(a, b), 0));
}

function throwNotFinite(grid: Grid): void {
  const positions = grid.block('position').array as Float64Array;
  for (let row = 0; row < grid.count; row++) {
    const sum = positions[4 * row]! + positions[4 * row + 1]! + positions[4 * row + 2]!;
    if (!Number.isFinite(sum)) throw lostParticle(grid, row);
  }
}
