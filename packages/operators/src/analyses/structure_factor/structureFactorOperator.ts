import { type Dimension, dimensions } from '@corpuscle/core';
import { plotSvg } from '../../io/plot/plotSvg.js';
import { contextOf } from '../../run/stateKeys.js';
import { currentRows, groupSlot } from '../../sets/group/Groups.js';
import { speciesOf } from '../../system/placeParticles.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { looksAtFrame } from '../define/looksAtFrame.js';
import { checkPeriodic, StructureFactor, type StructureFactorResult } from './StructureFactor.js';
import { waveSums } from './waveSums.js';

const wavenumber: Dimension = { length: -1 };

export const structureFactorOperator = defineAnalysis({
  name: 'structure_factor',
  doc: 'Structure factor S(q) = ⟨|Σ exp(i q r)|²⟩/N on wave vectors of the periodic box, averaged over directions and frames: the total, and that of each pair of types (Ashcroft and Langreth), with errors from blocks of frames.',
  slots: {
    q_max: {
      type: 'quantity',
      dimension: wavenumber,
      above: 0,
      required: true,
      doc: 'the largest wave number 2π/λ',
    },
    bins: { type: 'integer', min: 1, max: 100_000, default: 100, doc: 'number of bins' },
    vectors: {
      type: 'integer',
      min: 1,
      default: 100,
      doc: 'wave vectors of a bin at most: those of long ones are many',
    },
    ...groupSlot,
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: 'a table; JSON when it is called *.json',
    },
    plot: { type: 'file', mode: 'write', doc: 'an SVG of S(q)' },
  },
  functors: [waveSums],
  checkBox: (_, domain) => checkPeriodic(domain),
  prepare: ({ slots, state }) => ({
    factor: new StructureFactor(contextOf(state), {
      types: speciesOf(state),
      qMax: slots.q_max,
      bins: slots.bins,
      vectors: slots.vectors,
      rows: (grid) => currentRows(state, grid, slots.group),
    }),
  }),
  ...looksAtFrame(),
  frame: ({ grid, own }) => own.factor.add(grid),
  save: ({ own }) => own.factor.save(),
  restore: ({ own }, saved) => own.factor.restore(saved),
  async finish({ slots, state, own }) {
    const { units } = state.simulation.configuration;
    const found = own.factor.result();
    if (found.frames === 0) return;
    const perLength = 1 / units.fromInternal(1, dimensions.length);
    const result = { ...found, q: found.q.map((q) => q * perLength) };
    const isJson = /\.json$/i.test(slots.file);
    const text = isJson ? `${JSON.stringify(result)}\n` : tableOf(result);
    await state.output.writeWhole(slots.file, text);
    if (slots.plot === undefined) return;
    const { q: x, total, pairs } = result;
    const partial = pairs.length > 1 ? pairs : [];
    const series = [
      { name: partial.length > 0 ? 'all' : '', x, y: total.s },
      ...partial.map(({ types, s }) => ({ name: types.join('–'), x, y: s })),
    ];
    const plot = { title: 'Structure factor', x: 'q', y: 'S(q)', series };
    await state.output.writeWhole(slots.plot, plotSvg(plot));
  },
  dispose: ({ own }) => own.factor.close(),
});

function tableOf({ q, vectors, total, pairs }: StructureFactorResult): string {
  const names = pairs.map(({ types }) => types.join('-'));
  const head = ['q', 's', 'error', 'vectors', ...names.flatMap((n) => [`s_${n}`, `e_${n}`])];
  const rows = q.map((x, k) =>
    [
      x,
      total.s[k],
      total.error[k],
      vectors[k],
      ...pairs.flatMap(({ s, error }) => [s[k], error[k]]),
    ].join(','),
  );
  return `${[head.join(','), ...rows].join('\n')}\n`;
}
