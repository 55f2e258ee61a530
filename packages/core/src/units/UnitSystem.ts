import { CorpuscleError } from '@corpuscle/functor/error';
import { constants } from './constants.js';
import type { Dimension } from './Dimension.js';
import { describeDimension, sameDimension } from './dimensions.js';
import { ExpressionError } from './ExpressionError.js';
import { parseExpression } from './parseExpression.js';
import {
  inSi,
  namedUnits,
  REDUCED,
  type SiUnits,
  type UnitConstants,
  type UnitDefinition,
  type UnitName,
  unitText,
} from './unitDefinition.js';

/**
 * The units a simulation is written in, and the internal ones it computes in.
 *
 * Internal units are coherent: length, mass, time, temperature and charge are the user's, and energy is
 * mass·length²/time² of those, so that no kernel contains a conversion factor. Where the user's energy unit is another
 * (angstrom, Dalton, picosecond with eV: 1 eV is 9648.53 Da·Å²/ps²), energies are converted on the way in and out:
 *
 *   a number without unit is in the user's units:
 *     dimension  mass^m time^(−2m) length^l   →  energy^m · length^(l − 2m)     energies, forces (energy/length), stiffness
 *     pressure^m, a compressibility too       →  `pressure`^m if given, else (energy/length³)^m
 *     anything else                           →  product of length, mass, time, temperature, charge
 *
 * A text with a unit becomes a number in the user's units first: '1 eV' is 1 in `metal`. The named systems are joined by the
 * constants of LAMMPS, systems of given units by those of CODATA 2022 (units/constants.ts); they differ by 1.2e-6 at most, 5e-6 in
 * the Coulomb constant of `si`.
 *
 * In `lj` everything is a plain number, k_B = 1 and 1/(4πε₀) = 1; a unit is an error (angles in `deg` are allowed).
 *
 * @example
 * const units = UnitSystem.of('metal');
 * units.parse('3.4 ang', dimensions.length);        // 3.4
 * units.fromInternal(energy, dimensions.energy);    // in eV
 */
export class UnitSystem {
  readonly name: string;
  /** Whether quantities are reduced (`lj`), so that units have no meaning. */
  readonly isReduced: boolean;
  /** Boltzmann constant in internal units: energy/temperature. */
  readonly boltzmann: number;
  /** 1/(4πε₀) in internal units: energy·length/charge². */
  readonly coulomb: number;
  readonly definition: UnitDefinition | null;
  #si: SiUnits;
  /** The user's energy and pressure in internal units. */
  #energy: number;
  #pressure: number;

  private constructor(name: string, definition: UnitDefinition | null, joined?: UnitConstants) {
    this.name = name;
    this.definition = definition;
    this.isReduced = definition === null;
    this.#si = definition === null ? REDUCED : inSi(definition);
    const { length, mass, time, temperature, charge, pressure = 1 } = this.#si;
    const energy = (mass * length * length) / (time * time);
    if (joined) {
      this.#energy = 1 / joined.kinetic;
      this.#pressure = 1 / (joined.kinetic * joined.pressure);
      this.boltzmann = joined.boltzmann / joined.kinetic;
      this.coulomb = joined.coulomb / joined.kinetic;
      return;
    }
    const ratio = this.#si.energy / energy;
    // "Da ang^2/ps^2" differs from the coherent unit by rounding only.
    this.#energy = Math.abs(ratio - 1) < 1e-13 ? 1 : ratio;
    this.#pressure = (pressure * length ** 3) / energy;
    this.boltzmann = this.isReduced ? 1 : (constants.boltzmann * temperature) / energy;
    this.coulomb = this.isReduced
      ? 1
      : (charge * charge) / (4 * Math.PI * constants.permittivity * energy * length);
  }

  /** Reduced units: mass, length and energy of the Lennard-Jones model are 1. */
  static readonly lj = new UnitSystem('lj', null);

