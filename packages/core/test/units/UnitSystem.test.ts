import { CorpuscleError } from '@corpuscle/functor/error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combineDimensions, dimensions } from '../../src/units/dimensions.js';
import { parseExpression } from '../../src/units/parseExpression.js';
import { UnitSystem } from '../../src/units/UnitSystem.js';
import { unitTable } from '../../src/units/unitTable.js';

const { length, mass, time, energy, force, pressure, temperature, velocity } = dimensions;
const metal = UnitSystem.of('metal');
const real = UnitSystem.of('real');
const custom = UnitSystem.of({
  length: 'angstrom',
  mass: 'Dalton',
  time: 'picosecond',
  energy: 'eV',
  temperature: 'kelvin',
});

const failure = (action: () => unknown): CorpuscleError => {
  try {
    action();
  } catch (error) {
    if (error instanceof CorpuscleError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};
const si = (text: string): number => {
  const { number, factor } = parseExpression(text);
  return number * factor;
};

describe('expressions', () => {
  it.each([
    ['4.0 ang', 4e-10],
    ['1 ps', 1e-12],
    ['pi/4', Math.PI / 4],
    ['1/2 ps', 0.5e-12],
    ['eV.ang/e-^2', (1.602176634e-19 * 1e-10) / 1.602176634e-19 ** 2],
    ['1e-3 eV/ang^2', 1e-3 * 1.602176634e-19 * 1e20],
    ['2^(1/6) * 3.4 ang', 2 ** (1 / 6) * 3.4e-10],
    ['-2^2', -4],
    ['2**-1', 0.5],
    ['sqrt(4 ang^2)', 2e-10],
    ['cbrt(8)', 2],
    ['cos(60 deg)', 0.5],
    ['1 nm + 1 ang', 1.1e-9],
    ['0.2 kcal/mol', (0.2 * 4184) / 6.02214076e23],
    ['3e', 3 * 1.602176634e-19],
    ['5.', 5],
    ['.5', 0.5],
    ['1 µm', 1e-6],
  ])('%s', (text, expected) => {
    expect(si(text) / expected).toBeCloseTo(1, 13);
  });

  it.each([
    ['4 angstrm', 'UNKNOWN_UNIT', 2],
    ['4 eV/angs', 'UNKNOWN_UNIT', 5],
    ['1 ps + 1 ang', 'WRONG_DIMENSION', 5],
    ['2^(1 ps)', 'WRONG_DIMENSION', 1],
    ['exp(1 ps)', 'WRONG_DIMENSION', 0],
    ['4 #', 'SYNTAX', 2],
    ['(4', 'SYNTAX', 2],
    ['4)', 'SYNTAX', 1],
    ['', 'SYNTAX', 0],
    ['2 *', 'SYNTAX', 3],
  ])("'%s' is %s at %i", (text, code, offset) => {
    expect(() => parseExpression(text)).toThrowError(expect.objectContaining({ code, offset }));
  });

  it('suggests the nearest unit', () => {
    expect(() => parseExpression('3 Daltn')).toThrowError(/did you mean 'Dalton'/);
    expect(() => parseExpression('3 angstorm')).toThrowError(/did you mean 'angstrom'/);
  });

  it('evaluates sums and products as JavaScript does', () => {
    const atom = fc.integer({ min: 1, max: 99 }).map(String);
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { depthSize: 'small' },
        atom,
        fc
          .tuple(
            tie('expression'),
            fc.constantFrom('+', '-', '*', '/', ' * ', ' - '),
            tie('expression'),
          )
          .map(([a, sign, b]) => `(${a})${sign}(${b})`),
      ),
    }));
    fc.assert(
      fc.property(expression, (text) => {
        expect(parseExpression(text).number).toBe(new Function(`return ${text}`)());
      }),
    );
  });

  it('multiplies and divides any two units', () => {
    const unit = fc.constantFrom(...unitTable.keys());
    fc.assert(
      fc.property(unit, unit, (a, b) => {
        const { factor, dimension } = parseExpression(`${a}/${b} * ${b}`);
        expect(factor / unitTable.get(a)!.factor).toBeCloseTo(1, 12);
        expect(dimension).toEqual(unitTable.get(a)!.dimension);
      }),
    );
  });
});

