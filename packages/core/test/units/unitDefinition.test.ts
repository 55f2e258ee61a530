import { expect, it } from 'vitest';
import { dimensions } from '../../src/units/dimensions.js';
import { UnitSystem } from '../../src/units/UnitSystem.js';

const { energy, pressure } = dimensions;
const noEnergy = UnitSystem.of({ length: 'ang', mass: 'Da', time: 'ps' });
const electron = UnitSystem.of({ length: 'ang', mass: 'Da', time: 'ps', energy: 'eV' });

it.each([-2, -1, 1, 2, 3])('converts energies to the power %i', (power) => {
  const dimension = { length: 2 * power, mass: power, time: -2 * power };
  // e / (Da · 1e4 m²/s²): what one eV is in Da Å²/ps².
  const internal = 1.602176634e-19 / (1.66053906892e-27 * 1e4);
  expect(electron.toInternal(1, dimension) / internal ** power).toBeCloseTo(1, 12);
  expect(electron.fromInternal(internal ** power, dimension)).toBeCloseTo(1, 12);
  expect(noEnergy.toInternal(1, dimension)).toBe(1);
});

it('takes a pressure for an energy per volume where no unit of it is named', () => {
  // 1 eV/Å³ is 160.217 663 4 GPa, 1 Da/(Å ps²) 16.605 390 689 2 MPa.
  expect(electron.fromInternal(electron.parse('160.2176634 GPa', pressure), pressure)).toBeCloseTo(
    1,
    12,
  );
  expect(noEnergy.parse('16.6053906892 MPa', pressure)).toBeCloseTo(1, 12);
  expect(electron.unitName(pressure)).toBe('eV ang^-3');
  expect(noEnergy.unitName(energy)).toBe('Da ang^2 ps^-2');
  expect(noEnergy.fromInternal(noEnergy.parse('1 Da ang^2 ps^-2', energy), energy)).toBe(1);
});

it('gives kelvin and elementary charges where no units of them are named', () => {
  expect(noEnergy.unitName(dimensions.temperature)).toBe('K');
  expect(noEnergy.unitName(dimensions.charge)).toBe('e');
  expect(noEnergy.parse('300 K', dimensions.temperature)).toBe(300);
  expect(noEnergy.parse('1.602176634e-19 C', dimensions.charge)).toBeCloseTo(1, 14);
});

it('computes in the lengths, times, masses and charges of the user: files need no conversion of them', () => {
  const { length, time, mass, charge, velocity, temperature } = dimensions;
  for (const units of ['real', 'metal', 'si', 'lj'].map(UnitSystem.of).concat(noEnergy, electron))
    for (const dimension of [length, time, mass, charge, velocity, temperature])
      expect(units.toInternal(1, dimension)).toBe(1);
});
