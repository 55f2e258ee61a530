import { plotSvg } from '../../io/plot/plotSvg.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { projectFrame, voxelSlots } from '../grid_projection/projectFrame.js';
import { type SavedBins, ValueBins } from './ValueBins.js';

export const gridHistogramOperator = defineAnalysis({
  name: 'grid_histogram',
  doc: 'How values on a grid of cells are distributed over voxels: density, temperature, any field, averaged over frames, with errors from blocks of frames.',
  slots: {
    field: {
      type: 'string',
      names: 'projection',
      default: 'density',
      doc: 'count, density, mass, mass_density, temperature, or a field of the particles, whose mean is taken',
    },
    low: {
      type: 'number',
      doc: 'where the first bin begins; default: the least value; bins become twice as wide where later frames go beyond',
    },
    high: {
      type: 'number',
      doc: 'where the last bin ends; default: the largest value, in the same way',
    },
    bins: { type: 'integer', min: 1, max: 100_000, default: 50, doc: 'number of bins' },
    ...voxelSlots,
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: 'a table of the probability density with errors; JSON when it is called *.json, also with what lies beyond the bins',
    },
    plot: { type: 'file', mode: 'write', doc: 'an SVG of it' },
  },
  needs: ({ field }) => (field === 'ep' ? ['particle_energies'] : []),
  validate({ slots: { low, high }, fail }) {
    if (low !== undefined && high !== undefined && low >= high)
      fail('high', 'INVALID_VALUE', `high is ${high}, and low is ${low}: give a larger number`);
  },
  prepare: ({ slots: { bins, low, high } }) => new ValueBins(bins, low, high),
  async frame({ slots, state, grid, ctx, own }) {
    const map = await projectFrame({ state, grid, ctx }, { ...slots, fields: [slots.field] });
    own.add(map.fields[slots.field]!);
  },
  save: ({ own }) => own.save(),
  restore: ({ own }, saved: SavedBins) => own.restore(saved),
  async finish({ slots, state, own }) {
    const found = own.result();
    if (!found) return;
    const { field } = slots;
    const { points, width, ...rest } = found;
    const text = /\.json$/i.test(slots.file)
      ? `${JSON.stringify({ field, ...rest, points })}\n`
      : `value,probability,error\n${points.map((row) => Object.values(row).join(',')).join('\n')}\n`;
    await state.output.writeWhole(slots.file, text);
    if (slots.plot === undefined) return;
    const x = points.map(({ value }) => value);
    const y = points.map(({ probability }) => probability);
    const plot = { title: `Distribution of ${field}`, x: field, y: 'probability', bars: width };
    await state.output.writeWhole(slots.plot, plotSvg({ ...plot, series: [{ name: '', x, y }] }));
  },
});
