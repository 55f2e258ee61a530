import { dimensions, type UnitSystem } from '@corpuscle/core';
import { isElement } from '../chemicalElements.js';

/** How columns are called; `ase` adds what ASE looks for. */
export const xyzConventions = ['auto', 'ase', 'plain'] as const;
/** How columns are called. */
export type XyzConvention = (typeof xyzConventions)[number];

/**
 * The factor from velocities of the user to those of ASE, √(eV/Da); null where ASE would take numbers for others: it
 * reads ångström, eV and Dalton, and plain numbers as they are.
 *
 * A coherent energy is Da·v², so that eV/(Da·v²) = v_ASE²/v².
 */
export function aseVelocity(units: UnitSystem): number | null {
  if (units.isReduced) return 1;
  const one = (text: string, dimension: object) =>
    Math.abs(units.fromInternal(units.parse(text, dimension), dimension) - 1) < 1e-9;
  const matches =
    one('1 ang', dimensions.length) &&
    one('1 Da', dimensions.mass) &&
    one('1 eV', dimensions.energy);
  return matches ? Math.sqrt(units.fromInternal(1, dimensions.energy)) : null;
}

/** Whether `auto` means `ase`: for names and units that ASE can read. */
export const canBeAse = (species: readonly string[], units: UnitSystem): boolean =>
  species.length > 0 && species.every(isElement) && aseVelocity(units) !== null;
