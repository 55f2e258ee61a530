import { dimensions, type EntrySpec, type ValueOf } from '@corpuscle/core';

const temperature = { type: 'quantity', dimension: dimensions.temperature, min: 0 } as const;

const slot = {
  type: 'any_of',
  options: [temperature, { type: 'list', of: temperature, length: 2 }],
  required: true,
  doc: 'the temperature, or [first, last] for a ramp over the steps of the run',
} as const satisfies EntrySpec;
type Slot = typeof slot;

/** By its name declarations of thermostats stay short. */
export interface TemperatureSlot extends Slot {}

/** A temperature, or the first and the last of a ramp over the run. */
export const temperatureSlot: TemperatureSlot = slot;

/** What the slot holds. */
export type Temperature = ValueOf<typeof temperatureSlot>;

/** First and last temperature. */
export const endsOf = (given: Temperature): readonly [number, number] =>
  typeof given === 'number' ? [given, given] : [given[0]!, given[1]!];

/** What is wrong where the masses of a bath are in proportion to its temperature, which is 0 somewhere. */
export const coldBath = (given: Temperature | undefined): string | null =>
  given !== undefined && endsOf(given).includes(0)
    ? 'the masses of nose_hoover are in proportion to its temperature, which is 0: give one above 0, or another thermostat'
    : null;
