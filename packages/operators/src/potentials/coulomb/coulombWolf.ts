import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

const coefficients = {
  alpha: { dimension: dimensions.inverseLength, min: 0, doc: 'damping' },
} as const;

const perRootPi = 1 / Math.sqrt(Math.PI);

/**
 * Wolf's sum of charges in neutral spheres (J. Chem. Phys. 110, 8254, 1999): energies are those of LAMMPS's `pair_style
 * coul/wolf`. Forces are the derivative of the energy, while LAMMPS takes those of `coulomb_dsf`.
 */
export const coulombWolf = definePairPotential({
  name: 'coulomb_wolf',
  doc: 'Adds Wolf’s Coulomb forces, u(r) = q q′ (erfc(alpha r)/r − erfc(alpha rcut)/rcut)/(4 pi epsilon0 dielectric), and the energy of each charge by itself.',
  coefficients,
  charges: true,
  shift: 'energy',
  damping: 'alpha',
  selfEnergy: ({ alpha }) => alpha * perRootPi,
  energy: (r, _alpha, damped) => damped / r,
  force: (r, alpha, damped) =>
    (damped / r + 1.1283791670955126 * alpha * Math.exp(-alpha * alpha * r * r)) / r,
});

/**
 * The damped shifted force of Fennell and Gezelter (J. Chem. Phys. 124, 234104, 2006), as LAMMPS's `pair_style coul/dsf`: Wolf's
 * sum with forces that end at 0.
 */
export const coulombDsf = definePairPotential({
  name: 'coulomb_dsf',
  doc: 'Adds damped shifted Coulomb forces: q q′ erfc(alpha r)/(4 pi epsilon0 dielectric r), shifted so that energy and force are 0 at rcut, and the energy of each charge by itself.',
  coefficients,
  charges: true,
  shift: 'force',
  damping: 'alpha',
  selfEnergy: ({ alpha }) => alpha * perRootPi,
  energy: coulombWolf.energy,
  force: coulombWolf.force,
});
