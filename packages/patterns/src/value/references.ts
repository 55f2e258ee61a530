import type { ValueReferences } from '../plan/checkParameters.js';
import type { EngineValues } from './EngineValues.js';
import { HostValues } from './HostValues.js';

/** The places of values in memory of a device, by the parameters that they are. */
export function placesOf(references: ValueReferences = {}): Readonly<Record<string, number>> {
  const places: Record<string, number> = {};
  for (const [name, { values, at }] of Object.entries(references))
    places[name] = values.parameter(at);
  return places;
}

/** Values as numbers for a call on the host. */
export interface HostNumbers {
  /** Whether the host has all of them, so that this serves every run of a call. */
  readonly areHere: boolean;
  /** Fetches those that a device has. */
  ready(): Promise<void> | null;
  /** The numbers of this moment, by the parameters that they are. */
  now(): Readonly<Record<string, number>>;
  /** The same, into a record of parameters. */
  into(params: Record<string, unknown>): void;
}

/** Null where no parameter comes from a value. */
export function hostNumbers(references: ValueReferences = {}): HostNumbers | null {
  const entries = Object.entries(references);
  if (entries.length === 0) return null;
  const fetched = new Map<EngineValues, readonly number[]>();
  const away = entries.map(([, one]) => one.values).filter((one) => !(one instanceof HostValues));
  const fetch = async (): Promise<void> => {
    for (const values of new Set(away)) fetched.set(values, await values.read());
  };
  const into = (params: Record<string, unknown>): void => {
    for (const [name, { values, at }] of entries)
      params[name] = fetched.get(values)?.[at] ?? values.parameter(at);
  };
  return {
    areHere: away.length === 0,
    ready: () => (away.length > 0 ? fetch() : null),
    now: () => {
      const numbers: Record<string, number> = {};
      into(numbers);
      return numbers;
    },
    into,
  };
}
