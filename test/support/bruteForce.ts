import type { Domain } from '@corpuscle/core';

export interface BruteForce {
  readonly energy: number;
  readonly virial: readonly number[];
  readonly forces: Float64Array;
}

/**
 * Every pair once, nearest images, written down straight from the definition of the potential: the oracle of lists,
 * boundaries, types and shifts.
 */
export function bruteForceLennardJones(
  domain: Domain,
  position: Float64Array,
  parameters: (
    i: number,
    j: number,
  ) => { readonly epsilon: number; readonly sigma: number; readonly rcut: number },
  shift: 'none' | 'energy' | 'force' = 'none',
): BruteForce {
  const count = position.length / 3;
  const forces = new Float64Array(position.length);
  const virial = [0, 0, 0, 0, 0, 0];
  let energy = 0;
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) {
      const d = domain.minimumImage(
        position[3 * i]! - position[3 * j]!,
        position[3 * i + 1]! - position[3 * j + 1]!,
        position[3 * i + 2]! - position[3 * j + 2]!,
      );
      const r = Math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2);
      const { epsilon, sigma, rcut } = parameters(i, j);
      if (r >= rcut) continue;
      const u = (x: number) => 4 * epsilon * ((sigma / x) ** 12 - (sigma / x) ** 6);
      const slope = (x: number) =>
        (4 * epsilon * (-12 * (sigma / x) ** 12 + 6 * (sigma / x) ** 6)) / x;
      energy += u(r);
      if (shift !== 'none') energy -= u(rcut);
      if (shift === 'force') energy -= (r - rcut) * slope(rcut);
      const force = -(slope(r) - (shift === 'force' ? slope(rcut) : 0)) / r;
      for (let a = 0; a < 3; a++) {
        forces[3 * i + a] = forces[3 * i + a]! + force * d[a]!;
        forces[3 * j + a] = forces[3 * j + a]! - force * d[a]!;
      }
      const products = [
        d[0] * d[0],
        d[1] * d[1],
        d[2] * d[2],
        d[0] * d[1],
        d[0] * d[2],
        d[1] * d[2],
      ];
      products.forEach((product, k) => {
        virial[k] = virial[k]! + force * product;
      });
    }
  return { energy, virial, forces };
}
