import { CorpuscleError, type Grid } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/patterns';
import { bondsOf } from '../../bonds/bondParticles.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { pairForceTerm } from '../pair/pairForceTerm.js';
import { forceOutputs, virials } from '../pair/pairOutputs.js';

/**
 * Harmonic bonds, u = k (r − r0)². The weight of a pair is the kind of its bond plus one, and 0 without; `found` counts
 * bonds, half for each particle.
 */
export const harmonicBond = pairFunctor(
  {
    name: 'harmonic_bond',
    central: { ...forceOutputs, found: 'real' },
    derived: virials,
    params: { k: 'real[]', r0: 'real[]' },
    traits: { newton3: true, needsPairWeights: true },
  },
  (i, _j, d, p, h) => {
    if (d.weight > 0) {
      const kind = h.u32(d.weight) - 1;
      const r = Math.sqrt(d.r2);
      const stretch = r - p.r0[kind]!;
      const tension = p.k[kind]! * stretch;
      const f = (-2 * tension) / r;
      i.fx += f * d.x;
      i.fy += f * d.y;
      i.fz += f * d.z;
      i.ep += 0.5 * tension * stretch;
      i.found += 0.5;
    }
  },
);

/** Of one kind of bonds. */
export interface HarmonicBondCoefficients {
  /** u = k (r − r0)²: half of the spring constant. */
  readonly k: number;
  readonly r0: number;
}

/** The coefficients of harmonic bonds, in simulation units. */
export interface HarmonicBondOptions {
  /** One set of coefficients for each kind of bond, from kind 0. */
  readonly kinds: readonly HarmonicBondCoefficients[];
  /** Bonds are found up to this length; a longer one is an error. */
  readonly rcut: number;
}

/**
 * The force term of harmonic bonds between the particles that `bondParticles` named.
 *
 * @throws CorpuscleError INVALID_VALUE when a bond is of a kind that has no coefficients; from its totals BOND_TOO_LONG.
 * @example
 * bondParticles(grid, [{ ids: [0, 1] }]);
 * const term = harmonicBondForce({ kinds: [{ k: 100, r0: 1.1 }], rcut: 1.8 });
 */
export function harmonicBondForce({ kinds, rcut }: HarmonicBondOptions): ForceTerm {
  const params = { k: kinds.map(({ k }) => k), r0: kinds.map(({ r0 }) => r0) };
  let count = 0;
  const weights = (grid: Grid) => {
    const bonded = bondsOf(grid);
    count = bonded?.bonds.length ?? 0;
    const lost = bonded?.bonds.find(({ kind = 0 }) => kind >= kinds.length);
    if (!lost) return bonded?.kinds ?? NONE;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the bond ${lost.ids.join('-')} is of kind ${lost.kind! + 1}, and there are ${kinds.length} kinds: give its k and r0`,
    );
  };
  const term = pairForceTerm(harmonicBond, rcut, params, { weights });
  return {
    ...term,
    totals(values) {
      const missing = count - Math.round(values.found!);
      if (missing === 0) return term.totals(values);
      throw new CorpuscleError(
        'BOND_TOO_LONG',
        `${missing} of ${count} bonds ${missing === 1 ? 'is' : 'are'} longer than rcut ${rcut}: raise rcut of the bonds, or check time step and start`,
      );
    },
  };
}

/** No bonds at all. */
const NONE = {
  count: 0,
  first: [0, 0],
  partner: [0, 0],
  weight: [0, 0],
  onlyExclusions: false,
  others: 0,
};
