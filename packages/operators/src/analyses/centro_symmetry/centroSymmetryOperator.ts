import { dimensions } from '@corpuscle/core';
import { computeCellParticlePairs } from '@corpuscle/patterns';
import { groupSlot } from '../../sets/group/Groups.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import type { SavedSeries } from '../define/FrameSeries.js';
import { groupMembers } from '../define/groupMembers.js';
import { looksAtFrame } from '../define/looksAtFrame.js';
import { fieldById, frameFileSlot, framePlotSlot, frameTable } from '../define/perParticleTable.js';
import { quotient } from '../define/quotient.js';
import { reachesInBox } from '../define/reachesInBox.js';
import { centroBlock, centroSymmetry, MOST_NEAREST } from './centroSymmetry.js';

export const centroSymmetryOperator = defineAnalysis({
  name: 'centro_symmetry',
  doc: 'Centro-symmetry parameter of every particle (Kelchner, Plimpton and Hamilton 1998): 0 in a perfect crystal, large at defects and surfaces. Left in the field centro_symmetry.',
  slots: {
    nearest: {
      type: 'integer',
      min: 2,
      max: MOST_NEAREST,
      default: 12,
      doc: 'how many neighbors, an even number: 12 in fcc and hcp, 8 in bcc',
    },
    cutoff: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      required: true,
      doc: 'how far these are looked for',
    },
    ...groupSlot,
    file: frameFileSlot('the parameter', 'its mean and its largest value'),
    plot: framePlotSlot('its mean and its largest value'),
  },
  ...looksAtFrame(centroBlock.name),
  ...reachesInBox('cutoff'),
  functors: [centroSymmetry],
  validate({ slots: { nearest }, fail }) {
    if (nearest !== undefined && nearest % 2 !== 0)
      fail('nearest', 'INVALID_VALUE', `nearest is ${nearest}: give an even number`);
  },
  prepare: ({ slots, state }) => frameTable(state, 'centro_symmetry', slots.file),
  async frame({ slots, state, grid, ctx, own: table, neighbors }) {
    const members = await groupMembers(state, grid, ctx, slots.group);
    const near = await neighbors(slots.cutoff);
    near.grid.addBlock(centroBlock);
    members.clear(near.grid, centroBlock.name);
    await computeCellParticlePairs(near.grid, centroSymmetry, ctx, {
      rcut: slots.cutoff,
      params: { nearest: slots.nearest },
      ...members.options,
    });
    await near.bringBack(centroBlock.name);
    const { units } = state.simulation.configuration;
    const area = units.fromInternal(1, dimensions.area);
    const values = (await fieldById(grid, ctx, 'centro_symmetry')).map((value) => value * area);
    const own = members.of(values);
    const sum = own.reduce((total, value) => total + value, 0);
    const mean = quotient(sum, own.length);
    const largest = own.reduce((most, value) => Math.max(most, value), 0);
    await table.add({ mean, largest }, async () => ({ centro_symmetry: members.only(values) }));
  },
  save: ({ own }) => own.series.save(),
  restore: ({ own }, saved: SavedSeries) => own.series.restore(saved),
  finish: ({ slots, own }) => own.series.finish(slots.plot),
});
