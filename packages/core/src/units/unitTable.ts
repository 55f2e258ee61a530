import { constants } from './constants.js';
import type { Dimension } from './Dimension.js';
import { combineDimensions, dimensions } from './dimensions.js';

/** A unit: what one of it is in SI (m, kg, s, K, C). */
export interface Unit {
  readonly factor: number;
  readonly dimension: Dimension;
}

const table = new Map<string, Unit>();

function define(names: string, factor: number, dimension: Dimension): void {
  for (const name of names.split(' ')) table.set(name, { factor, dimension });
}

// Powers of ten as literals: 1e-10 is the nearest double, 10 ** -10 need not be.
const PREFIXES: readonly (readonly [symbol: string, word: string, power: number])[] = [
  ['f', 'femto', -15],
  ['p', 'pico', -12],
  ['n', 'nano', -9],
  ['u', 'micro', -6],
  ['µ', 'micro', -6],
  ['m', 'milli', -3],
  ['c', 'centi', -2],
  ['k', 'kilo', 3],
  ['M', 'mega', 6],
  ['G', 'giga', 9],
  ['T', 'tera', 12],
];

const times = (mantissa: number, power: number): number => Number(`${mantissa}e${power}`);

/** A unit with every SI prefix: `mantissa` × 10^`exponent`, symbols and long names apart. */
function definePrefixed(
  symbols: string,
  words: string,
  mantissa: number,
  exponent: number,
  dimension: Dimension,
): void {
  const all = [...symbols.split(' '), ...words.split(' ')].filter((name) => name !== '');
  for (const name of all) table.set(name, { factor: times(mantissa, exponent), dimension });
  for (const [symbol, word, power] of PREFIXES) {
    const unit = { factor: times(mantissa, exponent + power), dimension };
    for (const name of symbols.split(' '))
      if (name && !table.has(symbol + name)) table.set(symbol + name, unit);
    for (const name of words.split(' ')) if (name) table.set(word + name, unit);
  }
}

definePrefixed('m', 'meter metre meters metres', 1, 0, dimensions.length);
definePrefixed('s', 'second seconds', 1, 0, dimensions.time);
definePrefixed('g', 'gram grams', 1, -3, dimensions.mass);
definePrefixed('K', 'kelvin Kelvin', 1, 0, dimensions.temperature);
definePrefixed('J', 'joule Joule', 1, 0, dimensions.energy);
definePrefixed('eV', 'electronvolt', 1.602176634, -19, dimensions.energy);
definePrefixed('N', 'newton Newton', 1, 0, dimensions.force);
definePrefixed('Pa', 'pascal Pascal', 1, 0, dimensions.pressure);
definePrefixed('bar', '', 1, 5, dimensions.pressure);
definePrefixed('C', 'coulomb Coulomb', 1, 0, dimensions.charge);
definePrefixed('Hz', 'hertz Hertz', 1, 0, dimensions.frequency);
definePrefixed('L', 'liter litre', 1, -3, dimensions.volume);
definePrefixed('cal', 'calorie', 4.184, 0, dimensions.energy);

define('ang angstrom Angstrom angstroms Å', 1e-10, dimensions.length);
define('bohr Bohr a0', constants.bohrRadius, dimensions.length);
define('min minute', 60, dimensions.time);
define('h hour', 3600, dimensions.time);
define('Da dalton Dalton Daltons amu u', constants.dalton, dimensions.mass);
define('me electron_mass', constants.electronMass, dimensions.mass);
define('Ha hartree Hartree', constants.hartree, dimensions.energy);
define('Ry rydberg Rydberg', constants.hartree / 2, dimensions.energy);
define('erg', 1e-7, dimensions.energy);
define('atm', 101325, dimensions.pressure);
define('e e- elementary_charge', constants.elementaryCharge, dimensions.charge);
define('atomic_time', constants.atomicTime, dimensions.time);
define(
  'kB boltzmann',
  constants.boltzmann,
  combineDimensions(dimensions.energy, 1, dimensions.temperature, -1),
);
define('mol mole', constants.avogadro, dimensions.none);
define('rad radian', 1, dimensions.none);
define('deg degree degrees', Math.PI / 180, dimensions.none);

/** Every unit by name; names are case-sensitive, as in SI. */
export const unitTable: ReadonlyMap<string, Unit> = table;
