import { defineOperator, operatorsOf } from '@corpuscle/core';
import { combined, type PatternHandle } from '@corpuscle/patterns';
import { bathEnergies } from '../../integrators/bathEnergies.js';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { physicalTime } from '../../integrators/physicalTime.js';
import { contextOf, gridKey, ledgerKey, planKey, thermoKey } from '../stateKeys.js';
import { boxColumns, boxNumbers } from './boxColumns.js';
import { kineticTensor } from './kineticTensor.js';
import { PendingRows } from './PendingRows.js';
import { inUserUnits, rowFactors } from './rowUnits.js';
import { ThermoSampler } from './sampleThermo.js';
import { type ThermoRow, thermoColumns, thermoLine } from './thermoRow.js';
import { thermoTableHeader, thermoTableRow } from './thermoTable.js';

/** What a row says of its box, if it is asked. */
interface WithBox {
  readonly box: readonly number[];
}

export const thermoOperator = defineOperator({
  name: 'thermo',
  doc: 'Writes temperature, energies (totals) and the pressure tensor to a CSV file, and a table to the terminal.',
  slots: {
    file: { type: 'file', mode: 'write', default: 'thermo.csv', doc: 'the CSV file' },
    box: {
      type: 'boolean',
      default: false,
      doc: 'also write the box of each row: volume, density, lx, ly, lz, xy, xz, yz',
    },
    frequency: {
      type: 'integer',
      min: 1,
      mayChange: true,
      doc: 'steps between rows, the last step always has one; default 100 in molecular dynamics, and in a batch of your own a row whenever the operator runs',
    },
    conserved: {
      type: 'boolean',
      default: false,
      doc: 'whether there is a column conserved_quantity: the total energy and what thermostats have taken (bussi, nose_hoover, berendsen, rescale; not langevin and andersen)',
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
    const columns = [
      ...thermoColumns,
      ...(slots.conserved ? ['conserved_quantity'] : []),
      ...(slots.box ? boxColumns : []),
    ];
    if (out.position === 0)
      out.write(`${columns.join(',')}
`);
    state.say(thermoTableHeader());
    const factors = rowFactors(state.simulation.configuration.units);
    const rows = new PendingRows<ThermoRow & WithBox>(({ box, ...row }) => {
      state.set(thermoKey, row);
      const shown = inUserUnits(row, factors);
      out.write(`${[thermoLine(shown), ...box].join(',')}\n`);
      state.say(thermoTableRow(shown));
    });
    const isAwaited = [...operatorsOf(state.simulation.root)].some(({ definition }) =>
      definition.requires?.includes(thermoKey),
    );
    return { rows, isAwaited, sampler: new ThermoSampler(state.get(gridKey), contextOf(state)) };
  },
  execute({ slots, state, own }) {
    const { domain, count } = state.get(gridKey);
    // The box of this step: rows may arrive later.
    const box = slots.box ? boxNumbers(domain, count) : [];
    const plan = state.find(planKey);
    const sampled = own.sampler.sample({
      step: state.step,
      time: physicalTime(state),
      dt: plan?.dt,
      boltzmann: state.simulation.configuration.units.boltzmann,
      degrees: degreesOfFreedom(state),
      totals: state.get(ledgerKey).totals(),
    });
    const row = slots.conserved ? withConserved(sampled, bathEnergies(state)) : sampled;
    // In a run rows arrive when the device is done with them; other batches may replace the particles next.
    const added = own.rows.add(combined([row], ([made]) => ({ ...made!, box })));
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

/** A row with the total energy and what thermostats have taken. */
function withConserved(
  row: PatternHandle<ThermoRow>,
  taken: readonly PatternHandle<number>[],
): PatternHandle<ThermoRow> {
  const heat = combined(taken, (energies) => energies.reduce((sum, energy) => sum + energy, 0));
  return combined<unknown, ThermoRow>([row, heat], ([first, second]) => {
    const sampled = first as ThermoRow;
    return { ...sampled, conserved_quantity: sampled.total_energy + (second as number) };
  });
}
