import { CorpuscleError } from '../error/CorpuscleError.js';
import { describeDimension, dimensions, sameDimension } from './dimensions.js';
import { ExpressionError, parseExpression } from './parseExpression.js';

/** Units that a user chooses; each is a unit name or expression. */
export interface UnitDefinition {
  readonly length: string;
  readonly mass: string;
  readonly time: string;
  /** Default: mass·length²/time². */
  readonly energy?: string;
  /** Default: kelvin. */
  readonly temperature?: string;
  /** Default: the elementary charge. */
  readonly charge?: string;
  /** Default: energy/length³. */
  readonly pressure?: string;
}

/** Unit systems with a name, after LAMMPS; `lj` is the reduced one. */
export const namedUnits: Readonly<Record<string, UnitDefinition>> = {
  real: { length: 'ang', mass: 'g/mol', time: 'fs', energy: 'kcal/mol', pressure: 'atm' },
  metal: { length: 'ang', mass: 'g/mol', time: 'ps', energy: 'eV', pressure: 'bar' },
  si: { length: 'm', mass: 'kg', time: 's', charge: 'C' },
};

export type UnitName = keyof UnitDefinition;
/** Every unit a definition may name. */
export const unitNames: readonly UnitName[] = [
  'length',
  'mass',
  'time',
  'energy',
  'temperature',
  'charge',
  'pressure',
];

/** The user's unit where the definition names none. */
export const DEFAULT_NAMES: Readonly<Record<UnitName, (definition: UnitDefinition) => string>> = {
  length: (d) => d.length,
  mass: (d) => d.mass,
  time: (d) => d.time,
  energy: (d) => `${d.mass} ${d.length}^2 ${d.time}^-2`,
  temperature: () => 'K',
  charge: () => 'e',
  pressure: (d) => `${d.energy}/${d.length}^3`,
};

/** SI values of the units of `lj`: all 1. */
export const REDUCED: Readonly<Record<UnitName, number>> = {
  length: 1,
  mass: 1,
  time: 1,
  energy: 1,
  temperature: 1,
  charge: 1,
  pressure: 1,
};

/** Every unit of a definition in SI. @throws CorpuscleError UNKNOWN_UNIT, WRONG_DIMENSION, INVALID_VALUE */
export function inSi(definition: UnitDefinition): Record<UnitName, number> {
  const si: Partial<Record<UnitName, number>> = {};
  for (const key of unitNames) {
    const text =
      definition[key] ?? (key === 'temperature' ? 'K' : key === 'charge' ? 'e' : undefined);
    if (text !== undefined) si[key] = unitInSi(key, text);
  }
  const { length = 1, mass = 1, time = 1 } = si;
  si.energy ??= length ** 2 * mass * time ** -2;
  si.pressure ??= si.energy / length ** 3;
  return si as Record<UnitName, number>;
}

/** @throws CorpuscleError with the key in the message. */
function unitInSi(key: UnitName, text: string): number {
  try {
    const { number, factor, dimension } = parseExpression(text);
    if (!sameDimension(dimension, dimensions[key])) {
      throw new ExpressionError(
        'WRONG_DIMENSION',
        `the unit of ${key} is '${text}', which is ${describeDimension(dimension)}: name a unit of ${key}`,
        0,
      );
    }
    if (number * factor > 0 && Number.isFinite(number * factor)) return number * factor;
    throw new ExpressionError(
      'INVALID_VALUE',
      `the unit of ${key} is '${text}': it must be positive`,
      0,
    );
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new CorpuscleError(error.code, error.message, { cause: error });
  }
}
