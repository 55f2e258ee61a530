import { CorpuscleError } from '@corpuscle/functor/error';
import { describeDimension, dimensions, sameDimension } from './dimensions.js';
import { ExpressionError } from './ExpressionError.js';
import { parseExpression } from './parseExpression.js';

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

/** What joins the units of a system, in these units. Absent: as CODATA has it. */
export interface UnitConstants {
  /** One mass·length²/time², an energy. */
  readonly kinetic: number;
  /** The Boltzmann constant, energy/temperature. */
  readonly boltzmann: number;
  /** 1/(4πε₀), energy·length/charge². */
  readonly coulomb: number;
  /** One energy/length³, a pressure. */
  readonly pressure: number;
}

/**
 * Unit systems with a name, after LAMMPS; `lj` is the reduced one. They are joined by the constants of LAMMPS
 * (docs.lammps.org/units.html; its `Update::set_units`), which are the same in all its versions: runs have the same numbers.
 */
export const namedUnits: Readonly<
  Record<string, { readonly units: UnitDefinition; readonly constants: UnitConstants }>
> = {
  real: {
    units: { length: 'ang', mass: 'g/mol', time: 'fs', energy: 'kcal/mol', pressure: 'atm' },
    constants: {
      kinetic: 48.88821291 ** 2,
      boltzmann: 0.0019872067,
      coulomb: 332.06371,
      pressure: 68568.415,
    },
  },
  metal: {
    units: { length: 'ang', mass: 'g/mol', time: 'ps', energy: 'eV', pressure: 'bar' },
    constants: {
      kinetic: 1.0364269e-4,
      boltzmann: 8.617343e-5,
      coulomb: 14.399645,
      pressure: 1.6021765e6,
    },
  },
  si: {
    units: { length: 'm', mass: 'kg', time: 's', charge: 'C' },
    constants: { kinetic: 1, boltzmann: 1.3806504e-23, coulomb: 8.9876e9, pressure: 1 },
  },
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

/** The user's unit, or its default. Without a unit of its own a pressure is an energy per volume, and never asked for. */
export function unitText(key: UnitName, definition: UnitDefinition): string {
  const given = definition[key];
  if (given !== undefined) return given;
  if (key === 'temperature') return 'K';
  if (key === 'charge') return 'e';
  return `${definition.mass} ${definition.length}^2 ${definition.time}^-2`;
}

/** SI values of all units; a pressure only where the definition names one. */
export type SiUnits = Readonly<Record<Exclude<UnitName, 'pressure'>, number>> & {
  readonly pressure?: number;
};

/** SI values of the units of `lj`: all 1. */
export const REDUCED: SiUnits = {
  length: 1,
  mass: 1,
  time: 1,
  energy: 1,
  temperature: 1,
  charge: 1,
};

/** Every unit of a definition in SI. @throws CorpuscleError UNKNOWN_UNIT, WRONG_DIMENSION, INVALID_VALUE */
export function inSi(definition: UnitDefinition): SiUnits {
  const si = (key: UnitName) => unitInSi(key, unitText(key, definition));
  const [length, mass, time] = [si('length'), si('mass'), si('time')];
  return {
    length,
    mass,
    time,
    energy: definition.energy === undefined ? length ** 2 * mass * time ** -2 : si('energy'),
    temperature: si('temperature'),
    charge: si('charge'),
    ...(definition.pressure !== undefined && { pressure: si('pressure') }),
  };
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
