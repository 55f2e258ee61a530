import { type Grid, type SimulationState, stateKey } from '@corpuscle/core';
import { fileColumn } from '../../io/frames/fileColumns.js';
import { gridKey } from '../../run/stateKeys.js';

/** A field of particles that a simulation declares. */
export interface Property {
  readonly default: number;
  readonly by_type?: Readonly<Record<string, number>>;
}

/** The declared fields, by name. */
export const propertiesKey = stateKey<Readonly<Record<string, Property>>>(
  'particle properties',
  'put particle_properties before the operators that use them',
);

/** The value of a field for particles of a type. */
export const valueFor = (property: Property, type: string): number =>
  property.by_type?.[type] ?? property.default;

/** Gives each particle the value that the file has for it, else that of its type. Host blocks must be current. */
export function fillProperty(
  state: SimulationState,
  grid: Grid,
  name: string,
  property: Property,
  species: readonly string[],
): void {
  const types = grid.values('type');
  const column = fileColumn(state, name);
  const ids = grid.block('id').array as BigUint64Array;
  grid.setValues(
    name,
    types.map((type, row) => column?.(ids[row]!) ?? valueFor(property, species[type] ?? '')),
  );
}

/** The same for all fields, when a file has replaced the particles. */
export function refillProperties(state: SimulationState, species: readonly string[]): void {
  const grid = state.get(gridKey);
  for (const [name, property] of Object.entries(state.find(propertiesKey) ?? {}))
    if (grid.hasField(name)) fillProperty(state, grid, name, property, species);
}
