import { dimensions } from '@corpuscle/core';
import { groupSlot } from '../../sets/group/Groups.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { FrameSeries, type SavedSeries } from '../define/FrameSeries.js';
import { groupMembers } from '../define/groupMembers.js';
import { looksAtFrame } from '../define/looksAtFrame.js';
import type { NeighborFrame } from '../define/neighborsWithin.js';
import { framePlotSlot } from '../define/perParticleTable.js';
import { reachesInBox } from '../define/reachesInBox.js';
import { bondOrder, steinhardt, steinhardtBlock, steinhardtById } from './steinhardt.js';

export const steinhardtOperator = defineAnalysis({
  name: 'steinhardt',
  doc: 'Bond-order parameters q4 and q6 of every particle (Steinhardt, Nelson and Ronchetti): fcc 0.191 and 0.575, hcp 0.097 and 0.485, bcc 0.036 and 0.511.',
  slots: {
    cutoff: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'neighbors are within it; with nearest, how far they are looked for',
    },
    nearest: {
      type: 'integer',
      min: 1,
      doc: 'only so many neighbors count, the closest ones; particles with fewer have q4 and q6 of 0, as in LAMMPS',
    },
    ...groupSlot,
    file: {
      type: 'file',
      mode: 'write',
      doc: 'a line of JSON for each frame with q4, q6 and neighbors by id, or, called *.csv, a table of means; default: means on the terminal',
    },
    plot: framePlotSlot('these means'),
  },
  ...reachesInBox('cutoff'),
  functors: [bondOrder],
  ...looksAtFrame(steinhardtBlock.name),
  validate({ slots, fail }) {
    if (slots.cutoff === undefined && slots.nearest === undefined)
      fail('', 'MISSING_VALUE', 'steinhardt needs cutoff, or nearest: give one');
  },
  prepare({ slots, state }) {
    const out = slots.file === undefined ? null : state.output.open(slots.file);
    const isTable = /\.csv$/i.test(slots.file ?? '');
    if (isTable && out?.position === 0) out.write('step,time,q4,q6\n');
    return { out, isTable, hasToldFew: false, series: new FrameSeries(state, 'steinhardt') };
  },
  async frame({ slots, state, own, grid, ctx, neighbors }) {
    const members = await groupMembers(state, grid, ctx, slots.group);
    let near: NeighborFrame | undefined;
    const { q4, q6, rcut, least } = await steinhardt(grid, ctx, {
      rcut: slots.cutoff,
      nearest: slots.nearest,
      among: members.options.particleFilter?.central,
      async neighbors(rcut) {
        near = await neighbors(rcut);
        return near.grid;
      },
    });
    const { nearest } = slots;
    if (nearest !== undefined && least < nearest && !own.hasToldFew) {
      own.hasToldFew = true;
      state.say(
        `steinhardt: a particle has ${least} neighbors within ${Number(rcut.toPrecision(5))}, fewer than ${nearest}; q4 and q6 of such particles are 0`,
      );
    }
    await near?.bringBack(steinhardtBlock.name);
    const { out, isTable } = own;
    own.series.add({ q4, q6 });
    const time = state.simulation.configuration.units.fromInternal(state.time, dimensions.time);
    if (!out) state.say(`steinhardt q4 ${q4} q6 ${q6}`);
    else if (isTable) out.write(`${state.step},${time},${q4},${q6}\n`);
    else {
      const each = await steinhardtById(grid, ctx);
      const list = (values: Float64Array) => JSON.stringify(Array.from(members.only(values)));
      out.write(
        `{"step":${state.step},"time":${time},"q4_mean":${q4},"q6_mean":${q6},"q4":${list(each.q4)},"q6":${list(each.q6)},"neighbors":${list(each.neighbors)}}\n`,
      );
    }
  },
  save: ({ own }) => own.series.save(),
  restore: ({ own }, saved: SavedSeries) => own.series.restore(saved),
  finish: ({ slots, own }) => own.series.finish(slots.plot),
});
