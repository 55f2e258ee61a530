import { describe, expect, it } from 'vitest';
import { constants } from '../../src/units/constants.js';
import { dimensions } from '../../src/units/dimensions.js';
import { UnitSystem } from '../../src/units/UnitSystem.js';
import { unitTable } from '../../src/units/unitTable.js';

const factor = (name: string) => unitTable.get(name)!.factor;

describe('CODATA 2022 constants fit each other', () => {
  const hbar = constants.planck / (2 * Math.PI);
  const { hartree, electronMass, bohrRadius, elementaryCharge, permittivity } = constants;

  // The published values agree to about ten digits; a wrong digit or power shows at once.
  it.each([
    ['the Hartree energy is ħ²/(mₑ a₀²)', hartree, hbar ** 2 / (electronMass * bohrRadius ** 2)],
    ['the atomic time is ħ/E_h', constants.atomicTime, hbar / hartree],
    [
      'the Hartree energy is e²/(4πε₀ a₀)',
      hartree,
      elementaryCharge ** 2 / (4 * Math.PI * permittivity * bohrRadius),
    ],
    // mₑ = 5.485 799 090 441e-4 u (CODATA 2022)
    ['the electron mass in u', electronMass, 5.485799090441e-4 * constants.dalton],
    // the gas constant 8.314 462 618 153 24 J/(mol K), exact
    ['k_B N_A is the gas constant', constants.boltzmann * constants.avogadro, 8.31446261815324],
  ])('%s', (_name, value, expected) => {
    expect(value / expected).toBeCloseTo(1, 9);
  });
});

describe('units match published values', () => {
  it.each([
    // NIST: 1 Ry = 13.605 693 122 990 eV, 1 Ha = 27.211 386 245 981 eV (CODATA 2022)
    ['Ry', 'eV', 13.60569312299],
    ['Ha', 'eV', 27.211386245981],
    // NIST SP 811, appendix B.8
    ['atm', 'Pa', 101325],
    ['bar', 'Pa', 100000],
    ['erg', 'J', 1e-7],
    ['cal', 'J', 4.184],
    ['h', 's', 3600],
    ['min', 's', 60],
    ['ang', 'nm', 0.1],
    // CODATA 2022: 2.418 884 326 5864e-17 s
    ['atomic_time', 's', 2.4188843265864e-17],
    ['bohr', 'ang', 0.529177210544],
    ['me', 'Da', 5.485799090441e-4],
  ])('%s in %s', (unit, other, value) => {
    expect(factor(unit) / factor(other) / value).toBeCloseTo(1, 9);
  });
});

it('takes atmospheres as pressures of the real units', () => {
  const real = UnitSystem.of('real');
  expect(real.parse('101325 Pa', dimensions.pressure)).toBeCloseTo(
    real.parse(1, dimensions.pressure),
    20,
  );
});
