import { plotSvg } from '../../io/plot/plotSvg.js';
import { BlockMeans, type SavedBlocks } from '../averages/BlockMeans.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { projectFrame, voxelSlots } from '../grid_projection/projectFrame.js';

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
      doc: 'where the first bin begins; default: the least value of the first frame',
    },
    high: {
      type: 'number',
      doc: 'where the last bin ends; default: the largest value of the first frame',
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
  prepare: ({ slots }) => ({
    low: slots.low ?? Number.NaN,
    high: slots.high ?? Number.NaN,
    /** Fractions of the voxels: bins, below, above. */
    means: new BlockMeans(slots.bins + 2),
  }),
  async frame({ slots, state, grid, ctx, own }) {
    const map = await projectFrame({ state, grid, ctx }, { ...slots, fields: [slots.field] });
    const values = map.fields[slots.field]!;
    if (Number.isNaN(own.low)) own.low = values.reduce((a, b) => Math.min(a, b), Infinity);
    if (Number.isNaN(own.high)) own.high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(own.high > own.low)) own.high = own.low + Math.max(1e-12, Math.abs(own.low) * 1e-12);
    const { bins } = slots;
    const frame = new Float64Array(bins + 2);
    for (const value of values) {
      const at = Math.floor(((value - own.low) / (own.high - own.low)) * bins);
      // The last bin has its upper end.
      const bin = value === own.high ? bins - 1 : at;
      frame[bin < 0 ? bins : bin >= bins ? bins + 1 : bin]! += 1 / values.length;
    }
    own.means.add(frame);
  },
  save: ({ own }) => ({ low: own.low, high: own.high, means: own.means.save() }),
  restore({ own }, saved: Saved) {
    own.low = saved.low;
    own.high = saved.high;
    own.means.restore(saved.means);
  },
  async finish({ slots, state, own }) {
    const { low, high, means } = own;
    if (means.samples === 0) return;
    const { bins, field } = slots;
    const width = (high - low) / bins;
    const points = Array.from({ length: bins }, (_, k) => ({
      value: low + (k + 0.5) * width,
      probability: means.mean(k) / width,
      error: means.error(k) / width,
    }));
    const beyond = { below: means.mean(bins), above: means.mean(bins + 1) };
    const text = /\.json$/i.test(slots.file)
      ? `${JSON.stringify({ field, frames: means.samples, ...beyond, points })}\n`
      : `value,probability,error\n${points.map((row) => Object.values(row).join(',')).join('\n')}\n`;
    await state.output.writeWhole(slots.file, text);
    if (slots.plot === undefined) return;
    const x = points.map(({ value }) => value);
    const y = points.map(({ probability }) => probability);
    const plot = { title: `Distribution of ${field}`, x: field, y: 'probability', bars: width };
    await state.output.writeWhole(slots.plot, plotSvg({ ...plot, series: [{ name: '', x, y }] }));
  },
});

type Saved = { readonly low: number; readonly high: number; readonly means: SavedBlocks };
