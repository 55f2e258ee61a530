import { pairFunctor } from '@corpuscle/patterns';
import { functorsByShape, smoothHelpers, smoothSchema } from './smooth.js';

/** Fields of a particle: its share of the number, and the derivative by its position; box derivatives are totals. */
export const coordinationBlock = {
  name: 'coordination',
  type: 'f64',
  width: 4,
  members: ['cnx', 'cny', 'cnz', 'cn'],
} as const;

/** How often a particle occurs in each group. */
export const membershipBlocks = (['cngroupa', 'cngroupb'] as const).map(
  (name) => ({ name, type: 'f64', width: 1, members: [name] }) as const,
);

const central = {
  cn: 'real',
  cnx: 'real',
  cny: 'real',
  cnz: 'real',
  cnbxx: 'real',
  cnbyy: 'real',
  cnbzz: 'real',
  cnbxy: 'real',
  cnbxz: 'real',
  cnbyz: 'real',
} as const;

const membership = { cngroupa: 'real', cngroupb: 'real' } as const;

/** Whose pairs count: all particles once; those of one group with their multiplicities; those between two groups. */
export type PairWeights = 'all' | 'self' | 'two';

/**
 * Coordination over neighbour lists. Every particle receives the sum over its pairs, so that totals count each pair
 * twice; a particle is never its own neighbour, which is the exclusion of equal indices.
 */
export const neighbourPairs = functorsByShape((s, variant) =>
  (variant as PairWeights) === 'all'
    ? pairFunctor(
        {
          name: `coordination_${s.shape.name}`,
          central,
          params: smoothSchema,
          helpers: smoothHelpers(s),
          traits: { newton3: true },
        },
        (i, _j, d, p, h) => {
          if (d.r2 <= p.range2) {
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
            i.cnbxx -= g * d.x * d.x;
            i.cnbyy -= g * d.y * d.y;
            i.cnbzz -= g * d.z * d.z;
            i.cnbxy -= g * d.x * d.y;
            i.cnbxz -= g * d.x * d.z;
            i.cnbyz -= g * d.y * d.z;
          }
        },
      )
    : pairFunctor(
        {
          name: `coordination_${s.shape.name}_${variant}`,
          central,
          read: membership,
          neighbour: membership,
          params: smoothSchema,
          helpers: smoothHelpers(s),
          constants: { two: variant === 'two' ? 1 : 0 },
          traits: { newton3: true },
        },
        (i, j, d, p, h, c) => {
          const weight =
            c.two !== 0
              ? i.cngroupa * j.cngroupb + i.cngroupb * j.cngroupa
              : i.cngroupa * j.cngroupa;
          if (d.r2 <= p.range2 && weight > 0) {
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
            i.cnbxx -= g * d.x * d.x;
            i.cnbyy -= g * d.y * d.y;
            i.cnbzz -= g * d.z * d.z;
            i.cnbxy -= g * d.x * d.y;
            i.cnbxz -= g * d.x * d.z;
            i.cnbyz -= g * d.y * d.z;
          }
        },
      ),
);
