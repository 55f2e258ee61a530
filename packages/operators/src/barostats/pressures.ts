import { dimensions, type EntrySpec } from '@corpuscle/core';
import { type BarostatCoupling, coupledAxes } from '../box/coupling.js';

const pressure = { type: 'quantity', dimension: dimensions.pressure } as const;
const one = {
  type: 'any_of',
  options: [pressure, { type: 'list', of: pressure, length: 2 }],
} as const;

/** A pressure, or the first and the last of a ramp over the run. */
export const pressureSlot = {
  ...one,
  required: true,
  doc: 'pressure of the bath, or [first, last] for a ramp over the steps of the run',
} as const satisfies EntrySpec;

/** The same, or that of each axis. */
export const pressuresSlot = {
  ...pressureSlot,
  options: [...one.options, { type: 'list', of: one, length: 3 }],
  doc: `${pressureSlot.doc}; with coupling: aniso also three of them, along x, y and z`,
} as const satisfies EntrySpec;

/** A pressure, or both ends of a ramp. */
type OnePressure = number | readonly number[];
/** What a file says of pressures. */
export type Pressures = number | readonly OnePressure[];

/** Both ends of a ramp. */
export type Ends = readonly [number, number];

/** Both ends of a ramp, which are the same where there is none. */
export const ends = (given: OnePressure): Ends =>
  typeof given === 'number' ? [given, given] : [given[0]!, given[1]!];

/** Those of each axis; null where one pressure is that of all. */
export const pressuresByAxis = (given: Pressures): readonly Ends[] | null =>
  typeof given === 'number' || given.length === 2 ? null : given.map(ends);

/** The pressure of all lengths, or the mean of those that move. */
export function meanPressure(given: Pressures, coupling: BarostatCoupling): Ends {
  const each = pressuresByAxis(given)?.filter((_, k) => coupledAxes(coupling)[k]!.length > 0);
  if (!each) return ends(given as OnePressure);
  const mean = (at: 0 | 1) => each.reduce((sum, pair) => sum + pair[at], 0) / each.length;
  return [mean(0), mean(1)];
}

/** What is wrong with pressures of axes that change together; null where nothing is. */
export function wrongPressures(given: Pressures, coupling: BarostatCoupling): string | null {
  const isOwn = coupledAxes(coupling).every((together) => together.length < 2);
  if (!pressuresByAxis(given) || (isOwn && coupling !== 'triclinic')) return null;
  return 'a pressure for each axis needs lengths that change each for itself: use coupling: aniso';
}
