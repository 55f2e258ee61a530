import { type Dimension, dimensions } from '@corpuscle/core';
import { frequencySlot } from '../../run/frequencySlot.js';
import { ledgerKey } from '../../run/stateKeys.js';
import { kineticTensor } from '../../run/thermo/kineticTensor.js';
import type { ThermoRow } from '../../run/thermo/thermoRow.js';
import { ThermoFrames } from '../averages/ThermoFrames.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { integrated, standardError } from './CorrelationBlocks.js';
import { writeCorrelation } from './correlationOutput.js';
import { type SavedCorrelation, TimeCorrelation } from './TimeCorrelation.js';

const viscosity: Dimension = { length: -1, mass: 1, time: -1 };

/** The five independent parts of the pressure without its trace; in an isotropic fluid all have the same autocorrelation. */
const shears = (row: ThermoRow): number[] => [
  row.pxy,
  row.pxz,
  row.pyz,
  (row.pxx - row.pyy) / 2,
  (row.pxx + row.pyy - 2 * row.pzz) / Math.sqrt(12),
];

export const stressAutocorrelationOperator = defineAnalysis({
  name: 'stress_autocorrelation',
  doc: 'Autocorrelation of the shear stress by lag, and its running integral times V/kT, the shear viscosity (Green and Kubo). Five independent shears are averaged (Daivis and Evans 1994), and their spread gives the errors.',
  slots: {
    every: frequencySlot('samples'),
    lags: {
      type: 'integer',
      min: 1,
      max: 100_000,
      default: 200,
      doc: 'the longest lag, in samples',
    },
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: 'a table by lag; JSON when it is called *.json',
    },
    plot: { type: 'file', mode: 'write', doc: 'an SVG of the running viscosity' },
  },
  every: 'every',
  needs: ['energy', 'virial'],
  requires: [ledgerKey],
  functors: [kineticTensor],
  prepare({ slots, state }) {
    const own = {
      correlation: new TimeCorrelation(5, slots.lags),
      /** Times of the first two samples, and sums over all: temperature, volume, how many. */
      times: [] as number[],
      sums: [0, 0, 0],
    };
    const frames = new ThermoFrames(state, ({ row, volume }) => {
      own.correlation.add(shears(row));
      if (own.times.length < 2) own.times.push(row.time);
      own.sums = own.sums.map((sum, k) => sum + [row.temperature, volume, 1][k]!);
    });
    return Object.assign(own, { frames });
  },
  frame: ({ own }) => own.frames.add(),
  async save({ own }) {
    await own.frames.flush();
    return { correlation: own.correlation.save(), times: own.times, sums: own.sums };
  },
  restore({ own }, saved: Saved) {
    own.correlation.restore(saved.correlation);
    own.times = [...saved.times];
    own.sums = [...saved.sums];
  },
  async finish({ slots, state, own }) {
    await own.frames.flush();
    const { units } = state.simulation.configuration;
    const [temperature, volume, samples] = own.sums as [number, number, number];
    const spacing = (own.times[1] ?? 0) - (own.times[0] ?? 0);
    const factor = volume / (units.boltzmann * temperature); // the means of both: samples cancel
    const curves = [0, 1, 2, 3, 4].map((k) => own.correlation.of(k));
    const integrals = curves.map((curve) => integrated(curve, spacing * factor));
    const stress = units.fromInternal(1, dimensions.pressure) ** 2;
    const flow = units.fromInternal(1, viscosity);
    const rows = [...own.correlation.counts.entries()]
      .filter(([, count]) => count > 0)
      .map(([lag, origins]) => {
        const sacf = spread(curves.map((curve) => curve[lag]! * stress));
        const running = spread(integrals.map((integral) => integral[lag]! * flow));
        return {
          time: units.fromInternal(lag * spacing, dimensions.time),
          sacf: sacf.mean,
          error: sacf.error,
          viscosity: running.mean,
          viscosity_error: running.error,
          origins,
        };
      });
    const title = 'Stress autocorrelation';
    const name = 'stress_autocorrelation';
    await writeCorrelation(state, {
      ...slots,
      name,
      coefficient: 'viscosity',
      title,
      samples,
      rows,
    });
  },
  dispose: ({ own }) => own.frames.close(),
});

type Saved = {
  readonly correlation: SavedCorrelation;
  readonly times: readonly number[];
  readonly sums: readonly number[];
};

/** Mean, and its standard error. */
function spread(values: readonly number[]): { mean: number; error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, error: standardError(values) };
}
