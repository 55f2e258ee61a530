import { plotSvg } from '../../io/plot/plotSvg.js';
import { ledgerKey } from '../../run/stateKeys.js';
import { kineticTensor } from '../../run/thermo/kineticTensor.js';
import { inUserUnits, rowFactors } from '../../run/thermo/rowUnits.js';
import { thermoColumns } from '../../run/thermo/thermoRow.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { BlockMeans, type SavedBlocks } from './BlockMeans.js';
import { ThermoFrames } from './ThermoFrames.js';

const columns = thermoColumns.filter((name) => name !== 'step' && name !== 'time');

export const averagesOperator = defineAnalysis({
  name: 'averages',
  doc: 'Means of columns of the thermo table over a run, with standard errors from blocks of steps that follow each other (Flyvbjerg and Petersen), and standard deviations.',
  slots: {
    columns: {
      type: 'list',
      of: { type: 'enum', values: columns },
      minLength: 1,
      doc: 'columns of the thermo table; default: all but step and time',
    },
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: 'a table with a line for each column; JSON when it is called *.json',
    },
    plot: {
      type: 'file',
      mode: 'write',
      doc: 'an SVG of the means of the blocks of the first column',
    },
  },
  needs: ['energy', 'virial'],
  requires: [ledgerKey],
  inParts: true,
  functors: [kineticTensor],
  prepare({ slots, state }) {
    const names = slots.columns ?? columns;
    const factors = rowFactors(state.simulation.configuration.units);
    // Squares are of differences to the first sample, so that large means cost no digits.
    const own = { names, means: new BlockMeans(2 * names.length), first: [] as number[] };
    const frames = new ThermoFrames(state, ({ row }) => {
      const shown = inUserUnits(row, factors);
      const values = names.map((name) => shown[name]);
      if (own.first.length === 0) own.first = values;
      own.means.add([...values, ...values.map((value, k) => (value - own.first[k]!) ** 2)]);
    });
    return Object.assign(own, { frames });
  },
  frame: ({ own }) => own.frames.add(),
  async save({ own }) {
    await own.frames.flush();
    return { means: own.means.save(), first: own.first };
  },
  restore({ own }, saved: { readonly means: SavedBlocks; readonly first: readonly number[] }) {
    own.means.restore(saved.means);
    own.first = [...saved.first];
  },
  async finish({ slots, state, own }) {
    await own.frames.flush();
    const { names, means, first } = own;
    const rows = names.map((name, k) => {
      const mean = means.mean(k);
      const square = means.mean(names.length + k) - (mean - first[k]!) ** 2;
      const deviation = Math.sqrt(Math.max(0, square));
      return { column: name, mean, error: means.error(k), deviation, samples: means.samples };
    });
    const lines = rows.map((row) => Object.values(row).join(','));
    const text = /\.json$/i.test(slots.file)
      ? `${JSON.stringify(rows)}\n`
      : `column,mean,error,deviation,samples\n${lines.join('\n')}\n`;
    await state.output.writeWhole(slots.file, text);
    if (slots.plot === undefined) return;
    const y = means.blockMeans(0);
    const x = y.map((_, block) => block + 1);
    const label = `block of ${means.blockLength} samples`;
    const title = `Means of ${names[0]}`;
    const series = [{ name: '', x, y }];
    await state.output.writeWhole(slots.plot, plotSvg({ title, x: label, y: names[0]!, series }));
  },
  dispose: ({ own }) => own.frames.close(),
});
