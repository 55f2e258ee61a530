import { cellFunctor, pairFunctor, reduceFunctor } from '@corpuscle/patterns';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { embeddedAtomTerm } from '../eam/embeddedAtomTerm.js';
import { completePairs, type PairEntry } from '../pair/completePairs.js';
import { type Mixing, mixedPair } from '../pair/mixing.js';
import { forceOutputs, virials } from '../pair/pairOutputs.js';

/** φ = ε (a/r)ⁿ and ρ = (a/r)ᵐ of one pair of types, or of all pairs when `types` is absent; F = −c ε √ρ with ε and c of like pairs. */
export interface SuttonChenPair extends PairEntry {
  readonly epsilon: number;
  readonly a: number;
  readonly n: number;
  readonly m: number;
  /** Strength of the embedding; used of pairs of like types only. */
  readonly c: number;
  readonly rcut: number;
}

const read = { type: 'u32' } as const;

const density = pairFunctor(
  {
    name: 'sutton_chen_density',
    central: { eamDensity: 'real' },
    read,
    neighbor: read,
    params: { types: 'u32', a: 'real[]', m: 'real[]', rcut2: 'real[]' },
    traits: { newton3: true },
  },
  (i, j, d, p) => {
    const pair = i.type * p.types + j.type;
    if (d.r2 < p.rcut2[pair]!) i.eamDensity += (p.a[pair]! / Math.sqrt(d.r2)) ** p.m[pair]!;
  },
);

const embed = cellFunctor(
  {
    name: 'sutton_chen_embed',
    fields: { eamSlope: 'real', ep: 'real' },
    read: { ...read, eamDensity: 'real' },
    params: { depth: 'real[]', energies: 'u32' },
  },
  (i, p) => {
    const root = Math.sqrt(i.eamDensity);
    i.eamSlope = root > 0 ? (-0.5 * p.depth[i.type]!) / root : 0;
    if (p.energies !== 0) i.ep -= p.depth[i.type]! * root;
  },
);

const embedding = reduceFunctor(
  {
    name: 'sutton_chen_embedding',
    result: { energy: 'sum' },
    read: { ...read, eamDensity: 'real' },
    params: { depth: 'real[]' },
  },
  (acc, i, p) => {
    acc.energy -= p.depth[i.type]! * Math.sqrt(i.eamDensity);
  },
);

/** The second pass; densities of i and j enter alike, for ρ depends on the pair only. */
export const suttonChen = pairFunctor(
  {
    name: 'sutton_chen',
    central: forceOutputs,
    derived: virials,
    read: { ...read, eamSlope: 'real' },
    neighbor: { ...read, eamSlope: 'real' },
    params: {
      types: 'u32',
      epsilon: 'real[]',
      a: 'real[]',
      n: 'real[]',
      m: 'real[]',
      rcut2: 'real[]',
    },
    traits: { newton3: true },
  },
  (i, j, d, p) => {
    const pair = i.type * p.types + j.type;
    if (d.r2 < p.rcut2[pair]!) {
      const s = p.a[pair]! / Math.sqrt(d.r2);
      const u = p.epsilon[pair]! * s ** p.n[pair]!;
      const slopes = i.eamSlope + j.eamSlope;
      const f = (p.n[pair]! * u + slopes * p.m[pair]! * s ** p.m[pair]!) / d.r2;
      i.fx += f * d.x;
      i.fy += f * d.y;
      i.fz += f * d.z;
      i.ep += 0.5 * u;
    }
  },
);

/** The coefficients of Sutton and Chen's potential, in simulation units. */
export interface SuttonChenOptions {
  /** Names of the particle types in the order of their indices. */
  readonly types: readonly string[];
  readonly pairs: readonly SuttonChenPair[];
  /**
   * Default 'none'. `geometric` is the rule of Rafii-Tabar and Sutton (Phil. Mag. Lett. 63, 217, 1991); in both, n and m are
   * means.
   */
  readonly mixing?: Mixing;
}

/** What coefficients are to mixing rules. */
const suttonChenMixes = {
  epsilon: 'strength',
  a: 'length',
  n: 'mean',
  m: 'mean',
  c: 'mean',
} as const;
export const suttonChenRules = ['lorentz_berthelot', 'geometric'] as const;

/**
 * A force term of Sutton and Chen's potential for metals (Phil. Mag. Lett. 61, 139, 1990),
 * U = Σ pairs ε (a/r)ⁿ − Σ particles c ε √ρ.
 *
 * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE.
 * @example
 * const copper = { epsilon: 0.012382, a: 3.61, n: 9, m: 6, c: 39.432, rcut: 7.22 }; // eV, Å
 * const term = suttonChenForce({ types: ['Cu'], pairs: [copper] });
 */
export function suttonChenForce({ types, pairs, mixing = 'none' }: SuttonChenOptions): ForceTerm {
  const table = completePairs(types, pairs, {
    chosen: mixing,
    rules: suttonChenRules,
    mix: (rule, aa, bb) =>
      mixedPair(rule, suttonChenMixes, { ...aa }, { ...bb }) as unknown as SuttonChenPair,
  });
  const of = (name: 'epsilon' | 'a' | 'n' | 'm') => table.map((entry) => entry[name]);
  const rcut2 = table.map(({ rcut }) => rcut * rcut);
  const like = types.map((_, type) => table[type * types.length + type]!);
  const shape = { types: types.length, a: of('a'), m: of('m'), rcut2 };
  return embeddedAtomTerm({
    rcut: Math.max(...table.map(({ rcut }) => rcut)),
    density,
    densityParams: shape,
    embed,
    embedding,
    embedParams: { depth: like.map(({ epsilon, c }) => epsilon * c) },
    pair: suttonChen,
    pairParams: { ...shape, epsilon: of('epsilon'), n: of('n') },
  });
}
