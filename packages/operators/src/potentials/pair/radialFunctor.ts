import { type PairFunctor, pairFunctor } from '@corpuscle/patterns';
import { forceOutputs, type pairOutputs, virials } from './pairOutputs.js';
import { energyOf, forceOf } from './radialHelpers.js';

/** A function of the distance and of coefficients, in their order. */
export type RadialFunction = (r: number, ...coefficients: number[]) => number;

/** Parameters of radial functors: tables have one number for each ordered pair of types, or one for all. */
export const radialParams = {
  types: 'u32',
  c0: 'real[]',
  c1: 'real[]',
  c2: 'real[]',
  c3: 'real[]',
  c4: 'real[]',
  c5: 'real[]',
  rcut2: 'real[]',
  offset: 'real[]',
  slope: 'real[]',
} as const;

export type RadialFunctor = PairFunctor<typeof pairOutputs, typeof radialParams>;

/**
 * The functor of a pair potential that is given by u(r) and −u′(r). The cutoff may shift it:
 *
 *   u_shifted(r) = u(r) − offset − slope · r        force shift: slope = u′(rcut), offset = u(rcut) − rcut · u′(rcut)
 *
 * Energy and force are functions of their own, so that steps that need forces only do not compute the energy.
 */
export function radialFunctor(
  name: string,
  count: number,
  energy: RadialFunction,
  force: RadialFunction,
): RadialFunctor {
  return pairFunctor(
    {
      name,
      central: forceOutputs,
      derived: virials,
      read: { type: 'u32' },
      neighbour: { type: 'u32' },
      params: radialParams,
      helpers: { energy, force, energyOf: energyOf[count]!, forceOf: forceOf[count]! },
      traits: { newton3: true },
    },
    (i, j, d, p, h) => {
      const k = i.type * p.types + j.type;
      if (d.r2 < p.rcut2[k]!) {
        const r = Math.sqrt(d.r2);
        const [a, b, c] = [p.c0[k]!, p.c1[k]!, p.c2[k]!];
        const [x, y, z] = [p.c3[k]!, p.c4[k]!, p.c5[k]!];
        const f = (h.forceOf(r, a, b, c, x, y, z, h) + p.slope[k]!) / r;
        i.fx += f * d.x;
        i.fy += f * d.y;
        i.fz += f * d.z;
        i.ep += 0.5 * (h.energyOf(r, a, b, c, x, y, z, h) - p.offset[k]! - p.slope[k]! * r);
      }
    },
  );
}
