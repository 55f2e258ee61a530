import { CorpuscleError, dimensions } from '@corpuscle/core';
import { plotSvg } from '../../io/plot/plotSvg.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import {
  checkCoordinationSlots,
  coordinationFunctors,
  coordinationOfSlots,
  coordinationSlots,
} from '../coordination/coordinationSlots.js';
import { evaluateCoordination } from '../coordination/evaluateCoordination.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import {
  CoordinationHistogram,
  checkHistogram,
  type HistogramResult,
} from './CoordinationHistogram.js';

export const coordinationHistogramOperator = defineAnalysis({
  name: 'coordination_histogram',
  doc: 'Distribution of per-particle coordination numbers, of all particles or of group_a, averaged over frames.',
  slots: {
    ...coordinationSlots,
    min: { type: 'number', default: 0, doc: 'where the first bin begins' },
    max: { type: 'number', required: true, doc: 'where the last bin ends' },
    bins: { type: 'integer', min: 1, max: 1024, default: 50, doc: 'number of bins' },
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: 'a table of the mean distribution, or with format json a line of counts for each frame',
    },
    format: {
      type: 'enum',
      values: ['csv', 'json'],
      doc: 'default: json for files called *.json and *.jsonl, otherwise csv',
    },
    plot: { type: 'file', mode: 'write', doc: 'an SVG of the mean distribution' },
  },
  functors: coordinationFunctors,
  validate(context) {
    const { slots, fail } = context;
    checkCoordinationSlots(slots, context);
    try {
      if (slots.max !== undefined) checkHistogram({ ...slots, max: slots.max });
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      fail('max', error.code, error.message);
    }
  },
  prepare({ slots, state }) {
    const { file, min, max, bins } = slots;
    const isJson = (slots.format ?? (/\.jsonl?$/i.test(file) ? 'json' : 'csv')) === 'json';
    return {
      number: coordinationOfSlots(slots, state),
      histogram: new CoordinationHistogram(contextOf(state), { min, max, bins }),
      lines: isJson ? state.output.open(file) : null,
    };
  },
  async frame({ slots, state, own }) {
    const { number, histogram, lines } = own;
    const { value, near } = await evaluateCoordination(number, slots, state);
    const counts = await histogram.add(near.grid, await number.groupsOf(near.grid));
    await near.close();
    if (!lines) return;
    const time = state.simulation.configuration.units.fromInternal(state.time, dimensions.time);
    const { min, max } = slots;
    const record = { step: state.step, time, value, min, max, counts: [...counts] };
    lines.write(`${JSON.stringify(record)}\n`);
  },
  save: ({ own, state }) => ({
    ...own.histogram.save(),
    isStale: own.number.isStale(state.get(gridKey)),
  }),
  restore({ own, state }, saved) {
    own.histogram.restore(saved);
    // Groups that were to be looked up again are so in the next frame: particles are restored after operators.
    return saved.isStale ? undefined : own.number.restore(state.get(gridKey));
  },
  async finish({ slots, state, own }) {
    const result = own.histogram.result();
    if (!own.lines) await state.output.writeWhole(slots.file, tableOf(result));
    if (slots.plot === undefined) return;
    const svg = plotSvg({
      title: `Coordination numbers: mean ${Number(result.mean.toPrecision(5))}, standard deviation ${Number(result.standardDeviation.toPrecision(3))}`,
      x: 'coordination number',
      y: 'particles a frame',
      bars: (slots.max - slots.min) / slots.bins,
      series: [{ name: '', x: result.centers, y: result.counts }],
    });
    await state.output.writeWhole(slots.plot, svg);
  },
  dispose({ own }) {
    own.number.close();
  },
});

function tableOf({ centers, counts, below, above }: HistogramResult): string {
  const all = counts.reduce((sum, count) => sum + count, below + above);
  const rows = centers.map((center, k) => {
    const count = counts[k]!;
    return `${center},${count},${all > 0 ? count / all : 0}\n`;
  });
  return `coordination,count,fraction\n${rows.join('')}`;
}
