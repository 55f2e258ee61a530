import { dimensions, type Grid, type SimulationState } from '@corpuscle/core';
import { listsAfterChange } from '../../run/currentLists.js';
import { contextOf, ledgerKey } from '../../run/stateKeys.js';
import { groupSlot } from '../../sets/group/Groups.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import type { SavedSeries } from '../define/FrameSeries.js';
import { groupMembers } from '../define/groupMembers.js';
import { onWholeGrid } from '../define/onWholeGrid.js';
import {
  type FrameTable,
  fieldById,
  frameFileSlot,
  framePlotSlot,
  frameTable,
} from '../define/perParticleTable.js';
import { particleStress, stressFields } from './particleStress.js';

export const particleStressOperator = defineAnalysis({
  name: 'particle_stress',
  doc: 'Stress of every particle times its volume, left in the fields sxx, syy, szz, sxy, sxz and syz: −m v v less its share of the virial, half of each pair and a third of each triplet, as compute stress/atom of LAMMPS. −Σ/V is the pressure tensor.',
  slots: {
    kinetic: {
      type: 'boolean',
      default: true,
      doc: 'whether momenta count; without, only forces do',
    },
    group: {
      ...groupSlot.group,
      doc: 'the particles whose stresses the file has: all, or a group made by the operator group',
    },
    file: frameFileSlot('stresses', 'the pressure tensor that they add up to'),
    plot: framePlotSlot('that pressure tensor'),
  },
  requires: [ledgerKey],
  inParts: true,
  prepare: ({ slots, state }) =>
    slots.file === undefined && slots.plot === undefined
      ? null
      : frameTable(state, 'particle_stress', slots.file),
  async frame({ slots, state, own }) {
    await listsAfterChange(state);
    await particleStress(state.get(ledgerKey), { kinetic: slots.kinetic });
    if (own) await onWholeGrid(state, (grid) => tell(own, grid, state, slots.group));
  },
  save: ({ own }) => own?.series.save() ?? null,
  restore: ({ own }, saved: SavedSeries) => own?.series.restore(saved),
  finish: ({ slots, own }) => own?.series.finish(slots.plot),
});

/** Adds the stresses of a frame to its file. */
async function tell(table: FrameTable, grid: Grid, state: SimulationState, group: string) {
  const ctx = contextOf(state);
  const { units } = state.simulation.configuration;
  const [energy, pressure] = [dimensions.energy, dimensions.pressure].map((dimension) =>
    units.fromInternal(1, dimension),
  );
  const { volume } = grid.domain;
  const members = await groupMembers(state, grid, ctx, group);
  const fields: Record<string, Float64Array> = {};
  const sums: Record<string, number> = {};
  for (const name of stressFields) {
    const values = await fieldById(grid, ctx, name);
    const sum = members.of(values).reduce((total, value) => total + value, 0);
    sums[`p${name.slice(1)}`] = (-sum / volume) * pressure!;
    fields[name] = members.only(values).map((value) => value * energy!);
  }
  await table.add(sums, async () => fields);
}
