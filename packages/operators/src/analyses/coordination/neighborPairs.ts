import { cellFunctor, type PairTotals, pairFunctor } from '@corpuscle/patterns';
import type { CoordinationSums } from './CoordinationSums.js';
import { atPlaces, derivativeBlock, outputsAt, SHARED_PLACE } from './placeFields.js';
import { functorsByShape, isEndless, smoothHelpers, smoothSchema } from './smooth.js';
import type { Switching } from './switching/Switching.js';

/** Fields of a particle: its share of the number, and the derivative by its position; box derivatives are totals. */
export const coordinationBlock = derivativeBlock(SHARED_PLACE);

const central = { cn: 'real', cnx: 'real', cny: 'real', cnz: 'real' } as const;

/** Derivatives by strain, Σ d_a d_b s′/r, follow from those by position. Box derivatives are minus these. */
const derived = {
  cnbxx: { of: 'cnx', along: 'x', factor: 1 },
  cnbyy: { of: 'cny', along: 'y', factor: 1 },
  cnbzz: { of: 'cnz', along: 'z', factor: 1 },
  cnbxy: { of: 'cny', along: 'x', factor: 1 },
  cnbxz: { of: 'cnz', along: 'x', factor: 1 },
  cnbyz: { of: 'cnz', along: 'y', factor: 1 },
} as const;

const multiplicities = { cngroupa: 'real', cngroupb: 'real' } as const;

/**
 * Whose pairs count: all particles once; those of one group with their multiplicities; those between two groups; of
 * the latter only those in which the central particle stands for the one group and its neighbor for the other.
 */
export type PairWeights = 'all' | 'self' | 'two' | 'a_with_b' | 'b_with_a';

export const zeroShares = cellFunctor(
  { name: 'zero_coordination', fields: { cnx: 'real', cny: 'real', cnz: 'real', cn: 'real' } },
  (i) => {
    i.cnx = 0;
    i.cny = 0;
    i.cnz = 0;
    i.cn = 0;
  },
);

const zeroSharedDerivatives = cellFunctor(
  { name: 'zero_derivatives', fields: { cnx: 'real', cny: 'real', cnz: 'real' } },
  (i) => {
    i.cnx = 0;
    i.cny = 0;
    i.cnz = 0;
  },
);

/** Clears the derivatives of a place. */
export const zeroDerivatives = (derivatives: number) =>
  atPlaces(zeroSharedDerivatives, { derivatives });

const shares = { cnx: 'particles', cny: 'particles', cnz: 'particles' } as const;
const box = <T extends 'total' | 'none'>(target: T) => ({
  cnbxx: target,
  cnbyy: target,
  cnbzz: target,
  cnbxy: target,
  cnbxz: target,
  cnbyz: target,
});

/** Targets of the outputs. */
export const sharesAndTotals = { ...shares, cn: 'both', ...box('total') } as const;
export const sharesOnly = { ...shares, cn: 'particles', ...box('none') } as const;
/** For a functor that leaves derivatives in a place. */
export const derivativesAndNumber = (place: number) =>
  outputsAt({ ...shares, cn: 'total', ...box('none') } as const, place);
export const derivativesOnly = (place: number) =>
  outputsAt({ ...shares, cn: 'none', ...box('none') } as const, place);

/** The sums of a sweep with `sharesAndTotals`; `once` is the share of a pair in what was counted. */
export function sumsOf(totals: PairTotals<typeof sharesAndTotals>, once: number): CoordinationSums {
  const { cn, cnbxx, cnbyy, cnbzz, cnbxy, cnbxz, cnbyz } = totals;
  return {
    value: once * cn,
    box: [cnbxx, cnbyy, cnbzz, cnbxy, cnbxz, cnbyz].map((x) => -once * x),
  };
}

/**
 * Coordination over neighbor lists. Every particle receives the sum over its pairs, so that totals count each pair
 * twice; a particle is never its own neighbor, which is the exclusion of equal indices.
 * @param groups where the multiplicities of groups are. @param derivatives where derivatives go
 */
export const neighborPairs = (
  s: Switching,
  weights: PairWeights,
  groups: number,
  derivatives = SHARED_PLACE,
) =>
  atPlaces(functors(s, weights), {
    groups: weights === 'all' ? SHARED_PLACE : groups,
    derivatives,
  });

const functors = functorsByShape((s, weights) =>
  weights === 'all' ? pairsOfAll(s) : pairsOfGroups(s, weights as PairWeights),
);

const pairsOfAll = (s: Switching) =>
  pairFunctor(
    {
      name: `coordination_${s.shape.name}`,
      central,
      derived,
      params: smoothSchema,
      helpers: smoothHelpers(s),
      constants: { endless: isEndless(s) ? 1 : 0 },
      traits: { newton3: true },
    },
    (i, _j, d, p, h, c) => {
      if (c.endless !== 0 || d.r2 <= p.range2) {
        const [value, g] = h.smooth(
          d.r2,
          p.d0,
          p.inverse,
          p.stretch,
          p.shift,
          p.a,
          p.b,
          p.c,
          p.n,
          p.m,
          h,
        );
        i.cn += value;
        i.cnx += g * d.x;
        i.cny += g * d.y;
        i.cnz += g * d.z;
      }
    },
  );

const pairsOfGroups = (s: Switching, weights: PairWeights) =>
  pairFunctor(
    {
      name: `coordination_${s.shape.name}_${weights}`,
      central,
      derived,
      read: multiplicities,
      neighbor: multiplicities,
      params: smoothSchema,
      helpers: smoothHelpers(s),
      constants: {
        endless: isEndless(s) ? 1 : 0,
        self: weights === 'self' ? 1 : 0,
        ab: weights === 'two' || weights === 'a_with_b' ? 1 : 0,
        ba: weights === 'two' || weights === 'b_with_a' ? 1 : 0,
      },
      traits: { newton3: weights === 'self' || weights === 'two' },
    },
    (i, j, d, p, h, c) => {
      let weight = 0;
      if (c.self !== 0) weight += i.cngroupa * j.cngroupa;
      if (c.ab !== 0) weight += i.cngroupa * j.cngroupb;
      if (c.ba !== 0) weight += i.cngroupb * j.cngroupa;
      if ((c.endless !== 0 || d.r2 <= p.range2) && weight > 0) {
        const [value, slope] = h.smooth(
          d.r2,
          p.d0,
          p.inverse,
          p.stretch,
          p.shift,
          p.a,
          p.b,
          p.c,
          p.n,
          p.m,
          h,
        );
        const g = weight * slope;
        i.cn += weight * value;
        i.cnx += g * d.x;
        i.cny += g * d.y;
        i.cnz += g * d.z;
      }
    },
  );
