import type { DerivedOutput, GradientSchema } from '@corpuscle/functor';

/** The fields that a pair potential adds to. */
export type ForceOutputs = { readonly [Name in 'fx' | 'fy' | 'fz' | 'ep']: 'real' };
/** The six components of the virial, and the force that each follows from. */
export type Virials = {
  readonly [Name in 'vxx' | 'vyy' | 'vzz' | 'vxy' | 'vxz' | 'vyz']: DerivedOutput<
    'fx' | 'fy' | 'fz'
  >;
};
/** Forces, energy and virials. */
export type PairOutputs = { readonly [Name in keyof ForceOutputs | keyof Virials]: 'real' };

/** What a pair potential states: forces, and `ep` the energy of a particle, half of each pair's. */
export const forceOutputs: ForceOutputs = { fx: 'real', fy: 'real', fz: 'real', ep: 'real' };

const share = 0.5;

/**
 * A particle's share of the virial Σ d_a F_b, half of each pair's. A functor that declares it as `derived` writes no virials:
 * they follow from what it adds to its forces. Outputs that are not asked for are not computed.
 *
 * @example
 * pairFunctor({ name: 'spring', central: forceOutputs, derived: virials, params: { k: 'real' } }, (i, _j, d, p) => {
 *   i.fx -= p.k * d.x;
 *   i.fy -= p.k * d.y;
 *   i.fz -= p.k * d.z;
 *   i.ep += 0.25 * p.k * d.r2;
 * });
 */
export const virials: Virials = {
  vxx: { of: 'fx', along: 'x', factor: share },
  vyy: { of: 'fy', along: 'y', factor: share },
  vzz: { of: 'fz', along: 'z', factor: share },
  vxy: { of: 'fy', along: 'x', factor: share },
  vxz: { of: 'fz', along: 'x', factor: share },
  vyz: { of: 'fz', along: 'y', factor: share },
};

/** The virials, for functors that write them. */
export const virialOutputs = {
  vxx: 'real',
  vyy: 'real',
  vzz: 'real',
  vxy: 'real',
  vxz: 'real',
  vyz: 'real',
} as const;

/** All that a force term can be asked for: forces, energy and virials, for functors that write the virials themselves. */
export const pairOutputs: PairOutputs = {
  ...forceOutputs,
  ...virialOutputs,
};

/**
 * Forces and virials of a functor of whole neighborhoods that states its energy only, in `ep` of the particle and of its
 * neighbors.
 */
export const energyGradient = {
  of: 'ep',
  into: ['fx', 'fy', 'fz'],
  virial: ['vxx', 'vyy', 'vzz', 'vxy', 'vxz', 'vyz'],
} as const satisfies GradientSchema<keyof PairOutputs>;

/** What is done to a potential at its cutoff: nothing, u(rcut) = 0, or also u′(rcut) = 0. */
export type CutoffShift = 'none' | 'energy' | 'force';
export const cutoffShifts = ['none', 'energy', 'force'] as const satisfies readonly CutoffShift[];

/** A table that does not depend on the pair as one number, which kernels keep in a register. */
export function shortestTable(table: number[]): number[] {
  return table.every((value) => value === table[0]) ? table.slice(0, 1) : table;
}
