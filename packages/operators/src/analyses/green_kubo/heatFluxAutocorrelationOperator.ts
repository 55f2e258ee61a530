import { type Dimension, dimensions } from '@corpuscle/core';
import { combined } from '@corpuscle/patterns';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { knownTime } from '../../integrators/physicalTime.js';
import { listsAfterChange } from '../../run/currentLists.js';
import { ledgerKey, planKey } from '../../run/stateKeys.js';
import { PendingRows } from '../../run/thermo/PendingRows.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { quotient } from '../define/quotient.js';
import { type HeatFlux, startHeatFlux } from '../heat_flux/heatFlux.js';
import { heatFluxFunctor } from '../heat_flux/heatFluxFunctor.js';
import { CorrelationBlocks, type SavedCorrelationBlocks } from './CorrelationBlocks.js';
import { writeCorrelation } from './correlationOutput.js';
import { correlationSlots } from './correlationSlots.js';
import { SampleMeans, type SavedMeans } from './SampleMeans.js';

const flux: Dimension = { mass: 1, time: -3 };
const conductivity: Dimension = { length: 1, mass: 1, time: -3, temperature: -1 };

/** What a frame adds. */
interface Row {
  readonly flux: HeatFlux;
  readonly time: number;
  readonly volume: number;
  readonly temperature: number;
}

export const heatFluxAutocorrelationOperator = defineAnalysis({
  name: 'heat_flux_autocorrelation',
  doc: 'Autocorrelation of the heat flux by lag, averaged over x, y and z, and its running integral times V/kT², the thermal conductivity (Green and Kubo), with errors from blocks of time. For one component at constant energy; exact for pair forces.',
  slots: correlationSlots('thermal_conductivity'),
  needs: ['particle_energies'],
  requires: [ledgerKey],
  inParts: true,
  needsEvenSteps: () => 'heat_flux_autocorrelation',
  functors: [heatFluxFunctor],
  prepare({ slots }) {
    const own = {
      correlation: new CorrelationBlocks(slots.lags),
      means: new SampleMeans(),
    };
    const rows = new PendingRows<Row>(({ flux: { jx, jy, jz }, time, volume, temperature }) => {
      own.correlation.add([jx, jy, jz]);
      own.means.add(time, temperature, volume);
    });
    return Object.assign(own, { rows });
  },
  async frame({ state, grid, own }) {
    const time = knownTime(state, 'heat_flux_autocorrelation');
    await listsAfterChange(state);
    const { volume } = grid.domain;
    const per = degreesOfFreedom(state) * state.simulation.configuration.units.boltzmann;
    const found = (await startHeatFlux(state.get(ledgerKey))).flux;
    await own.rows.add(
      combined([found], ([one]) => ({
        flux: one!,
        time,
        volume,
        temperature: quotient(one!.twice, per),
      })),
    );
    if (!state.find(planKey)) await own.rows.flush();
  },
  async save({ own }) {
    await own.rows.flush();
    return { correlation: own.correlation.save(), means: own.means.save() };
  },
  restore({ own }, saved: Saved) {
    own.correlation.restore(saved.correlation);
    own.means.restore(saved.means);
  },
  async finish({ slots, state, own }) {
    await own.rows.flush();
    const { units } = state.simulation.configuration;
    const { temperature, volume, samples, spacing } = own.means;
    const factor = quotient(volume, units.boltzmann * temperature * temperature);
    const square = units.fromInternal(1, flux) ** 2;
    const flow = factor * units.fromInternal(1, conductivity);
    const { origins } = own.correlation;
    const rows = own.correlation.points(spacing).map((point, lag) => ({
      time: units.fromInternal(lag * spacing, dimensions.time),
      hfacf: point.value * square,
      error: point.error * square,
      thermal_conductivity: point.integral * flow,
      thermal_conductivity_error: point.integralError * flow,
      origins,
    }));
    const title = 'Heat flux autocorrelation';
    const coefficient = 'thermal_conductivity';
    const name = 'heat_flux_autocorrelation';
    await writeCorrelation(state, { ...slots, name, coefficient, title, samples, rows });
  },
});

type Saved = {
  readonly correlation: SavedCorrelationBlocks;
  readonly means: SavedMeans;
};
