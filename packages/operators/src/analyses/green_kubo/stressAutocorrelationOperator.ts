import { type Dimension, dimensions } from '@corpuscle/core';
import { knownTime } from '../../integrators/physicalTime.js';
import { ledgerKey } from '../../run/stateKeys.js';
import { kineticTensor } from '../../run/thermo/kineticTensor.js';
import type { ThermoRow } from '../../run/thermo/thermoRow.js';
import { ThermoFrames } from '../averages/ThermoFrames.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { quotient } from '../define/quotient.js';
import { integrated, standardError } from './CorrelationBlocks.js';
import { writeCorrelation } from './correlationOutput.js';
import { correlationSlots } from './correlationSlots.js';
import { SampleMeans, type SavedMeans } from './SampleMeans.js';
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
  slots: correlationSlots('viscosity'),
  needs: ['energy', 'virial'],
  requires: [ledgerKey],
  inParts: true,
  needsEvenSteps: () => 'stress_autocorrelation',
  functors: [kineticTensor],
  prepare({ slots, state }) {
    const own = {
      correlation: new TimeCorrelation(5, slots.lags),
      means: new SampleMeans(),
    };
    const frames = new ThermoFrames(state, ({ row, volume }) => {
      own.correlation.add(shears(row));
      own.means.add(row.time, row.temperature, volume);
    });
    return Object.assign(own, { frames });
  },
  frame({ state, own }) {
    knownTime(state, 'stress_autocorrelation');
    return own.frames.add();
  },
  async save({ own }) {
    await own.frames.flush();
    return { correlation: own.correlation.save(), means: own.means.save() };
  },
  restore({ own }, saved: Saved) {
    own.correlation.restore(saved.correlation);
    own.means.restore(saved.means);
  },
  async finish({ slots, state, own }) {
    await own.frames.flush();
    const { units } = state.simulation.configuration;
    const { temperature, volume, samples, spacing } = own.means;
    const factor = quotient(volume, units.boltzmann * temperature);
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
  readonly means: SavedMeans;
};

/** Mean, and its standard error. */
function spread(values: readonly number[]): { mean: number; error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, error: standardError(values) };
}
