import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/**
 * Ziegler, Biersack and Littmark's screened repulsion of nuclei (The Stopping and Range of Ions in Matter, 1985), as LAMMPS's
 * `pair_style zbl`: its `inner` is switch_from, its `outer` rcut, and its switching the default window.
 */
export const zbl = definePairPotential({
  name: 'zbl',
  doc: 'Adds ZBL forces, u(r) = Z Z′ e²/(4 pi epsilon0 r) phi(r/a) with a = 0.4685 Å/(Z^0.23 + Z′^0.23), switched off from switch_from to rcut.',
  coefficients: {
    z_i: {
      dimension: dimensions.none,
      above: 0,
      doc: 'atomic number of the first type',
      mixes: 'first',
    },
    z_j: {
      dimension: dimensions.none,
      above: 0,
      doc: 'atomic number of the second type',
      mixes: 'second',
    },
  },
  mixing: ['atomic_numbers'],
  switching: 'force',
  numbers({ z_i, z_j }, units) {
    const angstrom = units.isReduced ? 1 : units.parse('1 angstrom', dimensions.length);
    const e = units.isReduced ? 1 : units.parse('1 elementary_charge', dimensions.charge);
    return [units.coulomb * e * e * z_i * z_j, (z_i ** 0.23 + z_j ** 0.23) / (0.4685 * angstrom)];
  },
  energy: (r, strength, k) => {
    const x = k * r;
    const phi =
      0.18175 * Math.exp(-3.1998 * x) +
      0.50986 * Math.exp(-0.94229 * x) +
      0.28022 * Math.exp(-0.4029 * x) +
      0.02817 * Math.exp(-0.20162 * x);
    return (strength * phi) / r;
  },
  force: (r, strength, k) => {
    const x = k * r;
    const [a, b] = [0.18175 * Math.exp(-3.1998 * x), 0.50986 * Math.exp(-0.94229 * x)];
    const [c, d] = [0.28022 * Math.exp(-0.4029 * x), 0.02817 * Math.exp(-0.20162 * x)];
    const slope = 3.1998 * a + 0.94229 * b + 0.4029 * c + 0.20162 * d;
    return (strength * ((a + b + c + d) / r + k * slope)) / r;
  },
});
