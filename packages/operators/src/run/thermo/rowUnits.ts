import { dimensions, type UnitSystem } from '@corpuscle/core';
import type { ThermoRow } from './thermoRow.js';

/** The user's units of the columns of a row, in internal ones. */
export interface RowFactors {
  readonly time: number;
  readonly temperature: number;
  readonly energy: number;
  readonly pressure: number;
}

/** The factors of a system of units. */
export function rowFactors(units: UnitSystem): RowFactors {
  const { time, temperature, energy, pressure } = dimensions;
  return {
    time: units.toInternal(1, time),
    temperature: units.toInternal(1, temperature),
    energy: units.toInternal(1, energy),
    pressure: units.toInternal(1, pressure),
  };
}

/** A row as the user reads it. */
export function inUserUnits(
  row: ThermoRow,
  { time, temperature, energy, pressure }: RowFactors,
): ThermoRow {
  return {
    step: row.step,
    time: row.time / time,
    temperature: row.temperature / temperature,
    potential_energy: row.potential_energy / energy,
    kinetic_energy: row.kinetic_energy / energy,
    total_energy: row.total_energy / energy,
    pressure: row.pressure / pressure,
    pxx: row.pxx / pressure,
    pyy: row.pyy / pressure,
    pzz: row.pzz / pressure,
    pxy: row.pxy / pressure,
    pxz: row.pxz / pressure,
    pyz: row.pyz / pressure,
    ...(row.conserved_quantity !== undefined && {
      conserved_quantity: row.conserved_quantity / energy,
    }),
  };
}
