import { pairFunctor } from '@corpuscle/patterns';
import { type CutoffShift, forceOutputs, shortestTable, virials } from '../pair/pairOutputs.js';

const cube = (x: number): number => x * x * x;

/**
 * Lennard-Jones between particles of several types: u(r) = 4ε ((σ/r)¹² − (σ/r)⁶) for r < rcut.
 *
 * Tables have one number for each ordered pair of types, at [type_i · types + type_j]; a table of one number serves
 * every pair and costs nothing. The cutoff may shift the energy, or force and energy:
 *
 *   u_shifted(r) = u(r) − offset − slope · r        force shift: slope = u′(rcut), offset = u(rcut) − rcut · u′(rcut)
 *
 * `ep` is the energy of a particle, half of each of its pairs'; vxx … vyz are its share of the virial Σ d_a F_b, also
 * half of each pair's. Outputs that are not asked for are not computed.
 */
export const lennardJones = pairFunctor(
  {
    name: 'lennard_jones',
    central: forceOutputs,
    derived: virials,
    read: { type: 'u32' },
    neighbor: { type: 'u32' },
    params: {
      types: 'u32',
      epsilon: 'real[]',
      sigma2: 'real[]',
      rcut2: 'real[]',
      offset: 'real[]',
      slope: 'real[]',
      forceShift: 'u32', // whether any slope differs from 0; saves the square root where none does
    },
    helpers: { cube },
    traits: { newton3: true },
  },
  (i, j, d, p, h) => {
    const pair = i.type * p.types + j.type;
    if (d.r2 < p.rcut2[pair]!) {
      const inverse = 1 / d.r2;
      const s6 = h.cube(p.sigma2[pair]! * inverse);
      let f = (48 * p.epsilon[pair]! * s6 - 24 * p.epsilon[pair]!) * (s6 * inverse); // −u′(r) / r
      let e = 2 * p.epsilon[pair]! * s6 * (s6 - 1) - 0.5 * p.offset[pair]!;
      if (p.forceShift !== 0) {
        const r = Math.sqrt(d.r2);
        f += p.slope[pair]! / r;
        e -= 0.5 * p.slope[pair]! * r;
      }
      i.fx += f * d.x;
      i.fy += f * d.y;
      i.fz += f * d.z;
      i.ep += e;
    }
  },
);

/** What is done to the potential at the cutoff. */
export type LennardJonesShift = CutoffShift;

/**
 * Parameters of {@link lennardJones}: tables of epsilon, sigma and rcut over ordered pairs of types, row by row
 * (types² numbers each), in simulation units. Tables that do not depend on the pair become one number.
 *
 * @example one type
 * lennardJonesParameters({ epsilon: [1], sigma: [1], rcut: [2.5] }, 'none')
 */
export function lennardJonesParameters(
  tables: {
    readonly epsilon: ArrayLike<number>;
    readonly sigma: ArrayLike<number>;
    readonly rcut: ArrayLike<number>;
  },
  shift: LennardJonesShift,
) {
  const epsilon = Array.from(tables.epsilon);
  const rcut = Array.from(tables.rcut);
  const s6 = rcut.map((r, k) => (tables.sigma[k]! / r) ** 6);
  const slope = rcut.map((r, k) =>
    shift === 'force' ? (-24 * epsilon[k]! * s6[k]! * (2 * s6[k]! - 1)) / r : 0,
  );
  const offset = rcut.map((r, k) =>
    shift === 'none' ? 0 : 4 * epsilon[k]! * s6[k]! * (s6[k]! - 1) - r * slope[k]!,
  );
  return {
    types: Math.round(Math.sqrt(epsilon.length)),
    epsilon: shortestTable(epsilon),
    sigma2: shortestTable(Array.from(tables.sigma, (sigma) => sigma * sigma)),
    rcut2: shortestTable(rcut.map((r) => r * r)),
    offset: shortestTable(offset),
    slope: shortestTable(slope),
    forceShift: shift === 'force' ? 1 : 0,
  };
}
