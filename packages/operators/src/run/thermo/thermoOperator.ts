import { defineOperator, operatorsOf } from '@corpuscle/core';
import { contextOf, gridKey, ledgerKey, planKey, thermoKey } from '../stateKeys.js';
import { kineticTensor } from './kineticTensor.js';
import { PendingRows } from './PendingRows.js';
import { inUserUnits, rowFactors } from './rowUnits.js';
import { ThermoSampler } from './sampleThermo.js';
import { type ThermoRow, thermoColumns, thermoLine } from './thermoRow.js';
import { thermoTableHeader, thermoTableRow } from './thermoTable.js';

export const thermoOperator = defineOperator({
  name: 'thermo',
  doc: 'Writes temperature, energies (totals) and the pressure tensor to a CSV file, and a table to the terminal.',
  slots: {
    file: { type: 'file', mode: 'write', default: 'thermo.csv', doc: 'the CSV file' },
    frequency: {
      type: 'integer',
      min: 1,
      mayChange: true,
      doc: 'steps between rows, the last step always has one; default 100 in molecular dynamics, and in a batch of your own a row whenever the operator runs',
    },
  },
  every: ({ frequency }, state) => frequency ?? (state.find(planKey) ? 100 : 1),
  atEnd: true,
  needs: ['energy', 'virial'],
  requires: [gridKey, ledgerKey],
  provides: [thermoKey],
  functors: [kineticTensor],
  prepare({ slots, state }) {
    const out = state.output.open(slots.file);
    if (out.position === 0) out.write(`${thermoColumns.join(',')}\n`);
    state.say(thermoTableHeader());
    const factors = rowFactors(state.simulation.configuration.units);
    const rows = new PendingRows<ThermoRow>((row) => {
      state.set(thermoKey, row);
      const shown = inUserUnits(row, factors);
      out.write(`${thermoLine(shown)}\n`);
      state.say(thermoTableRow(shown));
    });
    const isAwaited = [...operatorsOf(state.simulation.root)].some(({ definition }) =>
      definition.requires?.includes(thermoKey),
    );
    return { rows, isAwaited, sampler: new ThermoSampler(state.get(gridKey), contextOf(state)) };
  },
  execute({ state, own }) {
    const plan = state.find(planKey);
    const row = own.sampler.sample({
      step: state.step,
      time: state.time,
      dt: plan?.dt,
      boltzmann: state.simulation.configuration.units.boltzmann,
      totals: state.get(ledgerKey).totals(),
    });
    // In a run rows arrive when the device is done with them; other batches may replace the particles next.
    const added = own.rows.add(row);
    return plan && !own.isAwaited ? added : own.rows.flush();
  },
  async save({ own, state }) {
    await own.rows.flush();
    return { ...state.find(thermoKey) };
  },
  restore({ state }, saved) {
    if ('step' in saved) state.set(thermoKey, saved as ThermoRow);
  },
  finish: ({ own }) => own.rows.flush(),
  dispose: ({ own }) => own.sampler.close(),
});