  /**
   * A named system (`lj`, `real`, `metal`, `si`) or one of given units.
   * @throws CorpuscleError UNKNOWN_UNIT, WRONG_DIMENSION, INVALID_VALUE
   */
  static of(definition: string | UnitDefinition): UnitSystem {
    if (definition === 'lj') return UnitSystem.lj;
    if (typeof definition !== 'string') return new UnitSystem('custom', definition);
    const named = namedUnits[definition];
    if (named) return new UnitSystem(definition, named.units, named.constants);
    throw new CorpuscleError(
      'INVALID_VALUE',
      `unknown unit system '${definition}': use lj, ${Object.keys(namedUnits).join(', ')} or { length: …, mass: …, time: … }`,
    );
  }

  /** A number in the user's units to internal units. */
  toInternal(value: number, dimension: Dimension): number {
    return value * this.#userFactor(dimension);
  }

  /** A number in internal units to the user's, for output. */
  fromInternal(value: number, dimension: Dimension): number {
    return value / this.#userFactor(dimension);
  }

  /**
   * Internal value of a number or text such as `"4.0 ang"`; a number without unit is in the user's units.
   * @throws CorpuscleError SYNTAX, UNKNOWN_UNIT, WRONG_DIMENSION
   */
  parse(text: string | number, dimension: Dimension): number {
    try {
      return this.parseOrThrow(text, dimension);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new CorpuscleError(error.code, error.message, { cause: error });
    }
  }

  /** As `parse`, but mistakes are ExpressionErrors that say where in the text they are. */
  parseOrThrow(text: string | number, dimension: Dimension): number {
    if (typeof text === 'number') return this.toInternal(text, dimension);
    const quantity = parseExpression(text);
    const { number, factor } = quantity;
    if (!quantity.hasUnit) return this.toInternal(number, dimension);
    if (!sameDimension(quantity.dimension, dimension)) {
      throw new ExpressionError(
        'WRONG_DIMENSION',
        `'${text}' is ${describeDimension(quantity.dimension)}, but ${describeDimension(dimension)} is expected${this.#advice(dimension)}`,
        0,
      );
    }
    if (sameDimension(dimension, {})) return number * factor;
    if (this.isReduced) {
      throw new ExpressionError(
        'UNKNOWN_UNIT',
        `'${text}' has a unit, but configuration.units is lj: write a plain number, or choose other units`,
        0,
      );
    }
    return number * (factor / this.#userInSi(dimension)) * this.#userFactor(dimension);
  }

  /** The user's unit of a dimension: `eV/ang`; empty in `lj` and for plain numbers. */
  unitName(dimension: Dimension): string {
    const { definition } = this;
    if (!definition || sameDimension(dimension, {})) return '';
    return this.#factors(dimension)
      .filter(([, exponent]) => exponent !== 0)
      .map(([key, exponent]) => {
        const name = unitText(key, definition);
        const atom = /[/*. ]/.test(name) && exponent !== 1 ? `(${name})` : name;
        return exponent === 1 ? atom : `${atom}^${exponent}`;
      })
      .join(' ');
  }

  #advice(dimension: Dimension): string {
    if (this.isReduced || sameDimension(dimension, {})) return ': write a plain number';
    return `: write e.g. '1 ${this.unitName(dimension)}'`;
  }

  /** The user's units that make up a dimension, with exponents. */
  #factors(dimension: Dimension): readonly (readonly [UnitName, number])[] {
    const { length = 0, mass = 0, time = 0, temperature = 0, charge = 0 } = dimension;
    const rest = [
      ['temperature', temperature],
      ['charge', charge],
    ] as const;
    if (mass !== 0 && time === -2 * mass) {
      if (this.#si.pressure !== undefined && length === -mass) return [['pressure', mass], ...rest];
      return [['energy', mass], ['length', length - 2 * mass], ...rest];
    }
    return [['mass', mass], ['length', length], ['time', time], ...rest];
  }

  #userFactor(dimension: Dimension): number {
    if (this.isReduced) return 1;
    const { mass = 0 } = dimension;
    const factors = this.#factors(dimension);
    // Without an energy among them the user's units are the internal ones, without rounding.
    if (factors[0]![0] === 'mass') return 1;
    return (factors[0]![0] === 'pressure' ? this.#pressure : this.#energy) ** mass;
  }

  /** The user's unit of a dimension in SI. */
  #userInSi(dimension: Dimension): number {
    let factor = 1;
    for (const [key, exponent] of this.#factors(dimension))
      if (exponent !== 0) factor *= this.#si[key]! ** exponent;
    return factor;
  }
}
