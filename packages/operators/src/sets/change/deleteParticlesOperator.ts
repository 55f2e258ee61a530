import { defineOperator, dimensions, randomStream, type SimulationState } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { onWholeGrid } from '../../analyses/define/onWholeGrid.js';
import { gatherParticles } from '../../run/gatherParticles.js';
import { isBeforeFirst } from '../../run/isBeforeFirst.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { sumOfAll } from '../../run/sumOfAll.js';
import { groupRows, groupSlot } from '../group/Groups.js';
import type { RegionExpression } from '../region/Region.js';
import { regionNames } from '../region/Regions.js';
import { regionSpec } from '../region/regionSpec.js';
import { resolveRegion } from '../region/resolveRegion.js';
import { rowsWithin } from '../region/rowsWithin.js';
import { ALL_DELETED, changeParticles } from './changeParticles.js';
import { drawsParticles, fractionSlots, nextDraw, type RandomPart } from './draws.js';
import { PlaceTable } from './PlaceTable.js';
import { noteIds, particlesChanged, restoreIds, savedIds } from './particlesChanged.js';

const STREAM = randomStream('delete_particles');

/** `delete_particles`: takes particles away. */
export const deleteParticlesOperator = defineOperator({
  name: 'delete_particles',
  doc: 'Deletes particles: of a region and a group, a random part of them, or those closer to another than a distance. Bonds of theirs go with them. In a loop put it into after_drift, where lists and forces follow.',
  slots: {
    region: { ...regionSpec, doc: 'particles in this region; default everywhere' },
    ...groupSlot,
    ...fractionSlots('deleted'),
    overlap: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'only of two that are closer than this the one with the higher id',
    },
    every: { type: 'integer', min: 1, default: 1, doc: 'in a loop: steps between deletions' },
    from: { type: 'integer', min: 0, default: 0, doc: 'in a loop: the first step' },
  },
  every: 'every',
  from: 'from',
  box: 'kept',
  requires: [gridKey],
  validate({ slots: { region, group, fraction, overlap }, fail }) {
    const isPart = region !== undefined || overlap !== undefined || fraction !== 1;
    if (group === 'all' && !isPart) fail('', 'NO_PARTICLES', ALL_DELETED);
  },
  async execute({ slots, state }) {
    if (isBeforeFirst(state, slots.from)) return;
    await newestOnHost(state.get(gridKey), contextOf(state));
    // Ranks look at their own particles where that is enough, and are together only if one goes.
    const first = nextDraw(state);
    const look = async () => chosenRows(state, slots, first);
    const isAlone = slots.overlap === undefined;
    const found = isAlone ? await look() : await onWholeGrid(state, look);
    if (sumOfAll(contextOf(state), found.length) === 0) return;
    const gone = new Set(gatherParticles(state) ? await look() : found);
    noteIds(state);
    changeParticles(state.get(gridKey), (row) => !gone.has(row), []);
    particlesChanged(state);
  },
  save: ({ state }) => ({ ...savedIds(state) }),
  restore: ({ state }, saved) => restoreIds(state, saved),
});

interface Choice extends RandomPart {
  readonly region?: unknown;
  readonly group: string;
  readonly overlap?: number | undefined;
}

/** Rows of the particles that go. Host copies must be current. */
function chosenRows(state: SimulationState, slots: Choice, first: number): readonly number[] {
  const grid = state.get(gridKey);
  const { region, overlap } = slots;
  const inRegion =
    region === undefined
      ? () => true
      : rowsWithin(grid, resolveRegion(region as RegionExpression, regionNames(state)));
  const ids = grid.values('id');
  const isDrawn = drawsParticles(state, slots, STREAM, first);
  const isChosen = (row: number) => inRegion(row) && isDrawn(ids[row]!);
  const chosen = groupRows(state, slots.group).filter(isChosen);
  return overlap === undefined ? [...chosen] : overlapping(grid, chosen, overlap);
}

/** Of the rows chosen, in the order of ids, those that are too close to one that stays. */
function overlapping(
  grid: Parameters<typeof rowsWithin>[0],
  chosen: Uint32Array,
  distance: number,
): number[] {
  const mayGo = new Set(chosen);
  const table = new PlaceTable(grid.domain, distance);
  const [x, y, z] = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
  const order = [...grid.rowsById()];
  for (const row of order) if (!mayGo.has(row)) table.add(x![row]!, y![row]!, z![row]!);
  return order.filter((row) => {
    if (!mayGo.has(row)) return false;
    if (table.isNear(x![row]!, y![row]!, z![row]!)) return true;
    table.add(x![row]!, y![row]!, z![row]!);
    return false;
  });
}
