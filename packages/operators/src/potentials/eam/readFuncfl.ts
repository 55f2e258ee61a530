import type { TableUnits } from '../tabulated/readPairTable.js';
import type { SetflTables } from './readSetfl.js';
import type { TableLines } from './TableLines.js';

/** eV Å for the square of an effective charge, with the digits of LAMMPS. */
const CHARGES = 27.2 * 0.529;

/** Whether the second and the third line of a file are those of the format `funcfl`: `Z mass a lattice`, `Nrho drho Nr dr cutoff`. */
export function isFuncfl(second: readonly string[], third: readonly string[]): boolean {
  const [number, mass, constant] = second.map(Number);
  const isElement = Number.isInteger(number) && number! > 0 && mass! > 0 && constant! > 0;
  return isElement && third.slice(0, 5).every((word) => Number(word) > 0) && third.length >= 5;
}

/**
 * Reads what follows of a file in the format `funcfl` (`.eam`), which is of one element, as LAMMPS's `pair_style eam` does:
 *
 *   a comment · Z mass a lattice · Nrho drho Nr dr cutoff · F(ρ) Nrho times, Z(r) Nr times, ρ(r) Nr times
 *
 * r φ(r) is the square of the effective charge Z(r). The element has no name: all types are of it.
 */
export function readFuncfl(
  lines: TableLines,
  sizes: readonly string[],
  { length, energy }: TableUnits,
): SetflTables {
  const { densities, densitySpacing, radii, spacing, rcut } = lines.sizes(sizes, 3);
  // LAMMPS leaves the last point of each table out.
  const table = (count: number, what: string, factor: number) =>
    lines.numbers(count, what, factor).subarray(0, count - 1);
  const embedding = table(densities, 'F(ρ)', energy);
  const charge = table(radii, 'Z(r)', 1);
  const density = table(radii, 'the density', 1);
  return {
    elements: [],
    rcut: rcut * length,
    densitySpacing,
    spacing: spacing * length,
    embedding: [embedding],
    density: [density],
    pair: [charge.map((z) => CHARGES * energy * length * z * z)],
  };
}
