import { defineOperator, operatorsOf, type SimulationState } from '@corpuscle/core';
import { combined, type PatternHandle } from '@corpuscle/patterns';
import { findRunBox } from '../../box/RunBox.js';
import { bathEnergies } from '../../integrators/bathEnergies.js';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { physicalTime } from '../../integrators/physicalTime.js';
import { kineticEnergy } from '../../thermostats/kineticEnergy.js';
import { everySlots, stepsBetween } from '../frameSlots.js';
import { contextOf, gridKey, ledgerKey, planKey, thermoKey } from '../stateKeys.js';
import { boxColumns, boxNumbers } from './boxColumns.js';
import { GroupColumns } from './GroupColumns.js';
import { kineticTensor } from './kineticTensor.js';
import { PendingRows } from './PendingRows.js';
import { inUserUnits, rowFactors } from './rowUnits.js';
import { ThermoSampler } from './sampleThermo.js';
import { type ThermoRow, thermoColumns, thermoLine } from './thermoRow.js';
import { thermoTableHeader, thermoTableRow } from './thermoTable.js';

/** What a row says of its box and of groups, if it is asked. */
interface MoreColumns {
  readonly box: readonly number[];
  readonly groups: readonly number[];
}

/** What a table keeps. */
interface Own {
  readonly rows: PendingRows<ThermoRow & MoreColumns>;
  /** Whether other operators look at the last row. */
  readonly isAwaited: boolean;
  readonly sampler: ThermoSampler;
  readonly groups: GroupColumns | null | undefined;
  readonly factors: ReturnType<typeof rowFactors>;
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
    groups: {
      type: 'list',
      of: { type: 'string', names: 'group' },
      minLength: 1,
      doc: 'also write particles, kinetic energy and temperature of these groups, as columns temperature_NAME and so on',
    },
    every: {
      type: 'integer',
      min: 1,
      mayChange: true,
      doc: 'steps between rows, the last step always has one; default 100 in molecular dynamics, and in a batch of your own a row whenever the operator runs',
    },
    frequency: everySlots('rows').frequency,
    conserved: {
      type: 'boolean',
      default: false,
      doc: 'whether there is a column conserved_quantity: the total energy and what baths have taken and given, with P V at constant pressure; not with cell_rescale and berendsen of a pressure',
    },
  },
  every: (slots, state) => stepsBetween(slots) ?? (state.find(planKey) ? 100 : 1),
  atEnd: true,
  needs: ['energy', 'virial'],
  requires: [gridKey, ledgerKey],
  provides: [thermoKey],
  functors: [kineticTensor, kineticEnergy],
  prepare({ slots, state }) {
    const out = state.output.open(slots.file);
    const groups = slots.groups && new GroupColumns(state, slots.groups);
    const columns = [
      ...thermoColumns,
      ...(slots.conserved ? ['conserved_quantity'] : []),
      ...(slots.box ? boxColumns : []),
      ...(groups?.names ?? []),
    ];
    if (out.position === 0)
      out.write(`${columns.join(',')}
`);
    state.say(thermoTableHeader());
    const factors = rowFactors(state.simulation.configuration.units);
    const rows = new PendingRows<ThermoRow & MoreColumns>(({ box, groups, ...row }) => {
      state.set(thermoKey, row);
      const shown = inUserUnits(row, factors);
      out.write(`${[thermoLine(shown), ...box, ...groups].join(',')}\n`);
      state.say(thermoTableRow(shown));
    });
    const isAwaited = [...operatorsOf(state.simulation.root)].some(({ definition }) =>
      definition.requires?.includes(thermoKey),
    );
    const sampler = new ThermoSampler(state.get(gridKey), contextOf(state));
    return { rows, isAwaited, sampler, groups, factors };
  },
  calls: () => null, // it asks for the box itself
  execute(context) {
    const { state, slots } = context;
    const asked = slots.box ? state.knowBox?.() : undefined;
    return asked ? asked.then(() => addRow(context)) : addRow(context);
  },
  async save({ own, state }) {
    await own.rows.flush();
    return { ...state.find(thermoKey) };
  },
  restore({ state }, saved) {
    if ('step' in saved) state.set(thermoKey, saved as ThermoRow);
  },
  finish: ({ own }) => own.rows.flush(),
  dispose({ own }) {
    own.sampler.close();
    own.groups?.close();
  },
});

/** A row with what is known of its box and, later, of groups. */
function withMore(
  row: PatternHandle<ThermoRow>,
  box: readonly number[],
  groups: PatternHandle<number[]> | undefined,
): PatternHandle<ThermoRow & MoreColumns> {
  return combined<unknown, ThermoRow & MoreColumns>(groups ? [row, groups] : [row], (parts) => ({
    ...(parts[0] as ThermoRow),
    box,
    groups: (parts[1] as number[] | undefined) ?? [],
  }));
}

/** Adds the row of this step; a promise where the host has to wait. */
function addRow({
  slots,
  state,
  own,
}: {
  readonly state: SimulationState;
  readonly slots: { readonly box: boolean; readonly conserved: boolean };
  readonly own: Own;
}): void | Promise<void> {
  const { domain, total } = state.get(gridKey);
  // The box of this step: rows may arrive later.
  const box = slots.box ? boxNumbers(domain, total) : [];
  const plan = state.find(planKey);
  const sampled = own.sampler.sample({
    step: state.step,
    time: physicalTime(state),
    dt: plan?.dt,
    boltzmann: state.simulation.configuration.units.boltzmann,
    degrees: degreesOfFreedom(state),
    totals: state.get(ledgerKey).totals(),
    volume: state.knowBox && findRunBox(state)?.presentVolume(),
  });
  const row = slots.conserved ? withConserved(sampled, bathEnergies(state)) : sampled;
  // In a run rows arrive when the device is done with them; other batches may replace the particles next.
  const added = own.rows.add(withMore(row, box, own.groups?.sample(own.factors)));
  return plan && !own.isAwaited ? added : own.rows.flush();
}

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
