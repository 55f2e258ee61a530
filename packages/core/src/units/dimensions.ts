import type { Dimension } from './Dimension.js';

/** Dimensions by name, for slots: `{ type: 'quantity', dimension: dimensions.energy }`. */
export const dimensions = {
  none: {},
  length: { length: 1 },
  mass: { mass: 1 },
  time: { time: 1 },
  temperature: { temperature: 1 },
  charge: { charge: 1 },
  energy: { length: 2, mass: 1, time: -2 },
  force: { length: 1, mass: 1, time: -2 },
  stiffness: { mass: 1, time: -2 },
  pressure: { length: -1, mass: 1, time: -2 },
  compressibility: { length: 1, mass: -1, time: 2 },
  velocity: { length: 1, time: -1 },
  acceleration: { length: 1, time: -2 },
  momentum: { length: 1, mass: 1, time: -1 },
  area: { length: 2 },
  volume: { length: 3 },
  numberDensity: { length: -3 },
  massDensity: { length: -3, mass: 1 },
  frequency: { time: -1 },
  inverseLength: { length: -1 },
} as const satisfies Record<string, Dimension>;

const NAMES: Readonly<Record<keyof typeof dimensions, string>> = {
  none: 'a plain number',
  length: 'a length',
  mass: 'a mass',
  time: 'a time',
  temperature: 'a temperature',
  charge: 'a charge',
  energy: 'an energy',
  force: 'a force',
  stiffness: 'an energy per area',
  pressure: 'a pressure',
  compressibility: 'a compressibility (1/pressure)',
  velocity: 'a velocity',
  acceleration: 'an acceleration',
  momentum: 'a momentum',
  area: 'an area',
  volume: 'a volume',
  numberDensity: 'a number density (1/length³)',
  massDensity: 'a mass density',
  frequency: 'a frequency (1/time)',
  inverseLength: 'an inverse length',
};

const BASES = ['length', 'mass', 'time', 'temperature', 'charge'] as const;

/** Whether two dimensions have the same exponents; absent ones are 0. */
export function sameDimension(a: Dimension, b: Dimension): boolean {
  // Roots give fractional exponents, hence the tolerance.
  return BASES.every((base) => Math.abs((a[base] ?? 0) - (b[base] ?? 0)) < 1e-9);
}

/** The dimension of x^p · y^q. */
export function combineDimensions(x: Dimension, p: number, y: Dimension = {}, q = 0): Dimension {
  const result: Record<string, number> = {};
  for (const base of BASES) {
    const exponent = (x[base] ?? 0) * p + (y[base] ?? 0) * q;
    if (Math.abs(exponent) > 1e-9) result[base] = exponent;
  }
  return result;
}

/** A dimension in words: "a length", "a pressure", or "length^2 time^-1". */
export function describeDimension(dimension: Dimension): string {
  for (const [name, known] of Object.entries(dimensions)) {
    if (sameDimension(dimension, known)) return NAMES[name as keyof typeof dimensions];
  }
  return BASES.filter((base) => dimension[base])
    .map((base) => (dimension[base] === 1 ? base : `${base}^${dimension[base]}`))
    .join(' ');
}