describe('UnitSystem', () => {
  it('keeps base units exact', () => {
    expect(metal.parse('4.0 ang', length)).toBe(4);
    expect(metal.parse(4, length)).toBe(4);
    expect(metal.parse('1 ps', time)).toBe(1);
    expect(custom.parse('39.948 Da', mass)).toBe(39.948);
    expect(metal.parse('1 nm', length)).toBeCloseTo(10, 12);
    expect(real.parse('1 ps', time)).toBeCloseTo(1000, 10);
    expect(metal.parse('pi/4', length)).toBe(Math.PI / 4);
  });

  it('converts an energy unit that is not mass length²/time²', () => {
    // 1 eV = 9648.533 Da Å²/ps² (e / (Da · 1e4 m²/s²)).
    const internal = 1.602176634e-19 / (1.66053906892e-27 * 1e4);
    expect(custom.parse('1 eV', energy) / internal).toBeCloseTo(1, 13);
    expect(custom.parse(1, energy)).toBe(custom.parse('1 eV', energy));
    expect(custom.parse(1, force)).toBe(custom.parse('1 eV/ang', force));
    expect(custom.fromInternal(custom.parse('0.5 eV', energy), energy)).toBeCloseTo(0.5, 14);
  });

  it('puts k_B T, kinetic energy and charge in the same internal units', () => {
    // 300 K in eV, CODATA: 8.617333262e-5 eV/K.
    expect(custom.fromInternal(custom.boltzmann * 300, energy)).toBeCloseTo(
      300 * 8.617333262e-5,
      11,
    );
    // e²/(4πε₀) = 14.39964547 eV Å (CODATA 2022).
    expect(custom.fromInternal(custom.coulomb, energy)).toBeCloseTo(14.39964547, 8);
    // An argon atom at 1 Å/ps: m v²/2 = 0.5 · 39.948 Da Å²/ps² = 2.0702e-3 eV.
    expect(custom.fromInternal(0.5 * 39.948, energy)).toBeCloseTo(0.5 * 39.948 * 1.03642696e-4, 9);
  });

  // docs.lammps.org/units.html, with the constants of its Update::set_units, which are in its output too.
  it.each([
    ['real', 0.0019872067, 332.06371, 48.88821291 ** 2, 68568.415],
    ['metal', 8.617343e-5, 14.399645, 1.0364269e-4, 1.6021765e6],
    ['si', 1.3806504e-23, 8.9876e9, 1, 1],
  ])('has the constants of LAMMPS in %s', (name, boltzmann, coulomb, kinetic, density) => {
    const units = UnitSystem.of(name);
    const of = (value: number) => units.fromInternal(value, energy);
    expect(of(units.boltzmann) / boltzmann).toBeCloseTo(1, 14);
    expect(of(units.coulomb) / coulomb).toBeCloseTo(1, 14);
    expect(of(1) / kinetic).toBeCloseTo(1, 14);
    expect(units.fromInternal(1, pressure) / of(1) / density).toBeCloseTo(1, 14);
  });

  it('takes texts in the units of a named system as plain numbers', () => {
    expect(metal.parse('2.5 eV', energy)).toBe(metal.parse(2.5, energy));
    expect(real.parse('1 atm', pressure)).toBe(real.parse(1, pressure));
    expect(real.fromInternal(real.parse('1 eV', energy), energy)).toBeCloseTo(23.0605478, 7);
  });

  it('takes pressures in the unit of the system, else energy per volume', () => {
    expect(metal.fromInternal(metal.parse('1 eV/ang^3', pressure), pressure)).toBeCloseTo(
      1602176.634,
      3,
    );
    expect(custom.fromInternal(custom.parse('1 eV/ang^3', pressure), pressure)).toBeCloseTo(1, 13);
    expect(metal.unitName(pressure)).toBe('bar');
    expect(custom.unitName(force)).toBe('eV angstrom^-1');
    expect(real.unitName(velocity)).toBe('ang fs^-1');
    expect(real.unitName(energy)).toBe('kcal/mol');
    expect(UnitSystem.lj.unitName(energy)).toBe('');
  });

  it('takes powers of a pressure in its unit: compressibilities, products of stresses', () => {
    const { compressibility } = dimensions;
    expect(metal.parse(4.5e-5, compressibility)).toBe(
      metal.parse('4.5e-5 bar^-1', compressibility),
    );
    expect(real.parse(4.5e-5, compressibility)).toBe(real.parse('4.5e-5/atm', compressibility));
    expect(metal.parse(2, compressibility) * metal.parse(0.5, pressure)).toBeCloseTo(1, 14);
    const square = combineDimensions(pressure, 2);
    expect(real.parse(3, square)).toBeCloseTo(3 * real.parse(1, pressure) ** 2, 25);
    expect(real.unitName(compressibility)).toBe('atm^-1');
    expect(custom.unitName(compressibility)).toBe('eV^-1 angstrom^3');
  });

  it('every unit name it prints reads back as 1', () => {
    for (const system of [metal, real, custom, UnitSystem.of('si')]) {
      for (const dimension of Object.values(dimensions)) {
        const name = system.unitName(dimension);
        if (name === '') continue;
        const value = system.fromInternal(system.parse(`1 ${name}`, dimension), dimension);
        expect(value, `${system.name} ${name}`).toBeCloseTo(1, 12);
      }
    }
  });

  it('goes in and out without change', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.constantFrom(...Object.values(dimensions)),
        fc.constantFrom(metal, real, custom, UnitSystem.lj),
        (value, dimension, system) => {
          const back = system.fromInternal(system.toInternal(value, dimension), dimension);
          expect(back / value).toBeCloseTo(1, 14);
        },
      ),
    );
  });

  it('takes plain numbers only in lj', () => {
    const { lj } = UnitSystem;
    expect(lj.parse(2.5, length)).toBe(2.5);
    expect(lj.parse('pi/4', energy)).toBe(Math.PI / 4);
    expect(lj.boltzmann).toBe(1);
    expect(failure(() => lj.parse('3 angstrom', length)).code).toBe('UNKNOWN_UNIT');
    expect(lj.parse('180 deg', dimensions.none)).toBeCloseTo(Math.PI, 15);
  });

  it('refuses wrong dimensions and unknown units', () => {
    const wrong = failure(() => metal.parse('4 ps', length));
    expect(wrong.code).toBe('WRONG_DIMENSION');
    expect(wrong.message).toBe("'4 ps' is a time, but a length is expected: write e.g. '1 ang'");
    expect(failure(() => metal.parse('1 ang/ang', length)).code).toBe('WRONG_DIMENSION');
    expect(failure(() => metal.parse('1 ang', dimensions.none)).code).toBe('WRONG_DIMENSION');
    expect(failure(() => metal.parse('300 Kelvn', temperature)).code).toBe('UNKNOWN_UNIT');
  });

  it('refuses unit definitions that make no sense', () => {
    expect(failure(() => UnitSystem.of('metall')).code).toBe('INVALID_VALUE');
    expect(failure(() => UnitSystem.of({ length: 'ps', mass: 'Da', time: 'ps' })).code).toBe(
      'WRONG_DIMENSION',
    );
    expect(failure(() => UnitSystem.of({ length: 'ang', mass: 'Dolton', time: 'ps' })).code).toBe(
      'UNKNOWN_UNIT',
    );
    expect(failure(() => UnitSystem.of({ length: '0 ang', mass: 'Da', time: 'ps' })).code).toBe(
      'INVALID_VALUE',
    );
  });
});
